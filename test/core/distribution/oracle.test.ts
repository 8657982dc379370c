import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { type Int, QUANTILES } from '../../../src/shared/checkpoint-types.ts';

/** See test/fixtures/oracle/README.md. */
type ValueForm = number | string;

interface Expected {
  readonly count: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  readonly zeros: number;
  readonly negZeros: number;
  readonly subnormals: number;
  readonly min: ValueForm | null;
  readonly max: ValueForm | null;
  readonly mean: ValueForm | null;
  readonly std: ValueForm | null;
  readonly quantiles: Readonly<Record<string, ValueForm>> | null;
  readonly distinct: number | null;
  readonly histogram?: { readonly edges: readonly number[]; readonly counts: readonly number[] } | null;
  readonly quantileBounds?: Readonly<Record<string, readonly [ValueForm, ValueForm]>> | null;
}

interface Case {
  readonly name: string;
  readonly dtype: string;
  readonly base64: string;
  readonly expected: Expected;
}

const text = readFileSync(new URL('../../fixtures/oracle/stats.json', import.meta.url), 'utf8');
const { cases }: { cases: readonly Case[] } = JSON.parse(text);

const value = (form: ValueForm): number => Number(form);
const int = (form: ValueForm | null): Int | undefined =>
  form === null ? undefined : typeof form === 'string' && /^-?\d+$/.test(form) ? BigInt(form) : Number(form);

/** Half of what the subnormals of one key span, see src/core/distribution/wide-keys.ts. */
const subnormalBound = (dtype: string): number =>
  dtype === 'F64' ? 2 ** -1030 : dtype === 'F32' || dtype === 'C64' ? 2 ** -134 : 0;

describe('what numpy and rational arithmetic answer', () => {
  test.each(cases.map((one) => [`${one.name} (${one.dtype})`, one] as const))(
    '%s',
    (_, { dtype, base64, expected }) => {
      const distribution = newDistribution(dtype);
      distribution.add(new Uint8Array(Buffer.from(base64, 'base64')));
      const stats = distribution.summarise('t');
      expect(stats).toMatchObject({
        count: expected.count,
        nan: expected.nan,
        posInf: expected.posInf,
        negInf: expected.negInf,
        zeros: expected.zeros,
        negZeros: expected.negZeros,
        subnormals: expected.subnormals,
        min: int(expected.min),
        max: int(expected.max),
        mean: expected.mean === null ? undefined : value(expected.mean),
        std: expected.std === null ? undefined : value(expected.std),
        distinct: expected.distinct ?? undefined,
      });
      const quantiles =
        expected.quantiles === null ? undefined : QUANTILES.map((q) => value(expected.quantiles?.[q] ?? ''));
      if (stats.exact) {
        // numpy's zeros have whatever sign came first in the sort.
        expect(stats.quantiles).toEqual(quantiles?.map((quantile) => quantile + 0));
        if (expected.histogram !== null && expected.histogram !== undefined) {
          expect([...(stats.histogram?.edges ?? [])]).toEqual(expected.histogram.edges);
          expect([...(stats.histogram?.counts ?? [])]).toEqual(expected.histogram.counts);
        }
        return;
      }
      QUANTILES.forEach((q, index) => {
        const bounds = expected.quantileBounds?.[q]?.map(value) ?? [];
        const error = Math.abs((stats.quantiles?.[index] ?? 0) - (quantiles?.[index] ?? 0));
        expect(error, `quantile ${q}`).toBeLessThanOrEqual(
          Math.max(2 ** -8 * Math.max(0, ...bounds.map(Math.abs)), subnormalBound(dtype)),
        );
      });
    },
  );
});
