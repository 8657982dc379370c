import type { DtypeShare, TensorStats } from '../../../shared/checkpoint-types.ts';
import { formatInt, formatStatistic } from '../../../shared/format-number.ts';
import type { SeriesPoint } from '../../../shared/layer-series.ts';
import { chartScale, placed } from './chart-scale.ts';
import type { RoleProfile } from './report-types.ts';
import { html, type SafeHtml } from './safe-html.ts';

const WIDTH = 300;
const HEIGHT = 112;
const TOP = 8;
const BOTTOM = HEIGHT - 18;
const LEFT = 54;
const RIGHT = WIDTH - 8;

const short = (value: number): string => formatStatistic(value, 3);

/** Points in a row whose layers follow each other: a line is not drawn across missing layers. */
const runsOf = (points: readonly SeriesPoint[]): SeriesPoint[][] => {
  const runs: SeriesPoint[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    if (run !== undefined && run.at(-1)?.index === point.index - 1) {
      run.push(point);
    } else {
      runs.push([point]);
    }
  }
  return runs;
};

/** Layers drawn at the most; of deeper models every so many. */
const MOST_POINTS = 400;

/** One statistic over the layers, those far from the others marked. */
export const profileChart = ({ points: all, outliers }: RoleProfile): SafeHtml => {
  const every = Math.ceil(all.length / MOST_POINTS);
  const far = new Set(outliers);
  const points = all.filter((point, at) => at % every === 0 || far.has(point.index));
  const low = Math.min(...points.map((point) => point.low));
  const high = Math.max(...points.map((point) => point.high));
  const y = chartScale(low, high, BOTTOM, TOP);
  const first = points[0]?.index ?? 0;
  const last = points.at(-1)?.index ?? 0;
  const xOf = ({ index }: SeriesPoint): string =>
    placed(first === last ? (LEFT + RIGHT) / 2 : LEFT + 4 + ((index - first) / (last - first)) * (RIGHT - LEFT - 8));
  const lines = runsOf(points).map((run) => {
    const places = run.map((point) => `${xOf(point)},${placed(y.place(point.value))}`).join(' ');
    return run.length > 1 ? html`<polyline class="line" points="${places}"/>` : undefined;
  });
  const spreads = points
    .filter((point) => point.low < point.high)
    .map(
      (point) =>
        html`<line class="spread" x1="${xOf(point)}" x2="${xOf(point)}" y1="${placed(y.place(point.low))}" y2="${placed(y.place(point.high))}"/>`,
    );
  const dots = points.map((point) => {
    const isFar = far.has(point.index);
    const shown = point.tensors > 1 ? `${short(point.low)} to ${short(point.high)}` : short(point.value);
    const dot = isFar ? 'far' : 'dot';
    return html`<circle class="${dot}" cx="${xOf(point)}" cy="${placed(y.place(point.value))}" r="${isFar ? 4 : 2}"><title>layer ${point.index}: ${shown}</title></circle>`;
  });
  const label = `root mean square over ${formatInt(all.length)} layers, from ${short(low)} to ${short(high)}`;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${BOTTOM + 4}" y2="${BOTTOM + 4}"/>
<text class="end" x="${LEFT - 6}" y="${TOP + 4}">${short(high)}</text><text class="end" x="${LEFT - 6}" y="${BOTTOM + 2}">${low === high ? '' : short(low)}</text>
<text x="${LEFT}" y="${HEIGHT - 2}">${first}</text><text class="end" x="${RIGHT}" y="${HEIGHT - 2}">layer ${last}</text>
<text class="middle" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 2}">${y.logarithmic ? 'logarithmic' : ''}</text>
${spreads}${lines}${dots}</svg>`;
};

/** A tensor's finite values as bars, counts by their logarithm; undefined when there are none. */
export const histogramChart = ({ histogram, min, max, zeros }: TensorStats): SafeHtml | undefined => {
  if (histogram === undefined || min === undefined || max === undefined) {
    return undefined;
  }
  const { edges, counts } = histogram;
  const most = counts.reduce((top, count) => Math.max(top, count), 1);
  const left = edges[0] ?? 0;
  const right = edges[counts.length] ?? 1;
  const width = (WIDTH - 16) / counts.length;
  const bars: SafeHtml[] = [];
  counts.forEach((count, bin) => {
    if (count > 0) {
      const height = Math.max((Math.log1p(count) / Math.log1p(most)) * (BOTTOM - TOP), 1);
      bars.push(
        html`<rect x="${placed(8 + bin * width)}" y="${placed(BOTTOM - height)}" width="${placed(Math.max(width - 0.4, 0.6))}" height="${placed(height)}"><title>${short(edges[bin] ?? 0)} to ${short(edges[bin + 1] ?? 0)}: ${formatInt(count)}</title></rect>`,
      );
    }
  });
  const zeroAt = left < 0 && right > 0 ? 8 + (-left / (right - left)) * (WIDTH - 16) : undefined;
  const zero =
    zeroAt === undefined
      ? undefined
      : html`<line class="zero" x1="${placed(zeroAt)}" x2="${placed(zeroAt)}" y1="${TOP - 4}" y2="${BOTTOM + 4}"><title>0 (${formatInt(zeros)} values)</title></line>`;
  const label = `histogram from ${formatStatistic(min)} to ${formatStatistic(max)}, logarithmic counts`;
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<line class="axis" x1="8" x2="${WIDTH - 8}" y1="${BOTTOM + 1}" y2="${BOTTOM + 1}"/>${zero}<g class="bars">${bars}</g>
<text x="8" y="${HEIGHT - 2}">${formatStatistic(min, 4)}</text><text class="end" x="${WIDTH - 8}" y="${HEIGHT - 2}">${formatStatistic(max, 4)}</text></svg>`;
};

/** Dtypes drawn with a colour of their own; the rest share the last. */
const COLOURS = 5;

/** The share of each dtype's bytes as one bar. */
export const dtypeBar = (dtypes: readonly DtypeShare[]): SafeHtml => {
  const total = dtypes.reduce((sum, { bytes }) => sum + bytes, 0);
  let at = 0;
  const parts = dtypes.map(({ dtype, bytes }, index) => {
    const width = total === 0 ? 0 : (bytes / total) * 1000;
    const x = at;
    at += width;
    const name = dtype.slice(0, 40);
    return width < 0.5
      ? undefined
      : html`<rect class="dtype-${Math.min(index + 1, COLOURS)}" x="${placed(x)}" y="0" width="${placed(width)}" height="10"><title>${name}</title></rect>`;
  });
  return html`<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="share of bytes by dtype">${parts}</svg>`;
};
