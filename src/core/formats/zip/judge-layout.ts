import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { quoteName } from '../../quote-name.ts';
import type { CentralEntry, MemberDraft } from './central-directory.ts';
import { STREAMED } from './compare-headers.ts';
import { DESCRIPTOR_REACH, readDescriptor } from './data-descriptor.ts';
import type { LocalHeaders } from './local-headers.ts';
import { LOCAL_BYTES, type Report } from './records.ts';
import type { ByteRange, DirectoryPlace } from './zip-types.ts';

/** Bytes from the first local header to the directory, as the members cover them. */
export interface Layout {
  /** Bytes in front of the first local header (of the directory, in an empty archive). */
  readonly prefix: ByteRange;
  /** Bytes between members, and between the last one and the directory, that are neither. */
  readonly between: readonly ByteRange[];
}

const range = (begin: number, end: number): string => `[${formatInt(begin)}, ${formatInt(end)})`;

/** Where a member ends, without its data descriptor; a header whose payload cannot be placed is itself at least. */
const endOf = (member: MemberDraft): number => member.payload?.end ?? member.header + LOCAL_BYTES;

const isStreamed = (local: LocalHeaders, index: number): boolean =>
  (((local.flags[index] ?? 0) | (local.order[index]?.member.flags ?? 0)) & STREAMED) !== 0;

/**
 * Whether the bytes behind a streamed member are its data descriptor. Without a signature only the right CRC makes it one;
 * with one, other numbers than the directory's are a disagreement.
 */
const isDescriptor = (member: MemberDraft, bytes: Uint8Array, at: number, report: Report): boolean => {
  const found = readDescriptor(bytes);
  if (found === undefined || (bytes.length % 8 === 4 && found.crc32 !== member.crc32)) {
    return false;
  }
  const { crc32, compressedBytes, bytes: size } = found;
  if (crc32 !== member.crc32 || compressedBytes !== member.compressedBytes || size !== member.bytes) {
    const inFile = `CRC ${crc32}, ${formatInt(compressedBytes)} and ${formatInt(size)} bytes`;
    const inDirectory = `CRC ${member.crc32}, ${formatInt(member.compressedBytes)} and ${formatInt(member.bytes)}`;
    const message = `the data descriptor of member ${quoteName(member.name)} says ${inFile}, the directory ${inDirectory}`;
    report('zip-directory-disagrees', message, at);
  }
  return true;
};

const judgeAgainstDirectory = ({ member }: CentralEntry, place: DirectoryPlace, report: Report): void => {
  const end = endOf(member);
  if (member.header >= place.end) {
    const message = `member ${quoteName(member.name)} lies at offset ${formatInt(member.header)}, behind the directory`;
    report('zip-directory-disagrees', message, member.header);
  } else if (end > place.begin) {
    const shared = range(Math.max(member.header, place.begin), Math.min(end, place.end));
    report('zip-overlap', `member ${quoteName(member.name)} shares bytes ${shared} with the directory`, member.header);
  }
};

/** The bytes in front of the directory: the last member's data descriptor, if it has one. */
const readTail = async (source: ByteSource, at: number): Promise<Uint8Array> => {
  const reach = Math.min(at, DESCRIPTOR_REACH);
  return readBytes(source, at - reach, reach);
};

/**
 * Goes through the members in file order with a running maximum: reports members that share bytes with each other or with
 * the directory, data descriptors that are missing or say something else, and finds the bytes that belong to no member.
 *
 * @throws whatever the source's reads throw.
 */
export const judgeLayout = async (
  source: ByteSource,
  local: LocalHeaders,
  place: DirectoryPlace,
  report: Report,
): Promise<Layout> => {
  const between: ByteRange[] = [];
  const start = Math.min(local.order[0]?.member.header ?? place.begin, place.begin);
  let reached = start;
  let last: MemberDraft | undefined;
  let lastIndex = 0;
  const close = (next: number, before: Uint8Array): void => {
    const gap = next - reached;
    const streamed = last?.payload !== undefined && isStreamed(local, lastIndex);
    if (last !== undefined && streamed && gap === 0) {
      const message = `member ${quoteName(last.name)} is flagged to have a data descriptor behind it and has none`;
      report('zip-flags', message, last.header);
    }
    const tail = before.subarray(before.length - Math.min(gap, before.length));
    const known =
      last !== undefined && streamed && gap <= DESCRIPTOR_REACH && isDescriptor(last, tail, reached, report);
    if (gap > 0 && !known) {
      between.push({ begin: reached, end: next });
    }
  };
  for (const [index, entry] of local.order.entries()) {
    const { member } = entry;
    judgeAgainstDirectory(entry, place, report);
    if (member.header >= place.begin) {
      continue;
    }
    if (member.header < reached && last !== undefined) {
      const shared = range(member.header, Math.min(reached, endOf(member)));
      const message = `member ${quoteName(member.name)} shares bytes ${shared} with member ${quoteName(last.name)}`;
      report('zip-overlap', message, member.header);
    } else if (index > 0) {
      close(member.header, local.before.subarray(index * DESCRIPTOR_REACH, (index + 1) * DESCRIPTOR_REACH));
    }
    if (endOf(member) >= reached) {
      reached = endOf(member);
      last = member;
      lastIndex = index;
    }
  }
  if (reached < place.begin || (last !== undefined && reached === place.begin)) {
    if (last !== undefined) {
      close(place.begin, await readTail(source, place.begin));
    }
  }
  return { prefix: { begin: 0, end: start }, between };
};
