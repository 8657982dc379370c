import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DistributionData } from '../../../src/core/distribution/distribution.ts';
import { MergedDistribution } from '../../../src/core/distribution/merged-distribution.ts';
import { distributionFromData, newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { DTYPES } from '../../../src/core/dtypes/dtype-table.ts';
import { type Int, QUANTILES } from '../../../src/shared/checkpoint-types.ts';
import { seededRandom } from './support/windows.ts';

type ValueForm = number | string;

/** See test/fixtures/oracle/README.md. */
interface Group {
  readonly name: string;
  readonly cases: readonly number[];
  readonly expected: {
    readonly min: ValueForm | null;
    readonly max: ValueForm | null;
    readonly mean: number | null;
    readonly std: number | null;
    readonly distinct: number | null;
    readonly quantiles: Readonly<Record<string, number>> | null;
    readonly histogram?: { readonly edges: readonly number[]; readonly counts: readonly number[] } | null;
    readonly quantileBounds?: Readonly<Record<string, readonly [ValueForm, ValueForm]>>;
    readonly [tally: string]: unknown;
  };
}

const text = (name: string): string => readFileSync(new URL(`../../fixtures/oracle/${name}`, import.meta.url), 'utf8');
const { groups }: { groups: readonly Group[] } = JSON.parse(text('merged-stats.json'));
const { cases }: { cases: readonly { dtype: string; base64: string }[] } = JSON.parse(text('stats.json'));

const dataOf = (dtype: string, bytes: Uint8Array): DistributionData => {
  const distribution = newDistribution(dtype, DTYPES.get(dtype)?.bits === 6 ? { f6Order: 'lsb' } : {});
  distribution.add(bytes);
  return distribution.toData();
};

const caseData = (place: number): DistributionData =>
  dataOf(cases[place]?.dtype ?? '', new Uint8Array(Buffer.from(cases[place]?.base64 ?? '', 'base64')));

const int = (form: ValueForm | null): Int | undefined =>
  form === null ? undefined : typeof form === 'string' ? BigInt(form) : form;

const TALLY = ['count', 'nan', 'posInf', 'negInf', 'zeros', 'negZeros', 'subnormals'] as const;

describe('several dtypes together, as numpy and rational arithmetic answer', () => {
  test.each(groups.map((group) => [group.name, group] as const))('%s', (_, { cases: places, expected }) => {
    const merged = new MergedDistribution();
    for (const place of places) {
      merged.add(caseData(place));
    }
    const stats = merged.summarise('folder');
    for (const field of TALLY) {
      expect(stats?.[field], field).toBe(expected[field]);
    }
    expect(stats?.min).toBe(int(expected.min));
    expect(stats?.max).toBe(int(expected.max));
    // The same to the last bit: both round the exact number once.
    expect(stats?.mean).toBe(expected.mean ?? undefined);
    expect(stats?.std).toBe(expected.std ?? undefined);
    expect(stats?.distinct).toBe(expected.distinct ?? undefined);
    const quantiles = expected.quantiles === null ? undefined : QUANTILES.map((q) => expected.quantiles?.[q] ?? 0);
    if (stats?.exact === true) {
      expect(stats.quantiles).toEqual(quantiles?.map((value) => value + 0));
      expect([...(stats.histogram?.edges ?? [])]).toEqual(expected.histogram?.edges ?? []);
      expect([...(stats.histogram?.counts ?? [])]).toEqual(expected.histogram?.counts ?? []);
      return;
    }
    QUANTILES.forEach((q, index) => {
      const bounds = (expected.quantileBounds?.[q] ?? []).map(Number);
      const error = Math.abs((stats?.quantiles?.[index] ?? 0) - (quantiles?.[index] ?? 0));
      // Subnormals of float32 share keys 2^-133 wide.
      expect(error, `quantile ${q}`).toBeLessThanOrEqual(
        Math.max(2 ** -8 * Math.max(0, ...bounds.map(Math.abs)), 2 ** -134),
      );
    });
    const { histogram } = stats ?? {};
    if (histogram !== undefined) {
      const counted = histogram.counts.reduce((sum, count) => sum + count, 0);
      expect(counted + histogram.below + histogram.above).toBe(
        (stats?.count ?? 0) - (stats?.nan ?? 0) - (stats?.posInf ?? 0) - (stats?.negInf ?? 0),
      );
    }
  });
});

const random = seededRandom(5);
const TENSORS = [...DTYPES.keys()].flatMap((dtype) =>
  [1, 2].map((times) =>
    dataOf(
      dtype,
      Uint8Array.from({ length: 48 * 20 * times }, () => (random() < 0.3 ? 0 : Math.floor(random() * 256))),
    ),
  ),
);
const WHOLE = new MergedDistribution();
for (const data of TENSORS) {
  WHOLE.add(data);
}

describe('merging', () => {
  test('neither order nor grouping changes a bit', () => {
    const expected = WHOLE.summarise('all');
    expect(expected?.dtype.split('+')).toHaveLength(DTYPES.size);
    const order = fc.shuffledSubarray(TENSORS, { minLength: TENSORS.length });
    fc.assert(
      fc.property(order, fc.array(fc.nat(4), { minLength: 44, maxLength: 44 }), (tensors, owners) => {
        const parts = Array.from({ length: 5 }, () => new MergedDistribution());
        tensors.forEach((data, index) => {
          parts[owners[index] ?? 0]?.add(data);
        });
        const total = new MergedDistribution();
        for (const part of parts) {
          total.merge(part);
        }
        expect(total.tensors()).toBe(TENSORS.length);
        expect(total.summarise('all')).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });

  test('many tensors of many keys are put together as they come, with the same result', () => {
    const part = (seed: number): DistributionData => {
      const next = seededRandom(seed);
      return dataOf(
        'F16',
        Uint8Array.from({ length: 60_000 }, () => Math.floor(next() * 256)),
      );
    };
    const parts = Array.from({ length: 40 }, (_, seed) => part(seed));
    const one = new MergedDistribution();
    for (const data of parts) {
      one.add(data);
    }
    const before = structuredClone(parts[0]);
    const other = newDistribution('F16');
    for (const data of parts) {
      other.merge(distributionFromData(data));
    }
    expect(one.summarise('x')).toEqual(other.summarise('x'));
    expect(parts[0]).toEqual(before);
  });

  test('one dtype alone gives what its own distribution gives', () => {
    const merged = new MergedDistribution();
    const data = dataOf('F32', new Uint8Array(Float32Array.of(1, 2.5, Number.NaN, -7).buffer));
    merged.add(data);
    const own = newDistribution('F32');
    own.add(new Uint8Array(Float32Array.of(1, 2.5, Number.NaN, -7).buffer));
    expect(merged.summarise('t', 5)).toEqual(own.summarise('t', 5));
  });

  test('only dtypes that pass are summed up', () => {
    const floats = WHOLE.summarise('f', 8, ({ kind }) => kind === 'float');
    const complex = WHOLE.summarise('c', 8, ({ kind }) => kind === 'complex');
    const others = WHOLE.summarise('i', 8, ({ kind }) => kind !== 'float' && kind !== 'complex');
    const all = WHOLE.summarise('all', 8);
    expect((floats?.count ?? 0) + (complex?.count ?? 0) + (others?.count ?? 0)).toBe(all?.count);
    expect(floats?.dtype).not.toMatch(/I|C64|BOOL/);
    expect(WHOLE.tensors(({ name }) => name === 'BF16')).toBe(2);
    expect(WHOLE.summarise('none', 8, () => false)).toBeUndefined();
    expect(new MergedDistribution().summarise('empty')).toBeUndefined();
  });

  test('a point inside a wider span costs no more than the span', () => {
    const merged = new MergedDistribution();
    merged.add(dataOf('F32', new Uint8Array(Float32Array.from({ length: 101 }, (_, i) => 1 + i / 100_000).buffer)));
    merged.add(dataOf('F16', new Uint8Array(Uint16Array.of(0x3c01, 0x3c01, 0x3c00).buffer)));
    const stats = merged.summarise('t');
    expect(stats).toMatchObject({ exact: false, distinct: undefined, min: 1, dtype: 'F16+F32' });
    for (const quantile of stats?.quantiles ?? []) {
      expect(quantile).toBeGreaterThanOrEqual(1);
      expect(quantile).toBeLessThanOrEqual(1.001);
    }
  });
});
