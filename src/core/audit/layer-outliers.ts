import { type Finding, finding } from '../../shared/findings.ts';
import { formatInt, formatStatistic } from '../../shared/format-number.ts';
import type { LayerRole } from '../../shared/layer-roles.ts';
import { dtypeInfo } from '../dtypes/dtype-table.ts';
import { quoteName } from '../quote-name.ts';
import { isFloatDtype } from '../scan/folder-fold.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';
import { finiteCount, isComputedBuffer, scaleOf, type TensorFacts } from './tensor-facts.ts';
import {
  LEAST_SIBLINGS,
  MATRIX_MEAN_DISTANCE,
  MATRIX_SCALE_FACTOR,
  MEAN_FLOOR,
  OUTLIER_LEAST_VALUES,
  OUTLIER_Z,
  SCALE_FLOOR,
  VECTOR_MEAN_DISTANCE,
  VECTOR_SCALE_FACTOR,
  ZERO_SHARE_DISTANCE,
  ZERO_SHARE_FLOOR,
} from './thresholds.ts';

/** The middle of some numbers; of an even number of them the mean of the two in the middle. */
export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >>> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
};

/** What makes the median absolute deviation of normal numbers their standard deviation. */
const MAD_TO_STD = 1.4826;

/**
 * Robust z-scores: how many of the others' deviations each number is from their median, where the deviation is taken from
 * the median absolute deviation and is at least `floor`.
 */
export const robustScores = (
  numbers: readonly number[],
  floor: number,
): { readonly centre: number; readonly scores: number[] } => {
  const centre = median(numbers);
  const spread = Math.max(MAD_TO_STD * median(numbers.map((x) => Math.abs(x - centre))), floor);
  return { centre, scores: numbers.map((x) => (x - centre) / spread) };
};

/** One statistic by which siblings are compared. */
interface Comparison {
  readonly floor: number;
  /** The least distance from the median that counts: of matrices, and of biases and norms. */
  readonly matrix: number;
  readonly vector: number;
  readonly of: (facts: TensorFacts, scale: number) => number | undefined;
  /** The statistic in words, given its value and the siblings' median. */
  readonly words: (value: number, centre: number, scale: number) => string;
}

const shown = (value: number): string => formatStatistic(value, 3);

const COMPARISONS: readonly Comparison[] = [
  {
    floor: SCALE_FLOOR,
    matrix: Math.log(MATRIX_SCALE_FACTOR),
    vector: Math.log(VECTOR_SCALE_FACTOR),
    of: ({ stats }) => {
      const own = scaleOf(stats);
      return own === undefined || own === 0 ? undefined : Math.log(own);
    },
    words: (value, centre) =>
      `root mean square ${shown(Math.exp(value))} where the role's median is ${shown(Math.exp(centre))}`,
  },
  {
    floor: MEAN_FLOOR,
    matrix: MATRIX_MEAN_DISTANCE,
    vector: VECTOR_MEAN_DISTANCE,
    of: ({ stats }, scale) => (stats.mean === undefined ? undefined : stats.mean / scale),
    words: (value, centre, scale) => `mean ${shown(value * scale)} where the role's median is ${shown(centre * scale)}`,
  },
  {
    floor: ZERO_SHARE_FLOOR,
    matrix: ZERO_SHARE_DISTANCE,
    vector: ZERO_SHARE_DISTANCE,
    of: ({ stats }) => stats.zeros / stats.count,
    words: (value, centre) => `${shown(value * 100)} % zeros where the role's median is ${shown(centre * 100)} %`,
  },
];

/** Members of a role that can be compared: of one shape and one kind of dtype. */
const siblingGroups = (role: LayerRole, table: TensorTable, factsOf: (id: number) => TensorFacts | undefined) => {
  const groups = new Map<string, TensorFacts[]>();
  for (const { id } of role.members) {
    const facts = factsOf(id);
    const info = facts && dtypeInfo(facts.stats.dtype);
    if (
      facts === undefined ||
      info === undefined ||
      !isFloatDtype(info) ||
      finiteCount(facts.stats) < OUTLIER_LEAST_VALUES
    ) {
      continue;
    }
    // Quantised codes and the weights they stand for are on different scales.
    const key = `${info.bits < 16 ? info.name : 'wide'} ${table.shape(id).join(',')}`;
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [facts]);
    } else {
      group.push(facts);
    }
  }
  return [...groups.values()].filter((group) => group.length >= LEAST_SIBLINGS);
};

/** Layers of one group of siblings that are far from the others; each once, by the statistic it is farthest in. */
const outliersOf = (
  siblings: readonly TensorFacts[],
  isMatrix: boolean,
): { facts: TensorFacts; score: number; words: string }[] => {
  const worst = new Map<number, { facts: TensorFacts; score: number; words: string }>();
  const scale = median(siblings.map(({ stats }) => scaleOf(stats) ?? 0));
  if (scale === 0) {
    // Most are all zero (an adapter's B matrices, biases that were never trained), so there is nothing to compare with.
    return [];
  }
  for (const { floor, matrix, vector, of, words } of COMPARISONS) {
    const known = siblings.flatMap((facts) => {
      const value = of(facts, scale);
      return value === undefined ? [] : [{ facts, value }];
    });
    if (known.length < LEAST_SIBLINGS) {
      continue;
    }
    const { centre, scores } = robustScores(
      known.map(({ value }) => value),
      floor,
    );
    known.forEach(({ facts, value }, at) => {
      const score = scores[at] ?? 0;
      const far = Math.abs(score) >= OUTLIER_Z && Math.abs(value - centre) >= (isMatrix ? matrix : vector);
      if (far && Math.abs(score) > Math.abs(worst.get(facts.tensorId)?.score ?? 0)) {
        worst.set(facts.tensorId, { facts, score, words: words(value, centre, scale) });
      }
    });
  }
  return [...worst.values()];
};

const isMatrix = (table: TensorTable, [first]: readonly TensorFacts[]): boolean =>
  first !== undefined && table.shape(first.tensorId).filter((size) => size !== 1).length > 1;

/**
 * Findings about tensors whose scale, mean or share of zeros is far from that of the same tensor in the other layers, by a
 * robust z-score within their role. The message gives the numbers.
 */
export const layerOutlierFindings = (
  roles: readonly LayerRole[],
  table: TensorTable,
  factsOf: (id: number) => TensorFacts | undefined,
): Finding[] =>
  roles
    .filter(({ label }) => !isComputedBuffer(label))
    .flatMap((role) => siblingGroups(role, table, factsOf))
    .flatMap((siblings) =>
      outliersOf(siblings, isMatrix(table, siblings)).map(({ facts: { tensorId, stats }, score, words }) => {
        const message = `tensor ${quoteName(stats.name)} differs from the ${formatInt(siblings.length - 1)} others of its role: ${words} (robust z = ${formatStatistic(score, 3)})`;
        return finding('layer-outlier', message, { file: table.row(tensorId).file, tensor: stats.name, tensorId });
      }),
    );
