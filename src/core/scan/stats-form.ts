import { z } from 'zod';
import { type Int, QUANTILES, type TensorStats } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';

const tally = z.int().nonnegative();
/** A number; an integer beyond 2^53 as decimal text. */
const int = z.union([z.number(), z.string().regex(/^-?\d{16,20}$/)]).nullable();

/** What `statsJson` writes. Other members may stand beside these. */
export const STATS_FORM = z.object({
  name: z.string(),
  dtype: z.string(),
  count: tally,
  nan: tally,
  posInf: tally,
  negInf: tally,
  zeros: tally,
  negZeros: tally,
  subnormals: tally,
  min: int,
  max: int,
  mean: z.number().nullable(),
  std: z.number().nonnegative().nullable(),
  quantiles: z.strictObject(Object.fromEntries(QUANTILES.map((q) => [String(q), z.number()]))).nullable(),
  distinct: tally.nullable(),
  exact: z.boolean(),
  histogram: z
    .strictObject({
      edges: z.array(z.number()).min(2).max(65_537),
      counts: z.array(tally).min(1).max(65_536),
    })
    .nullable(),
});

const intOf = (form: z.infer<typeof int>): Int | undefined =>
  typeof form === 'string' ? BigInt(form) : (form ?? undefined);

/** The statistics behind a parsed form. @throws LoupeError `bad-stats` when the histogram has not one edge more than bins. */
export const statsFromForm = (form: z.infer<typeof STATS_FORM>): TensorStats => {
  const { min, max, mean, std, quantiles, distinct, histogram, ...rest } = form;
  if (histogram !== null && histogram.edges.length !== histogram.counts.length + 1) {
    throw new LoupeError('bad-stats', `the histogram of "${form.name}" has not one edge more than bins`);
  }
  return {
    ...rest,
    min: intOf(min),
    max: intOf(max),
    mean: mean ?? undefined,
    std: std ?? undefined,
    quantiles: quantiles === null ? undefined : QUANTILES.map((q) => quantiles[String(q)] ?? 0),
    distinct: distinct ?? undefined,
    histogram:
      histogram === null
        ? undefined
        : {
            edges: Float64Array.from(histogram.edges),
            counts: Float64Array.from(histogram.counts),
            below: 0,
            above: 0,
            exact: form.exact,
          },
  };
};
