import { z } from 'zod';
import type { Int } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { componentBits, dtypeInfo } from '../dtypes/dtype-table.ts';
import type { DistributionData } from './distribution.ts';
import { type SparseCounts, totalCount } from './sparse-counts.ts';
import { keyBits } from './wide-keys.ts';
import { type WideTotals, wideEncoding } from './wide-totals.ts';

const tally = z.int().nonnegative();
const counted = {
  steps: z.array(z.int().positive()).max(1 << 19),
  counts: z.array(z.int().positive()).max(1 << 19),
};
/** Decimal digits of the largest sums: 2^53 squares of the largest F64 in units of its smallest squared. */
const bigText = z
  .string()
  .max(1400)
  .regex(/^-?\d+$/);
/** A finite number, or the decimal text of an integer beyond 2^53. */
const value = z.union([z.number(), z.string().regex(/^-?\d{16,20}$/)]).optional();

const FORM = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('patterns'),
    dtype: z.string(),
    f6Order: z.enum(['lsb', 'msb']).optional(),
    ...counted,
  }),
  z.strictObject({
    kind: z.literal('wide'),
    dtype: z.string(),
    count: tally,
    nan: tally,
    posInf: tally,
    negInf: tally,
    zeros: tally,
    negZeros: tally,
    subnormals: tally,
    min: value,
    max: value,
    maxNegative: value,
    minPositive: value,
    sum: bigText,
    sumSquares: bigText,
    ...counted,
  }),
]);

const refuse = (message: string): never => {
  throw new LoupeError('bad-state', `the state of a distribution ${message}`);
};

const countsFromJson = (
  { steps, counts }: { readonly steps: readonly number[]; readonly counts: readonly number[] },
  bits: number,
): SparseCounts => {
  if (steps.length !== counts.length) {
    refuse('has not as many counts as keys');
  }
  const keys = new Uint32Array(steps.length);
  let key = -1;
  steps.forEach((step, at) => {
    key += step;
    keys[at] = key;
  });
  return key >= 2 ** bits
    ? refuse(`has the key ${key}, which takes more than ${bits} bits`)
    : { keys, counts: Float64Array.from(counts) };
};

const intOf = (form: z.infer<typeof value>): Int | undefined => (typeof form === 'string' ? BigInt(form) : form);

/**
 * Reads what `distributionJson` gave. The text may come from anywhere: what is no state of its dtype is refused, and
 * counts that do not add up.
 *
 * @throws LoupeError `bad-state`
 */
export const distributionFromJson = (json: unknown): DistributionData => {
  const parsed = FORM.safeParse(json);
  if (!parsed.success) {
    return refuse(
      `is not of the known form: ${parsed.error.issues[0]?.message ?? ''} at ${parsed.error.issues[0]?.path.join('.')}`,
    );
  }
  const form = parsed.data;
  const info = dtypeInfo(form.dtype) ?? refuse('has an unknown dtype');
  const encoding = wideEncoding(info.encoding);
  if (form.kind === 'patterns') {
    if (encoding !== undefined || (info.bits === 6) !== (form.f6Order !== undefined)) {
      refuse(`is not one of ${info.name}`);
    }
    const patterns = countsFromJson(form, componentBits(info));
    return { kind: form.kind, dtype: info.name, f6Order: form.f6Order, patterns };
  }
  if (encoding === undefined) {
    return refuse(`is not one of ${info.name}`);
  }
  const { kind, dtype, min, max, maxNegative, minPositive, sum, sumSquares, steps, counts, ...rest } = form;
  const keys = countsFromJson({ steps, counts }, keyBits(encoding));
  const totals: WideTotals = {
    ...rest,
    min: intOf(min),
    max: intOf(max),
    maxNegative: intOf(maxNegative),
    minPositive: intOf(minPositive),
    moments: { sum: BigInt(sum), sumSquares: BigInt(sumSquares) },
    keys,
  };
  if (rest.count !== rest.nan + rest.posInf + rest.negInf + rest.zeros + totalCount(keys)) {
    refuse('has counts that do not add up');
  }
  if (
    (totals.min === undefined) !== (rest.zeros + totalCount(keys) === 0) ||
    (totals.min === undefined) !== (totals.max === undefined)
  ) {
    refuse('has a smallest number without any number, or the reverse');
  }
  return { kind, dtype, totals };
};
