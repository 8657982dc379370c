import { decodeWindow } from '../dtypes/decode.ts';
import { componentBits, type DtypeInfo } from '../dtypes/dtype-table.ts';
import { isSubnormalCode } from '../dtypes/small-floats.ts';
import { pointSpans, type Spans } from './spans.ts';
import type { SparseCounts } from './sparse-counts.ts';

/** The values behind bit patterns of at most 16 bits; all are exactly float32. */
const valuesOf = (info: DtypeInfo, patterns: Uint32Array): Float32Array => {
  const elements = componentBits(info) === 16 ? Uint16Array.from(patterns) : Uint8Array.from(patterns);
  const values = new Float32Array(patterns.length);
  decodeWindow({ info, bytes: new Uint8Array(elements.buffer), length: values.length }, values);
  return values;
};

/** Index of the i-th smallest value, given patterns in ascending order. */
const valueOrder = (info: DtypeInfo, patterns: Uint32Array): ((index: number) => number) => {
  const signBit = 2 ** (componentBits(info) - 1);
  const signed = info.kind === 'int' || (info.format !== undefined && info.format.specials !== 'scale');
  const firstNegative = signed ? patterns.findIndex((pattern) => pattern >= signBit) : -1;
  const positives = firstNegative < 0 ? patterns.length : firstNegative;
  const negatives = patterns.length - positives;
  return (index) => {
    if (index >= negatives) {
      return index - negatives;
    }
    // Negative floats ascend as their patterns descend, two's complement integers as they ascend.
    return info.kind === 'int' ? positives + index : patterns.length - 1 - index;
  };
};

/** What the counts of every bit pattern say, exactly. */
export interface PatternSummary {
  readonly count: number;
  readonly nan: number;
  readonly posInf: number;
  readonly negInf: number;
  readonly zeros: number;
  readonly negZeros: number;
  readonly subnormals: number;
  /** Finite values, each once; −0 and 0 are one. */
  readonly spans: Spans;
}

/** Sorts counted patterns of a dtype of at most 16 bits into values. */
export const summarisePatterns = (info: DtypeInfo, { keys, counts }: SparseCounts): PatternSummary => {
  const values = valuesOf(info, keys);
  const order = valueOrder(info, keys);
  const tally = { count: 0, nan: 0, posInf: 0, negInf: 0, zeros: 0, negZeros: 0, subnormals: 0 };
  const spanValues = new Float64Array(keys.length);
  const spanCounts = new Float64Array(keys.length);
  let length = 0;
  for (let index = 0; index < keys.length; index += 1) {
    const at = order(index);
    const value = values[at] ?? 0;
    const count = counts[at] ?? 0;
    tally.count += count;
    if (Number.isNaN(value)) {
      tally.nan += count;
    } else if (!Number.isFinite(value)) {
      tally[value > 0 ? 'posInf' : 'negInf'] += count;
    } else {
      if (value === 0) {
        tally.zeros += count;
        tally.negZeros += Object.is(value, -0) ? count : 0;
      } else if (info.format !== undefined && isSubnormalCode(info.format, keys[at] ?? 0)) {
        tally.subnormals += count;
      }
      // BOOL has 255 patterns of true, floats two of zero.
      length = length > 0 && spanValues[length - 1] === value ? length - 1 : length;
      spanValues[length] = value + 0;
      spanCounts[length] = (spanCounts[length] ?? 0) + count;
      length += 1;
    }
  }
  return { ...tally, spans: pointSpans(spanValues.slice(0, length), spanCounts.slice(0, length)) };
};
