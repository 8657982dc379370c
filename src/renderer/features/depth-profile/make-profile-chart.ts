import uPlot from 'uplot';
import { escapeText } from '../../../shared/escape-text.ts';
import { formatStatistic } from '../../../shared/format-number.ts';
import { alignLines, type ProfileLine } from './profile-lines.ts';

/** A point under the pointer. */
export interface ProfileHover {
  readonly line: ProfileLine;
  readonly layer: number;
  readonly value: number;
  readonly id: number;
}

export interface ProfileChartOptions {
  readonly lines: readonly ProfileLine[];
  readonly log: boolean;
  readonly width: number;
  readonly height: number;
  onHover(point: ProfileHover | undefined): void;
  onPick(id: number): void;
}

const FONT = '11px "Segoe UI", -apple-system, "Liberation Sans", Arial, sans-serif';

/** Colours that lines take in turn; after them the same ones dashed. */
const COLOURS = ['--dtype-1', '--dtype-4', '--dtype-2', '--dtype-3', '--chart-edge', '--chart-soft'];

/** Colour and dash of the line at a place, the same in the drawing and the legend. */
export const lineStyle = (at: number): { readonly colour: string; readonly dashed: boolean } => ({
  colour: COLOURS[at % COLOURS.length] ?? '--chart-bar',
  dashed: at >= COLOURS.length,
});

const color = (element: Element, name: string): string => {
  // Tokens that are no registered colours resolve only where they are used.
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  element.append(probe);
  const resolved = getComputedStyle(probe).color;
  probe.remove();
  return resolved;
};

/** Pixels around a point in which it can be hit. */
const REACH = 24;

const pointAt = (chart: uPlot, lines: readonly ProfileLine[]): ProfileHover | undefined => {
  const { left, top } = chart.cursor;
  if (left === undefined || top === undefined || left < 0) {
    return undefined;
  }
  let nearest: ProfileHover | undefined;
  let best = REACH * REACH;
  for (const line of lines) {
    for (const { index, value, id } of line.points) {
      const x = chart.valToPos(index, 'x') - left;
      const y = chart.valToPos(value, 'y') - top;
      if (x * x + y * y < best) {
        best = x * x + y * y;
        nearest = { line, layer: index, value, id };
      }
    }
  }
  return nearest;
};

/** Draws lines over layers into `host`. A click picks the nearest point's tensor. */
export const makeProfileChart = (host: HTMLElement, options: ProfileChartOptions): uPlot => {
  const { lines, log, width, height } = options;
  const { layers, values } = alignLines(lines);
  const axis = {
    stroke: color(host, '--chart-soft'),
    font: FONT,
    grid: { stroke: color(host, '--chart-grid'), width: 1 },
    ticks: { stroke: color(host, '--chart-grid'), width: 1, size: 4 },
  };
  const first = layers[0] ?? 0;
  const last = layers.at(-1) ?? 1;
  const chart = new uPlot(
    {
      width,
      height,
      padding: [8, 12, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
      scales: {
        x: { time: false, range: () => [first - 0.5, last + 0.5] },
        y: log ? { distr: 3 } : {},
      },
      axes: [
        {
          ...axis,
          size: 24,
          gap: 3,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000],
          values: (_chart, splits) => splits.map((split) => (Number.isInteger(split) ? String(split) : '')),
        },
        {
          ...axis,
          size: 62,
          gap: 4,
          values: (_chart, splits) =>
            splits.map((split: number | null) => (split === null ? '' : formatStatistic(split, 3))),
        },
      ],
      series: [
        {},
        ...lines.map(({ label }, at) => {
          const { colour, dashed } = lineStyle(at);
          const stroke = color(host, colour);
          return {
            label: escapeText(label),
            stroke,
            width: 1.5,
            points: { show: true, size: 5, fill: stroke, stroke },
            ...(dashed ? { dash: [4, 3] } : {}),
          };
        }),
      ],
      hooks: { setCursor: [(own) => options.onHover(pointAt(own, lines))] },
    },
    [layers, ...values],
    host,
  );
  chart.over.addEventListener('click', () => {
    const point = pointAt(chart, lines);
    if (point !== undefined) {
      options.onPick(point.id);
    }
  });
  return chart;
};
