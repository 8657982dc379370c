import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { formatFloat64 } from '../../../shared/format-number.ts';
import { strictJson } from '../../../shared/strict-json.ts';
import { numbersJson, rowJson } from '../../../shared/tensor-forms.ts';
import type { TensorNumbers } from '../../state/tensor-numbers.ts';

/** Puts text on the clipboard, exactly as it is. @throws Error when the browser refuses. */
export const writeClipboard = async (text: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // No permission, or no focus: the older way still works from a key or a click.
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'visually-hidden';
    document.body.append(area);
    area.select();
    const copied = document.execCommand('copy');
    area.remove();
    if (!copied) {
      throw new Error('the browser does not allow this page to use the clipboard');
    }
  }
};

/** One tensor as `loupe tensors --json` prints it, with its statistics, when they are known, as `loupe stats --json` does. */
export const tensorJson = (row: TensorRow, numbers: TensorNumbers | undefined): string =>
  strictJson({ ...rowJson(row), stats: numbers === undefined ? undefined : numbersJson(numbers) });

const TSV_COLUMNS = 'name\tdtype\tshape\tparameters\tbytes\toffset\tmin\tmax\tmean\tstd\tzeros\tnan';

const cell = (value: unknown): string => {
  const text = typeof value === 'number' ? formatFloat64(value) : value === undefined ? '' : String(value);
  // A tab or line break inside a name would break the table; such names are quoted as spreadsheets expect.
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Rows as tab-separated text with a header line, for spreadsheets. Numbers are exact. */
export const tensorsTsv = (rows: readonly TensorRow[], numbers: ReadonlyMap<number, TensorNumbers>): string =>
  [
    TSV_COLUMNS,
    ...rows.map((row) => {
      const known = numbers.get(row.id);
      const values = [row.name, row.dtype, `[${row.shape.join(', ')}]`, row.parameters, row.bytes, row.offset];
      return [...values, known?.min, known?.max, known?.mean, known?.std, known?.zeros, known?.nan]
        .map(cell)
        .join('\t');
    }),
  ].join('\n');
