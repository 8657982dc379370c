import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { escapeText } from '../../../shared/escape-text.ts';

/** Shares of the dtypes by bytes, largest first: `BF16 98 %, F32 2 %`. */
export const dtypeMix = (rows: readonly TensorRow[]): string => {
  const bytes = new Map<string, number>();
  let total = 0;
  for (const row of rows) {
    const size = row.bytes ?? 0;
    bytes.set(row.dtype, (bytes.get(row.dtype) ?? 0) + size);
    total += size;
  }
  return [...bytes]
    .sort((a, b) => b[1] - a[1])
    .map(([dtype, size]) => (dtype === '' ? 'some absent' : `${escapeText(dtype)} ${percent(size, total)}`))
    .join(', ');
};

/** A share in words: `98 %`, `< 1 %`, `0 %`. */
export const percent = (part: number, whole: number): string => {
  if (part === 0 || whole === 0) {
    return '0 %';
  }
  const share = (part / whole) * 100;
  return share < 1 ? '< 1 %' : share > 99 && share < 100 ? '> 99 %' : `${Math.round(share)} %`;
};
