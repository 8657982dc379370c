import type { Int } from '../../../shared/checkpoint-types.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import type { EndRecord } from './end-records.ts';
import {
  FULL_16,
  FULL_32,
  LOCATOR_BYTES,
  type Report,
  u64,
  viewOf,
  ZIP64_END_BYTES,
  ZIP64_END_RECORD,
  ZIP64_LOCATOR,
} from './records.ts';

/** A zip64 end record, as it stands. Torch writes one into every archive (FORMATS.md 2.2). */
export interface Zip64End {
  readonly at: number;
  /** Where its locator says it is; that much less than `at` as there are bytes in front of the archive. */
  readonly pointed: Int;
  readonly disk: number;
  readonly directoryDisk: number;
  readonly entriesHere: Int;
  readonly entries: Int;
  readonly bytes: Int;
  readonly offset: Int;
}

const readRecord = async (source: ByteSource, at: number): Promise<DataView | undefined> => {
  const view = viewOf(await readBytes(source, at, ZIP64_END_BYTES));
  return view.getUint32(0, true) === ZIP64_END_RECORD ? view : undefined;
};

/**
 * The zip64 end record that the locator right in front of an end record points to, if there is one. Where bytes precede
 * the archive the pointer is off by as many, and the record is looked for right in front of its locator, as Python does.
 *
 * @throws whatever the source's reads throw.
 */
export const readZip64End = async (
  source: ByteSource,
  end: EndRecord,
  report: Report,
): Promise<Zip64End | undefined> => {
  const locatorAt = end.at - LOCATOR_BYTES;
  const latest = locatorAt - ZIP64_END_BYTES;
  const locator = locatorAt < 0 ? undefined : viewOf(await readBytes(source, locatorAt, LOCATOR_BYTES));
  if (locator?.getUint32(0, true) !== ZIP64_LOCATOR) {
    return undefined;
  }
  const pointed = u64(locator, 8);
  const disks = locator.getUint32(16, true);
  if (locator.getUint32(4, true) !== 0 || disks > 1) {
    report('zip-directory-disagrees', `the zip64 locator speaks of ${formatInt(disks)} disks`, locatorAt);
  }
  const there = pointed <= latest ? await readRecord(source, Number(pointed)) : undefined;
  const before = there !== undefined || latest < 0 ? undefined : await readRecord(source, latest);
  const view = there ?? before;
  if (view === undefined) {
    const message = `the zip64 locator points to offset ${formatInt(pointed)}, where there is no zip64 end record`;
    report('zip-directory-disagrees', message, locatorAt);
    return undefined;
  }
  const at = there === undefined ? latest : Number(pointed);
  const recordEnd = Number(u64(view, 4)) + 12 + at;
  if (recordEnd !== locatorAt) {
    const message = `the zip64 end record at offset ${formatInt(at)} ends at ${formatInt(recordEnd)} by its own length, its locator begins at ${formatInt(locatorAt)}`;
    report('zip-directory-disagrees', message, at);
  }
  return {
    at,
    pointed,
    disk: view.getUint32(16, true),
    directoryDisk: view.getUint32(20, true),
    entriesHere: u64(view, 24),
    entries: u64(view, 32),
    bytes: u64(view, 40),
    offset: u64(view, 48),
  };
};

/** Reports every field in which the two end records differ without the classic one deferring to the other. */
export const compareEnds = (end: EndRecord, wide: Zip64End, report: Report): void => {
  const pairs: readonly (readonly [what: string, classic: number, wide: Int, defers: number])[] = [
    ['disk number', end.disk, wide.disk, FULL_16],
    ['disk of the directory', end.directoryDisk, wide.directoryDisk, FULL_16],
    ['entries on this disk', end.entriesHere, wide.entriesHere, FULL_16],
    ['entries', end.entries, wide.entries, FULL_16],
    ["directory's size", end.bytes, wide.bytes, FULL_32],
    ["directory's offset", end.offset, wide.offset, FULL_32],
  ];
  for (const [what, classic, other, defers] of pairs) {
    if (classic !== defers && classic !== other) {
      const message = `${what}: the end record says ${formatInt(classic)}, the zip64 end record ${formatInt(other)}`;
      report('zip-directory-disagrees', message, end.at);
    }
  }
};
