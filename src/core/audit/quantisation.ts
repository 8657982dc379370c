import { type Finding, finding } from '../../shared/findings.ts';
import { formatInt, formatStatistic } from '../../shared/format-number.ts';
import { dtypeInfo } from '../dtypes/dtype-table.ts';
import { quoteName } from '../quote-name.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';
import { finiteCount, type TensorFacts } from './tensor-facts.ts';

/** Names of scales beside quantised weights: `weight_scale`, `weight_scale_inv`, `input_scale`, `scales`, `absmax`. */
const SCALE = /^(?:(?:weight|input|output|activation|k|v|q|kv|gate|up|down|scb)_)?scales?(?:_inv|_2)?$|^absmax$|^SCB$/;
const ZERO_POINT = /^(?:weight_|input_|output_)?zero_?points?$/;
/** The tensor that they belong to: quantised weights under the names that quantisers give them. */
const QUANTISED = /^(?:weight|qweight|weight_packed|q_weight|data|codes)$/;

/** Zero points of 8-bit codes, signed or not. */
const LEAST_ZERO_POINT = -128;
const GREATEST_ZERO_POINT = 255;

const cut = (name: string): { readonly folder: string; readonly last: string } => {
  const dot = name.lastIndexOf('.');
  return { folder: name.slice(0, Math.max(dot, 0)), last: name.slice(dot + 1) };
};

/** Folders that hold codes of quantised weights: a matrix of at most 8 bits, or of integers under a quantiser's name. */
const quantisedFolders = (table: TensorTable): ReadonlySet<string> => {
  const folders = new Set<string>();
  for (let id = 0; id < table.length; id += 1) {
    const { folder, last } = cut(table.name(id));
    const info = dtypeInfo(table.dtype(id));
    const holdsCodes = info !== undefined && (info.bits <= 8 || info.kind === 'int' || info.kind === 'uint');
    if (holdsCodes && info.kind !== 'bool' && QUANTISED.test(last)) {
      folders.add(folder);
    }
  }
  return folders;
};

const scaleMessage = ({ stats }: TensorFacts): string | undefined => {
  const bad = stats.nan + stats.posInf + stats.negInf;
  if (bad > 0) {
    return `is a quantisation scale, and ${formatInt(bad)} of ${formatInt(stats.count)} values are not finite`;
  }
  if (finiteCount(stats) === 0 || stats.min === undefined || stats.min > 0) {
    return undefined;
  }
  const what =
    stats.min < 0
      ? `its smallest value is ${formatStatistic(stats.min, 5)}`
      : `${formatInt(stats.zeros)} of ${formatInt(stats.count)} values are zero`;
  return `is a quantisation scale, which should be positive, but ${what}`;
};

const zeroPointMessage = ({ stats: { min, max } }: TensorFacts): string | undefined =>
  min !== undefined && max !== undefined && (min < LEAST_ZERO_POINT || max > GREATEST_ZERO_POINT)
    ? `is a zero point of 8-bit codes, yet reaches from ${formatStatistic(min)} to ${formatStatistic(max)}`
    : undefined;

/** Findings about scales and zero points that stand beside quantised weights; other tensors may bear such names freely. */
export const quantisationFindings = (table: TensorTable, facts: Iterable<TensorFacts>): Finding[] => {
  const folders = quantisedFolders(table);
  if (folders.size === 0) {
    return [];
  }
  const found: Finding[] = [];
  for (const fact of facts) {
    const { tensorId, stats } = fact;
    const { folder, last } = cut(stats.name);
    const isFloat = dtypeInfo(stats.dtype)?.kind === 'float';
    const message = !folders.has(folder)
      ? undefined
      : isFloat && SCALE.test(last)
        ? scaleMessage(fact)
        : ZERO_POINT.test(last)
          ? zeroPointMessage(fact)
          : undefined;
    if (message !== undefined) {
      const code = ZERO_POINT.test(last) ? 'zero-point-out-of-range' : 'scale-not-positive';
      found.push(
        finding(code, `tensor ${quoteName(stats.name)} ${message}`, {
          file: table.row(tensorId).file,
          tensor: stats.name,
          tensorId,
        }),
      );
    }
  }
  return found;
};
