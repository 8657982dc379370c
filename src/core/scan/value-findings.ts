import type { TensorStats } from '../../shared/checkpoint-types.ts';
import { type Finding, type FindingCode, finding } from '../../shared/findings.ts';
import { formatInt, formatStatistic } from '../../shared/format-number.ts';

/** What the numbers of one tensor give away. `boolOutOfRange`: bytes of a BOOL tensor that are neither 0 nor 1. */
export const valueFindings = (
  stats: TensorStats,
  boolOutOfRange: number,
  where: { readonly file: string; readonly tensorId: number },
): Finding[] => {
  const found: Finding[] = [];
  const report = (code: FindingCode, message: string): void => {
    found.push(finding(code, `tensor "${stats.name}" ${message}`, { ...where, tensor: stats.name }));
  };
  const of = `of ${formatInt(stats.count)} values`;
  const infinite = stats.posInf + stats.negInf;
  if (stats.nan > 0) {
    report('has-nan', `has NaN: ${formatInt(stats.nan)} ${of}`);
  }
  if (infinite > 0) {
    report('has-infinity', `has infinities: ${formatInt(stats.posInf)} +Inf and ${formatInt(stats.negInf)} -Inf ${of}`);
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
