import type { LayerRole } from './layer-roles.ts';

/** What one layer has of a statistic. */
export interface SeriesPoint {
  readonly index: number;
  readonly value: number;
  /** The tensor it belongs to: of several in the layer (experts) the middle one, so that the number is a real tensor's. */
  readonly id: number;
  /** The smallest and largest of the layer's tensors; both `value` when there is one. */
  readonly low: number;
  readonly high: number;
  /** How many of the layer's tensors have the statistic. */
  readonly tensors: number;
}

/**
 * One statistic over the depth of a model, ascending by layer. Layers without a finite value are left out.
 *
 * @param statistic that of a tensor, by the id it has in the role; undefined while it is not known
 */
export const layerSeries = (role: LayerRole, statistic: (id: number) => number | undefined): readonly SeriesPoint[] => {
  const points: SeriesPoint[] = [];
  const { members } = role;
  for (let from = 0; from < members.length; ) {
    const index = members[from]?.index ?? 0;
    const known: { id: number; value: number }[] = [];
    let to = from;
    for (; members[to]?.index === index; to += 1) {
      const id = members[to]?.id ?? 0;
      const value = statistic(id);
      if (value !== undefined && Number.isFinite(value)) {
        known.push({ id, value });
      }
    }
    known.sort((a, b) => a.value - b.value || a.id - b.id);
    const middle = known[(known.length - 1) >>> 1];
    if (middle !== undefined) {
      const low = known[0]?.value ?? middle.value;
      const high = known.at(-1)?.value ?? middle.value;
      points.push({ index, ...middle, low, high, tensors: known.length });
    }
    from = to;
  }
  return points;
};
