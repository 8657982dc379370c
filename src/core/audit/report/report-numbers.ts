import type { TensorStats } from '../../../shared/checkpoint-types.ts';
import { formatInt, formatStatistic } from '../../../shared/format-number.ts';

/** The numbers of some statistics that a report shows, with their names. */
export const shownNumbers = (stats: TensorStats): readonly (readonly [name: string, value: string])[] => {
  const { count, nan, posInf, negInf, zeros, min, max, mean, std } = stats;
  return [
    ['count', formatInt(count)],
    ['min', formatStatistic(min)],
    ['max', formatStatistic(max)],
    ['mean', formatStatistic(mean)],
    ['std', formatStatistic(std)],
    ['zeros', formatInt(zeros)],
    ['NaN', formatInt(nan)],
    ['±Inf', formatInt(posInf + negInf)],
  ];
};

/** Findings, tensors and roles that a report for people lists before it only says how many more there are. */
export const MOST_FINDINGS = 500;
export const MOST_PROFILES = 24;
export const MOST_ODD = 24;
export const MOST_FOLDERS = 60;
