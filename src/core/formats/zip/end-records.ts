import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { END_RECORD_REACH, MOST_END_RECORDS } from './limits.ts';
import { END_BYTES, END_RECORD, viewOf } from './records.ts';

/** An end-of-central-directory record, as it stands. */
export interface EndRecord {
  /** Its offset in the file. */
  readonly at: number;
  readonly disk: number;
  readonly directoryDisk: number;
  readonly entriesHere: number;
  readonly entries: number;
  readonly bytes: number;
  readonly offset: number;
  readonly commentBytes: number;
}

/** The end records a reader may find, the last one first: PyTorch (miniz) and Python both take the last signature. */
export interface EndRecords {
  readonly records: readonly EndRecord[];
  /** Signatures beyond those looked into. */
  readonly more: number;
}

const parse = (tail: Uint8Array, index: number, tailAt: number): EndRecord => {
  const view = viewOf(tail.subarray(index, index + END_BYTES));
  return {
    at: tailAt + index,
    disk: view.getUint16(4, true),
    directoryDisk: view.getUint16(6, true),
    entriesHere: view.getUint16(8, true),
    entries: view.getUint16(10, true),
    bytes: view.getUint32(12, true),
    offset: view.getUint32(16, true),
    commentBytes: view.getUint16(20, true),
  };
};

/**
 * Finds every end record in the last 65,557 bytes; whole records only, whether or not their comment ends at the file's end.
 *
 * @throws whatever the source's reads throw.
 */
export const findEndRecords = async (source: ByteSource): Promise<EndRecords> => {
  const length = Math.min(source.size, END_RECORD_REACH);
  const tailAt = source.size - length;
  const tail = await readBytes(source, tailAt, length);
  const view = viewOf(tail);
  const records: EndRecord[] = [];
  let more = 0;
  for (let index = length - END_BYTES; index >= 0; index -= 1) {
    if (tail[index] === 0x50 && view.getUint32(index, true) === END_RECORD) {
      if (records.length < MOST_END_RECORDS) {
        records.push(parse(tail, index, tailAt));
      } else {
        more += 1;
      }
    }
  }
  return { records, more };
};

/** Where a record and its comment end, by its own account. */
export const endOf = (record: EndRecord): number => record.at + END_BYTES + record.commentBytes;
