import uPlot from 'uplot';
import { formatStatistic } from '../../../shared/format-number.ts';
import type { Bar, layOutBars } from './chart-geometry.ts';

/** A vertical mark on the chart. */
export interface Mark {
  readonly value: number;
  readonly kind: 'mean' | 'median' | 'sigma';
}

export interface ChartOptions {
  readonly layout: ReturnType<typeof layOutBars>;
  readonly marks: readonly Mark[];
  readonly log: boolean;
  readonly width: number;
  readonly height: number;
  /** The bar under the pointer, or undefined. */
  onHover(bar: Bar | undefined): void;
  /** A range was dragged out, clipped to the finite values. */
  onRange(low: number, high: number): void;
}

const FONT = '11px "Segoe UI", -apple-system, "Liberation Sans", Arial, sans-serif';

const color = (element: Element, name: string): string => getComputedStyle(element).getPropertyValue(name);

const shortCount = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

const drawBars = (chart: uPlot, { layout, log }: ChartOptions): void => {
  const { ctx, bbox } = chart;
  const dpr = devicePixelRatio;
  const base = bbox.top + bbox.height;
  ctx.save();
  ctx.font = `${11 * dpr}px sans-serif`;
  ctx.textAlign = 'center';
  for (const bar of layout.bars) {
    if (bar.count <= 0) {
      continue;
    }
    const left = chart.valToPos(bar.from, 'x', true);
    const right = chart.valToPos(bar.to, 'x', true);
    // A bar that holds anything can be seen: a single outlier must not vanish, nor a single NaN.
    const least = bar.kind === 'bin' ? 1 : 3;
    const top = Math.min(base - least * dpr, chart.valToPos(log ? Math.max(1, bar.count) : bar.count, 'y', true));
    const gap = right - left > 4 * dpr ? dpr : 0;
    ctx.fillStyle = color(chart.root, bar.kind === 'bin' ? '--chart-bar' : '--chart-edge');
    ctx.fillRect(left, top, Math.max(1, right - left - gap), base - top);
    if (bar.kind !== 'bin') {
      ctx.fillStyle = color(chart.root, '--chart-soft');
      ctx.fillText(bar.label, (left + right) / 2, base + 16 * dpr);
    }
  }
  ctx.restore();
};

const drawMarks = (chart: uPlot, { layout, marks }: ChartOptions): void => {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  for (const { value, kind } of marks) {
    if (value < layout.low || value > layout.high) {
      continue;
    }
    const x = Math.round(chart.valToPos(value, 'x', true)) + 0.5;
    ctx.strokeStyle = color(chart.root, kind === 'sigma' ? '--chart-soft' : '--chart-mark');
    ctx.setLineDash(kind === 'mean' ? [] : kind === 'median' ? [4, 3] : [1, 3]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
};

const barAt = (chart: uPlot, { layout }: ChartOptions): Bar | undefined => {
  const { left } = chart.cursor;
  if (left === undefined || left < 0) {
    return undefined;
  }
  const value = chart.posToVal(left, 'x');
  return layout.bars.find((bar) => value >= bar.from && value <= bar.to);
};

const DRAG_LIMIT = 4;

const dragged = (chart: uPlot, { layout, onRange }: ChartOptions): void => {
  const { left, width } = chart.select;
  if (width >= DRAG_LIMIT) {
    const low = Math.max(layout.low, chart.posToVal(left, 'x'));
    const high = Math.min(layout.high, chart.posToVal(left + width, 'x'));
    if (low < high) {
      onRange(low, high);
    }
  }
  chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
};

/** Draws a histogram into `host` with uPlot. Call `destroy()` of the result to take it away. */
export const makeChart = (host: HTMLElement, options: ChartOptions): uPlot => {
  const { layout, log, width, height } = options;
  const highest = layout.bars.reduce((top, { count }) => Math.max(top, count), 1);
  const axis = {
    stroke: () => color(host, '--chart-soft'),
    font: FONT,
    grid: { stroke: () => color(host, '--chart-grid'), width: 1 },
    ticks: { stroke: () => color(host, '--chart-grid'), width: 1, size: 4 },
  };
  return new uPlot(
    {
      width,
      height,
      padding: [8, 10, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, setScale: false } },
      scales: {
        x: { time: false, range: () => [layout.from, layout.to] },
        y: log ? { distr: 3, range: () => [0.5, highest * 1.6] } : { range: () => [0, highest * 1.06] },
      },
      axes: [
        {
          ...axis,
          size: 24,
          gap: 3,
          space: 50,
          filter: (_chart, splits) =>
            splits.map((split) => (split !== null && split >= layout.low && split <= layout.high ? split : null)),
          values: (_chart, splits) =>
            splits.map((split: number | null) => (split === null ? '' : formatStatistic(split, 4))),
        },
        {
          ...axis,
          size: 44,
          gap: 4,
          space: 28,
          values: (_chart, splits) =>
            splits.map((split: number | null) =>
              split === null || (split > 0 && split < 1) ? '' : shortCount.format(split),
            ),
        },
      ],
      series: [{}, { paths: () => null, points: { show: false } }],
      hooks: {
        draw: [(chart) => drawBars(chart, options), (chart) => drawMarks(chart, options)],
        setCursor: [(chart) => options.onHover(barAt(chart, options))],
        setSelect: [(chart) => dragged(chart, options)],
      },
    },
    [layout.bars.map(({ from, to }) => (from + to) / 2), layout.bars.map(({ count }) => (count > 0 ? count : null))],
    host,
  );
};
