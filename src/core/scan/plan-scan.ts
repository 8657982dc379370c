import { dtypeInfo } from '../dtypes/dtype-table.ts';
import { elementsPerGroup } from '../tensor/plan-reads.ts';
import { oneRow, type TensorTable, type TensorTableData } from '../tensor/tensor-table.ts';

/** A stretch of one tensor's bytes, whole elements: what is scanned without a pause. */
export interface ScanPiece {
  readonly tensorId: number;
  readonly name: string;
  readonly dtype: string;
  /** Index into the table's files. */
  readonly file: number;
  /** Absolute byte range. */
  readonly begin: number;
  readonly bytes: number;
  /** How many pieces the tensor was cut into. */
  readonly pieces: number;
  /** Of a view: the tensor as a table of one row, for its elements do not fill the range in order. */
  readonly view?: TensorTableData;
}

/** Pieces that go to a worker together. */
export interface ScanTask {
  readonly pieces: readonly ScanPiece[];
  readonly bytes: number;
}

/** Longest piece, in bytes: long enough that handing it out costs nothing, short enough to balance two workers. */
const PIECE_BYTES = 32 * 1024 * 1024;
/** Small tensors are handed out together until they come to this many bytes or pieces. */
const BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_PIECES = 256;

const pieceOf = (table: TensorTable, id: number) => ({
  tensorId: id,
  name: table.name(id),
  dtype: table.dtype(id),
  file: table.data.fileOf[id] ?? 0,
});

/** Pieces of one tensor, each of whole elements; an empty tensor is one piece of 0 bytes. */
const piecesOf = (table: TensorTable, id: number): ScanPiece[] => {
  const [begin, end] = table.range(id) ?? [0, 0];
  if (table.strided(id) !== undefined) {
    return [{ ...pieceOf(table, id), begin, bytes: end - begin, pieces: 1, view: oneRow(table, id) }];
  }
  const bits = dtypeInfo(table.dtype(id))?.bits ?? 8;
  const groupBytes = (elementsPerGroup(bits) * bits) / 8;
  const most = Math.floor(PIECE_BYTES / groupBytes) * groupBytes;
  const total = end - begin;
  const pieces = Math.max(Math.ceil(total / most), 1);
  return Array.from({ length: pieces }, (_, index) => ({
    ...pieceOf(table, id),
    begin: begin + index * most,
    bytes: Math.min(most, total - index * most),
    pieces,
  }));
};

/**
 * Plans a scan: large tensors are cut into pieces, small ones put together, in the given order, one file a task.
 *
 * @param ids rows whose values can be decoded.
 */
export function* planScan(table: TensorTable, ids: Iterable<number>): Generator<ScanTask> {
  let pieces: ScanPiece[] = [];
  let bytes = 0;
  const flush = (): ScanTask => {
    const task = { pieces, bytes };
    pieces = [];
    bytes = 0;
    return task;
  };
  for (const id of ids) {
    for (const piece of piecesOf(table, id)) {
      const full = bytes + piece.bytes > BATCH_BYTES || pieces.length >= BATCH_PIECES;
      if (pieces.length > 0 && (full || pieces[0]?.file !== piece.file)) {
        yield flush();
      }
      pieces.push(piece);
      bytes += piece.bytes;
    }
  }
  if (pieces.length > 0) {
    yield flush();
  }
}
