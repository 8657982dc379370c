import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { type LayerRole, layerRoles } from '../../../shared/layer-roles.ts';
import { layerSeries, type SeriesPoint } from '../../../shared/layer-series.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';

/** Statistics that can be drawn over depth, in the order of the menu. */
export const PROFILE_STATISTICS = ['rms', 'std', 'mean', 'min', 'max', 'zeros', 'nan'] as const;
export type ProfileStatistic = (typeof PROFILE_STATISTICS)[number];

export const STATISTIC_NAMES: Readonly<Record<ProfileStatistic, string>> = {
  rms: 'root mean square',
  std: 'standard deviation',
  mean: 'mean',
  min: 'min',
  max: 'max',
  zeros: 'share of zeros',
  nan: 'NaN and infinities',
};

/** Lines drawn at once: more cannot be told apart. */
export const MOST_LINES = 12;

/** A role with what it weighs. */
export interface ProfileRole {
  readonly role: LayerRole;
  readonly parameters: number;
}

/** One role over the layers. */
export interface ProfileLine {
  /** Raw text from the file. */
  readonly label: string;
  readonly points: readonly SeriesPoint[];
}

/** A statistic of one tensor; undefined where it has none. */
export const statisticOf = (numbers: TensorNumbers | undefined, statistic: ProfileStatistic): number | undefined => {
  if (numbers === undefined) {
    return undefined;
  }
  const { count, nan, posInf, negInf, zeros, mean, std } = numbers;
  switch (statistic) {
    case 'rms':
      return mean === undefined || std === undefined ? undefined : Math.hypot(mean, std);
    case 'zeros':
      return count === 0 ? undefined : zeros / count;
    case 'nan':
      return nan + posInf + negInf;
    default: {
      const value = numbers[statistic];
      return value === undefined ? undefined : Number(value);
    }
  }
};

/** Roles of a checkpoint by descending parameters. Reads every name: to be done once for a list of rows. */
export const profileRoles = (rows: readonly TensorRow[]): readonly ProfileRole[] =>
  layerRoles(rows.length, (id) => rows[id]?.name ?? '')
    .map((role) => ({
      role,
      parameters: role.members.reduce((sum, { id }) => sum + Number(rows[id]?.parameters ?? 0), 0),
    }))
    .sort((a, b) => b.parameters - a.parameters || (a.role.label < b.role.label ? -1 : 1));

/** The lines of some roles, as far as they have been scanned. */
export const profileLines = (
  roles: readonly ProfileRole[],
  numbers: ReadonlyMap<number, TensorNumbers>,
  statistic: ProfileStatistic,
): readonly ProfileLine[] =>
  roles.map(({ role }) => ({
    label: role.label,
    points: layerSeries(role, (id) => statisticOf(numbers.get(id), statistic)),
  }));

/** Lines on one axis of layers, for uPlot: null where a line has nothing, and between layers that are not neighbours. */
export const alignLines = (
  lines: readonly ProfileLine[],
): { readonly layers: number[]; readonly values: (number | null)[][] } => {
  const present = [...new Set(lines.flatMap(({ points }) => points.map(({ index }) => index)))].sort((a, b) => a - b);
  // One empty place after each gap keeps a line from being drawn across missing layers.
  const layers = present.flatMap((layer, at) => {
    const before = present[at - 1];
    return before !== undefined && layer > before + 1 ? [before + 1, layer] : [layer];
  });
  const values = lines.map(({ points }) => {
    const byLayer = new Map(points.map(({ index, value }) => [index, value]));
    return layers.map((layer) => byLayer.get(layer) ?? null);
  });
  return { layers, values };
};
