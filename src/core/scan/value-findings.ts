import { type Finding, type FindingCode, finding } from '../../shared/findings.ts';
import { formatInt, formatStatistic } from '../../shared/format-number.ts';
import type { TensorFacts } from '../audit/tensor-facts.ts';
import { dtypeInfo } from '../dtypes/dtype-table.ts';
import { quoteName } from '../quote-name.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';

/** An element's indexes, a dimension each, from its place in row-major order. */
export const indexText = (element: number, shape: readonly number[]): string => {
  const indexes: number[] = [];
  let rest = element;
  for (const size of shape.toReversed()) {
    indexes.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return `[${indexes.join(', ')}]`;
};

/** Where an element's bytes begin in the file; undefined where elements do not simply follow each other. */
const offsetOf = (table: TensorTable, id: number, element: number): number | undefined => {
  const range = table.range(id);
  const bits = dtypeInfo(table.dtype(id))?.bits;
  return range === undefined || bits === undefined || table.strided(id) !== undefined
    ? undefined
    : range[0] + Math.floor((element * bits) / 8);
};

/** What the numbers of one tensor give away by themselves. */
export const valueFindings = (
  { tensorId, stats, boolOutOfRange, first = {} }: TensorFacts,
  table: TensorTable,
): Finding[] => {
  const found: Finding[] = [];
  const { file } = table.row(tensorId);
  const report = (code: FindingCode, message: string, element?: number): void => {
    const shape = table.shape(tensorId).map(Number);
    const where = element === undefined || shape.length === 0 ? '' : `, the first at ${indexText(element, shape)}`;
    const offset = element === undefined ? undefined : offsetOf(table, tensorId, element);
    found.push(
      finding(code, `tensor ${quoteName(stats.name)} ${message}${where}`, {
        file,
        tensor: stats.name,
        tensorId,
        ...(offset === undefined ? {} : { offset }),
      }),
    );
  };
  const of = `of ${formatInt(stats.count)} values`;
  const infinite = stats.posInf + stats.negInf;
  if (stats.nan > 0) {
    report('has-nan', `has NaN: ${formatInt(stats.nan)} ${of}`, first.nan);
  }
  if (infinite > 0) {
    const counts = `${formatInt(stats.posInf)} +Inf and ${formatInt(stats.negInf)} -Inf`;
    report('has-infinity', `has infinities: ${counts} ${of}`, first.infinity);
  }
  if (boolOutOfRange > 0) {
    report('bool-not-0-or-1', `is BOOL but ${formatInt(boolOutOfRange)} ${of} are neither 0 nor 1; shown as true`);
  }
  const finite = stats.count - stats.nan - infinite;
  if (stats.count > 1 && stats.zeros === stats.count) {
    report('all-zero', `is all zero: ${formatInt(stats.count)} values`);
  } else if (stats.count > 1 && finite === stats.count && stats.min === stats.max) {
    report(
      'constant',
      `is constant: every one of ${formatInt(stats.count)} values is ${formatStatistic(stats.min, 9)}`,
    );
  }
  return found;
};
