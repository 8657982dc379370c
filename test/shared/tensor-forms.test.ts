import { describe, expect, it } from 'vitest';
import type { TensorRow } from '../../src/shared/checkpoint-types.ts';
import { strictJson } from '../../src/shared/strict-json.ts';
import { numbersJson, rowJson, statsJson } from '../../src/shared/tensor-forms.ts';
import { emptyStats } from '../support/empty-stats.ts';

const ROW: TensorRow = {
  id: 3,
  name: 'w\u202e',
  dtype: 'F32',
  shape: [2n ** 60n, 0],
  parameters: undefined,
  bytes: undefined,
  file: 'a.safetensors',
  offset: undefined,
  layout: 'strided',
  readable: false,
  problem: 'out of bounds',
};

const BINS = { edges: Float64Array.of(0, 1), counts: Float64Array.of(7), below: 0, above: 0, exact: true };
const EMPTY = emptyStats('e', 'F32');

/** What a reader of the printed JSON gets. */
const printed = (form: Parameters<typeof strictJson>[0]): unknown => JSON.parse(strictJson(form));

describe('JSON forms of a tensor', () => {
  it('give a row every key, null for what the file leaves open, and large integers as strings', () => {
    expect(printed(rowJson(ROW))).toEqual({
      id: 3,
      name: 'w\u202e',
      dtype: 'F32',
      shape: ['1152921504606846976', 0],
      parameters: null,
      bytes: null,
      file: 'a.safetensors',
      offset: null,
      contiguous: false,
      readable: false,
      problem: 'out of bounds',
    });
  });

  it('give statistics of nothing as null, never as zero', () => {
    expect(printed(statsJson(EMPTY))).toMatchObject({
      count: 0,
      min: null,
      max: null,
      mean: null,
      std: null,
      quantiles: null,
      histogram: null,
    });
  });

  it('name quantiles by their share and keep a zero among them', () => {
    expect(printed(statsJson({ ...EMPTY, count: 7, quantiles: [0, 1, 2, 3, 4, 5, 6] }))).toMatchObject({
      quantiles: { 0.01: 0, 0.05: 1, 0.25: 2, 0.5: 3, 0.75: 4, 0.95: 5, 0.99: 6 },
    });
  });

  it('are the same without a histogram, but for it', () => {
    const { histogram, ...rest } = statsJson({ ...EMPTY, histogram: BINS });
    expect(numbersJson(EMPTY)).toEqual(rest);
    expect(histogram).toEqual({ edges: BINS.edges, counts: BINS.counts });
  });
});
