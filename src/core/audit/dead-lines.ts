import { type Finding, type FindingCode, finding } from '../../shared/findings.ts';
import { formatInt } from '../../shared/format-number.ts';
import { componentBits, type DtypeInfo, dtypeInfo } from '../dtypes/dtype-table.ts';
import { elementWindow } from '../dtypes/element-window.ts';
import { SMALL_FLOAT_TABLES } from '../dtypes/small-floats.ts';
import { quoteName } from '../quote-name.ts';
import type { ElementChunk } from '../tensor/element-chunks.ts';
import { isComputedBuffer, type TensorFacts } from './tensor-facts.ts';
import { DEAD_LEAST_LINES, EMBEDDING_DEAD_SHARE } from './thresholds.ts';

/** Rows and columns of zeros only. */
export interface DeadLines {
  /** Indexes along the first dimension of more than one element. */
  readonly rows: readonly number[];
  readonly rowCount: number;
  /** Indexes along the second such dimension. */
  readonly columns: readonly number[];
  readonly columnCount: number;
}

/** A tensor seen as a matrix: its first two dimensions of more than one element; the others lie inside an entry. */
export interface MatrixView {
  readonly rows: number;
  readonly columns: number;
  /** Elements of one row and column: 1 of a matrix, the kernel's of a convolution. */
  readonly inner: number;
}

/** How a shape is seen as a matrix; undefined when it is none. */
export const matrixView = (shape: readonly number[]): MatrixView | undefined => {
  const [rows, columns, ...rest] = shape.filter((size) => size !== 1);
  return rows === undefined || columns === undefined || rows === 0 || columns === 0
    ? undefined
    : { rows, columns, inner: rest.reduce((product, size) => product * size, 1) };
};

/** Marks elements that are not zero: a byte each. */
const nonZero = (info: DtypeInfo, bytes: Uint8Array, length: number): Uint8Array => {
  const { buffer, byteOffset } = bytes;
  const marks = new Uint8Array(length);
  switch (componentBits(info)) {
    case 16: {
      const values = new Uint16Array(buffer, byteOffset, length);
      for (let index = 0; index < length; index += 1) {
        marks[index] = ((values[index] ?? 0) & 0x7fff) === 0 ? 0 : 1;
      }
      return marks;
    }
    case 32: {
      const values = new Uint32Array(buffer, byteOffset, length);
      for (let index = 0; index < length; index += 1) {
        marks[index] = ((values[index] ?? 0) & 0x7fffffff) === 0 ? 0 : 1;
      }
      return marks;
    }
    case 64: {
      const words = new Uint32Array(buffer, byteOffset, length * 2);
      for (let index = 0; index < length; index += 1) {
        marks[index] = (((words[index * 2 + 1] ?? 0) & 0x7fffffff) | (words[index * 2] ?? 0)) === 0 ? 0 : 1;
      }
      return marks;
    }
    default: {
      const table = SMALL_FLOAT_TABLES.get(info.name);
      for (let index = 0; index < length; index += 1) {
        marks[index] = table?.[bytes[index] ?? 0] === 0 ? 0 : 1;
      }
      return marks;
    }
  }
};

/** Indexes of lines that are kept to be named. */
const KEPT = 16;

const dead = (alive: Uint8Array): { readonly indexes: number[]; readonly count: number } => {
  const indexes: number[] = [];
  let count = 0;
  alive.forEach((is, index) => {
    if (is === 0) {
      count += 1;
      if (indexes.length < KEPT) {
        indexes.push(index);
      }
    }
  });
  return { indexes, count };
};

/** Finds the rows and columns of zeros only, fed with the elements in row-major order. */
export class DeadLineFinder {
  readonly #info: DtypeInfo;
  readonly #view: MatrixView;
  readonly #rows: Uint8Array;
  readonly #columns: Uint8Array;
  #elements = 0;

  /** @param info a real float dtype of 8 bits or more, or of 4 */
  constructor(info: DtypeInfo, view: MatrixView) {
    this.#info = info;
    this.#view = view;
    this.#rows = new Uint8Array(view.rows);
    this.#columns = new Uint8Array(view.columns);
  }

  add({ bytes, firstElement, count }: ElementChunk): void {
    const window = elementWindow(this.#info.name, bytes, count, { firstElement });
    const marks = nonZero(this.#info, window.bytes, window.length);
    const { columns, inner } = this.#view;
    const entry = Math.floor(this.#elements / inner);
    let column = entry % columns;
    let row = Math.floor(entry / columns);
    let within = this.#elements % inner;
    for (let index = 0; index < marks.length; index += 1) {
      if (marks[index] === 1) {
        this.#rows[row] = 1;
        this.#columns[column] = 1;
      }
      within += 1;
      if (within === inner) {
        within = 0;
        column += 1;
        if (column === columns) {
          column = 0;
          row += 1;
        }
      }
    }
    this.#elements += count;
  }

  get lines(): DeadLines {
    const rows = dead(this.#rows);
    const columns = dead(this.#columns);
    return {
      rows: rows.indexes,
      rowCount: rows.count,
      columns: columns.indexes,
      columnCount: columns.count,
    };
  }
}

/**
 * Whether a tensor may have dead lines, so that looking through it again is worth while: a float matrix with at least as many
 * zeros as a line has elements, and not of zeros only.
 */
export const mayHaveDeadLines = ({ stats }: TensorFacts, shape: readonly number[]): boolean => {
  const view = matrixView(shape);
  const info = dtypeInfo(stats.dtype);
  if (view === undefined || info?.kind !== 'float' || info.bits === 6 || isComputedBuffer(stats.name)) {
    return false;
  }
  const { rows, columns, inner } = view;
  const isLarge = rows >= DEAD_LEAST_LINES && columns >= DEAD_LEAST_LINES;
  return isLarge && stats.zeros < stats.count && stats.zeros >= Math.min(rows, columns) * inner;
};

const EMBEDDING = /(?:embed|wte|wpe|word|token|vocab|lm_head|output_head|shared\.weight$)/i;

const listed = (indexes: readonly number[], count: number): string => {
  const shown = indexes.slice(0, 3).map(formatInt).join(', ');
  return count > 3 ? `${shown} and ${formatInt(count - 3)} more` : shown;
};

/** What a tensor's dead lines give away. An embedding may have rows of zeros for padding and for tokens that do not occur. */
export const deadLineFindings = (
  { tensorId, stats }: TensorFacts,
  lines: DeadLines,
  shape: readonly number[],
  file: string,
): Finding[] => {
  const view = matrixView(shape);
  if (view === undefined) {
    return [];
  }
  const found: Finding[] = [];
  const report = (code: FindingCode, what: string, count: number, of: number, indexes: readonly number[]): void => {
    const message = `tensor ${quoteName(stats.name)} has ${formatInt(count)} of ${formatInt(of)} ${what} all zero: ${listed(indexes, count)}`;
    found.push(finding(code, message, { file, tensor: stats.name, tensorId }));
  };
  const isEmbedding = EMBEDDING.test(stats.name.slice(-200));
  const allowed = isEmbedding ? Math.max(1, view.rows * EMBEDDING_DEAD_SHARE) : 0;
  if (lines.rowCount > allowed) {
    report('dead-rows', 'rows', lines.rowCount, view.rows, lines.rows);
  }
  if (lines.columnCount > 0) {
    report('dead-columns', 'columns', lines.columnCount, view.columns, lines.columns);
  }
  return found;
};
