import type { Int } from './checkpoint-types.ts';

const GROUPS = /\B(?=(\d{3})+(?!\d))/g;

/** An integer with thousands separators: `4,932,308,256`. */
export const formatInt = (value: Int): string => value.toString().replace(GROUPS, ',');

const scaled = (value: number, units: readonly string[], step: number): string => {
  let unit = 0;
  let rest = value;
  while (rest >= step && unit < units.length - 1) {
    rest /= step;
    unit += 1;
  }
  const digits = unit === 0 || rest >= 99.95 ? 0 : 1;
  const text = rest.toFixed(digits);
  // 999.96 k rounds up to the next unit.
  return Number(text) >= step && unit < units.length - 1
    ? `1.0 ${units[unit + 1]}`
    : `${text} ${units[unit]}`.trimEnd();
};

/** Bytes in decimal units, as file managers and model hubs count: `536 MB`, `4.9 GB`, `87 B`. */
export const formatBytes = (bytes: number): string => scaled(bytes, ['B', 'kB', 'MB', 'GB', 'TB', 'PB'], 1000);

/** A parameter count in short: `268 M`, `1.3 B` (billions), `512`. */
export const formatParameters = (count: Int): string => scaled(Number(count), ['', 'k', 'M', 'B', 'T'], 1000);

const F32_MIN_NORMAL = 2 ** -126;

/** The decimal of `digits` digits next to the one nearest to `value`, away from zero (`by` 1) or towards it (−1). */
const neighbour = (value: number, digits: number, by: number): number => {
  const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
  const whole = Number(mantissa.replace('.', '')) + by * Math.sign(value);
  return Number(`${whole}e${Number(exponent) - digits + 1}`);
};

/** Whether `value` lies exactly between two decimals of `digits` digits of which the nearest one, as rounded, is odd. */
const isOddTie = (value: number, digits: number): boolean => {
  const [mantissa = ''] = value.toExponential(digits).split('e');
  if (!mantissa.endsWith('5')) {
    return false;
  }
  const [exact = ''] = value.toExponential(60).split('e');
  const [rounded = ''] = value.toExponential(digits - 1).split('e');
  return /^0*$/.test(exact.slice(mantissa.length)) && /[13579]$/.test(rounded);
};

/**
 * A decimal of `digits` digits that reads back as the same float32, the nearest one, of two equally near the even one (as
 * numpy and Ryu choose); undefined when there is none.
 */
const decimalOf = (value: number, digits: number): number | undefined => {
  const nearest = Number(value.toPrecision(digits));
  if (Math.fround(nearest) === value) {
    const even = isOddTie(value, digits) ? neighbour(value, digits, -1) : nearest;
    return Math.fround(even) === value ? even : nearest;
  }
  // The gap above a power of two is twice that below it, so the farther decimal may be the one that fits.
  const above = Number.isInteger(Math.log2(Math.abs(value))) ? neighbour(value, digits, 1) : nearest;
  return Math.fround(above) === value ? above : undefined;
};

/**
 * The shortest decimal text that reads back as the same float32: `0.1`, not `0.10000000149011612`.
 *
 * Float32 subnormals have fewer bits than their shortest text suggests (1e-45 is really 1.401298464324817e-45), so those
 * keep their exact f64 text. `value` must be exactly representable as float32.
 */
export const formatFloat32 = (value: number): string => {
  if (!Number.isFinite(value) || value === 0 || Math.abs(value) < F32_MIN_NORMAL) {
    return formatFloat64(value);
  }
  // 9 significant digits always suffice to tell float32 values apart.
  for (let digits = 1; digits <= 9; digits += 1) {
    const shorter = decimalOf(value, digits);
    if (shorter !== undefined) {
      return formatFloat64(shorter);
    }
  }
  return formatFloat64(value);
};

/** Exact shortest text of an f64, with `NaN`, `Inf`, `-Inf` and `-0` spelled out. */
export const formatFloat64 = (value: number): string => {
  if (Number.isNaN(value)) {
    return 'NaN';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? 'Inf' : '-Inf';
  }
  return Object.is(value, -0) ? '-0' : value.toString();
};

/**
 * A statistic to `digits` significant digits, for tables, never for exports. Integers that an f64 holds exactly keep all of
 * theirs; a number that was rounded never looks like an exact integer (`9.2234e+18`).
 */
export const formatStatistic = (value: Int | undefined, digits = 5): string => {
  if (value === undefined) {
    return '–';
  }
  if (typeof value === 'bigint' || Number.isSafeInteger(value) || !Number.isFinite(value)) {
    return typeof value === 'bigint' ? value.toString() : formatFloat64(value);
  }
  const rounded = value.toPrecision(digits);
  return rounded.includes('e') ? Number(rounded).toExponential() : Number(rounded).toString();
};
