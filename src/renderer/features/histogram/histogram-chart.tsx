import { type JSX, useEffect, useMemo, useRef, useState } from 'react';
import type { Histogram } from '../../../shared/checkpoint-types.ts';
import { formatInt, formatStatistic } from '../../../shared/format-number.ts';
import { useResolvedTheme } from '../../theme/use-theme.ts';
import { useSize } from '../../widgets/use-size.ts';
import { percent } from '../tree/dtype-mix.ts';
import { type Bar, layOutBars, type NonFinite } from './chart-geometry.ts';
import { type Mark, makeChart } from './make-chart.ts';
import './histogram.css';

const HEIGHT = 190;
/** Pixels beside the plotting area: the count axis and the right margin. */
const AXIS = 54;

const barText = (bar: Bar, total: number): string => {
  const share =
    total > 0 && bar.count > 0 && bar.count / total >= 0.01 ? percent(bar.count, total) : shareText(bar.count, total);
  const where = bar.kind === 'bin' ? `${formatStatistic(bar.from)} to ${formatStatistic(bar.to)}` : bar.label;
  return `${where}: ${formatInt(bar.count)} (${share})`;
};

/** Small shares keep two significant digits: `0.0042 %`. */
const shareText = (part: number, whole: number): string =>
  part === 0 || whole === 0 ? '0 %' : `${Number(((part / whole) * 100).toPrecision(2))} %`;

/** The same bars as a table, for screen readers and tests. */
const BarTable = ({ bars, total }: { readonly bars: readonly Bar[]; readonly total: number }): JSX.Element => (
  <table className="visually-hidden" data-testid="histogram-bars">
    <caption>Histogram bars</caption>
    <tbody>
      {bars
        .filter(({ count }) => count > 0)
        .map((bar) => (
          <tr
            key={`${bar.kind}${bar.from}`}
            data-kind={bar.kind}
            data-from={bar.from}
            data-to={bar.to}
            data-count={bar.count}
          >
            <th scope="row">
              {bar.kind === 'bin' ? `${formatStatistic(bar.from)} to ${formatStatistic(bar.to)}` : bar.label}
            </th>
            <td>{bar.count}</td>
            <td>{shareText(bar.count, total)}</td>
          </tr>
        ))}
    </tbody>
  </table>
);

/** Draws a histogram: bars, non-finite kinds apart, mean, median and ±1σ; hover reads a bar, dragging picks a range. */
export const HistogramChart = ({
  histogram,
  nonFinite,
  marks,
  total,
  log,
  onRange,
}: {
  readonly histogram: Histogram;
  readonly nonFinite: NonFinite;
  readonly marks: readonly Mark[];
  /** All elements, finite or not. */
  readonly total: number;
  readonly log: boolean;
  onRange(low: number, high: number): void;
}): JSX.Element => {
  const host = useRef<HTMLDivElement>(null);
  const { width } = useSize(host);
  const theme = useResolvedTheme();
  const [hovered, setHovered] = useState<Bar | undefined>(undefined);
  const { negInf, posInf, nan } = nonFinite;
  const layout = useMemo(
    () => layOutBars(histogram, { negInf, posInf, nan }, width - AXIS),
    [histogram, negInf, posInf, nan, width],
  );
  const latest = useRef(onRange);
  latest.current = onRange;

  useEffect(() => {
    const element = host.current;
    if (element === null || width === 0) {
      return undefined;
    }
    // The canvas keeps the colours it was drawn with, so a new theme means a new drawing.
    void theme;
    const chart = makeChart(element, {
      layout,
      marks,
      log,
      width,
      height: HEIGHT,
      onHover: setHovered,
      onRange: (low, high) => latest.current(low, high),
    });
    return () => chart.destroy();
  }, [layout, marks, log, width, theme]);

  const { edges, counts, below, above, exact } = histogram;
  const binWidth = ((edges[edges.length - 1] ?? 0) - (edges[0] ?? 0)) / counts.length;
  const outside = below + above === 0 ? '' : ` · ${formatInt(below)} below, ${formatInt(above)} above`;
  const summary = `${counts.length} bins of ${formatStatistic(binWidth, 3)}${outside}${exact ? '' : ' · approximate'}`;
  const inside = counts.reduce((sum, count) => sum + count, 0);
  return (
    <figure className="histogram">
      <div
        ref={host}
        className="histogram-plot"
        role="img"
        aria-label={`Histogram of ${formatInt(inside)} values from ${formatStatistic(edges[0])} to ${formatStatistic(edges[edges.length - 1])}; ${summary}`}
        data-testid="histogram"
        data-bins={counts.length}
        data-inside={inside}
      />
      <figcaption className="histogram-readout">{hovered === undefined ? summary : barText(hovered, total)}</figcaption>
      <BarTable bars={layout.bars} total={total} />
    </figure>
  );
};
