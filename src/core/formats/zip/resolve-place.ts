import type { Int } from '../../../shared/checkpoint-types.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import type { EndRecord } from './end-records.ts';
import { CENTRAL_BYTES, CENTRAL_HEADER, type Report, viewOf } from './records.ts';
import type { DirectoryPlace } from './zip-types.ts';
import { compareEnds, readZip64End } from './zip64-end.ts';

/** What an end record leads to. */
export interface Resolved {
  /** A directory begins here, or an empty one lies here; undefined when nothing does. */
  readonly place: DirectoryPlace | undefined;
  /** Other directories the same record leads to, for a reader that takes other fields. */
  readonly others: readonly DirectoryPlace[];
}

/** What a directory is said to be, and where it must end. */
interface Claim {
  readonly offset: number;
  readonly bytes: number;
  readonly entries: number;
  readonly limit: number;
}

const isDirectory = async (source: ByteSource, begin: number, limit: number): Promise<boolean> =>
  begin >= 0 &&
  begin <= limit - CENTRAL_BYTES &&
  viewOf(await readBytes(source, begin, 4)).getUint32(0, true) === CENTRAL_HEADER;

const placeOf = (endRecord: number, begin: number, shift: number, claim: Claim): DirectoryPlace => ({
  endRecord,
  begin,
  // Compared, not added: both numbers are the file's.
  end: claim.bytes > claim.limit - begin ? claim.limit : begin + claim.bytes,
  shift,
  entries: claim.entries,
});

/** The places at which a claimed directory really begins: as told, and right in front of its end record. */
const placesOf = async (source: ByteSource, endRecord: number, claim: Claim): Promise<readonly DirectoryPlace[]> => {
  const { offset, bytes, entries, limit } = claim;
  const before = limit - bytes;
  if (bytes === 0 && entries === 0 && offset <= limit) {
    return [placeOf(endRecord, limit, limit - offset, claim)];
  }
  const places: DirectoryPlace[] = [];
  if (await isDirectory(source, offset, limit)) {
    places.push(placeOf(endRecord, offset, 0, claim));
  }
  if (before !== offset && before >= offset && (await isDirectory(source, before, limit))) {
    places.push(placeOf(endRecord, before, before - offset, claim));
  }
  return places;
};

const reportPlaces = (claim: Claim, places: readonly DirectoryPlace[], report: Report, at: number): void => {
  const { offset, bytes, limit } = claim;
  const told = `${formatInt(bytes)} bytes at offset ${formatInt(offset)}`;
  const [first, second] = places;
  if (first === undefined) {
    report('zip-directory-disagrees', `the end record tells of a directory of ${told}; none begins there`, at);
  } else if (second !== undefined) {
    const both = `${formatInt(first.begin)} and at ${formatInt(second.begin)}`;
    report('zip-directory-disagrees', `directories begin at offset ${both}; loaders differ on which counts`, at);
  } else if (first.shift === 0 && bytes !== limit - offset) {
    const message = `the end record tells of a directory of ${told}, which would have to end at ${formatInt(limit)}`;
    report('zip-directory-disagrees', message, at);
  }
};

/**
 * Follows an end record, and the zip64 one where there is one, to the directory. Numbers of the zip64 record count, as
 * for PyTorch and Python; every disagreement is reported.
 *
 * @throws whatever the source's reads throw.
 */
export const resolvePlace = async (source: ByteSource, end: EndRecord, report: Report): Promise<Resolved> => {
  const wide = await readZip64End(source, end, report);
  if (wide !== undefined) {
    compareEnds(end, wide, report);
  }
  const { disk, directoryDisk, entriesHere, entries, bytes, offset } = wide ?? end;
  if (disk !== 0 || directoryDisk !== 0 || entriesHere !== entries) {
    const message = `the archive is said to be one of several disks: disk ${disk}, directory on disk ${directoryDisk}, ${formatInt(entriesHere)} of ${formatInt(entries)} entries here`;
    report('zip-directory-disagrees', message, wide?.at ?? end.at);
  }
  const limit = wide?.at ?? end.at;
  const claim: Claim = { offset: Number(offset), bytes: Number(bytes), entries: Number(entries), limit };
  const places = await placesOf(source, end.at, claim);
  reportPlaces(claim, places, report, limit);
  const classic = await classicPlaces(source, end, offset, limit);
  const [place, ...others] = [...places, ...classic];
  const shift = place?.shift ?? 0;
  if (wide !== undefined && wide.pointed !== wide.at - shift) {
    const message = `the zip64 end record lies at offset ${formatInt(wide.at)}, its locator says ${formatInt(wide.pointed)}`;
    report('zip-directory-disagrees', message, wide.at);
  }
  return { place, others: others.filter(({ begin }) => begin !== place?.begin) };
};

/** Where a reader without zip64 looks, if that is somewhere else. */
const classicPlaces = async (
  source: ByteSource,
  end: EndRecord,
  offset: Int,
  limit: number,
): Promise<readonly DirectoryPlace[]> =>
  end.offset === offset || end.bytes === 0
    ? []
    : placesOf(source, end.at, { offset: end.offset, bytes: end.bytes, entries: end.entries, limit });
