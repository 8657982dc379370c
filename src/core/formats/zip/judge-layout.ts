import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { quoteName } from '../../quote-name.ts';
import type { MemberDraft } from './central-directory.ts';
import { STREAMED } from './compare-headers.ts';
import { DESCRIPTOR_REACH, readDescriptor } from './data-descriptor.ts';
import type { LocalHeaders } from './local-headers.ts';
import { LOCAL_BYTES, type Report, viewOf } from './records.ts';
import type { ByteRange, DirectoryPlace } from './zip-types.ts';

/** Bytes from the first local header to the directory, as the members cover them. */
export interface Layout {
  /** Bytes in front of the first local header (of the directory, in an empty archive). */
  readonly prefix: ByteRange;
  /** Bytes between members, and between the last one and the directory, that are neither. */
  readonly between: readonly ByteRange[];
}

const range = (begin: number, end: number): string => `[${formatInt(begin)}, ${formatInt(end)})`;

const hex = (crc: number): string => `0x${crc.toString(16).padStart(8, '0')}`;

/** Where a member ends, without its data descriptor; a header whose payload cannot be placed is itself at least. */
const endOf = (member: MemberDraft): number => member.payload?.end ?? member.header + LOCAL_BYTES;

const isStreamed = (local: LocalHeaders, index: number): boolean =>
  (((local.flags[index] ?? 0) | (local.order[index]?.member.flags ?? 0)) & STREAMED) !== 0;

/**
 * Whether the bytes behind a streamed member are its data descriptor. Without a signature only the right CRC makes it one;
 * with one, other numbers than the directory's are a disagreement.
 */
const isDescriptor = (member: MemberDraft, view: DataView, end: number, length: number, report: Report): boolean => {
  const found = length > DESCRIPTOR_REACH ? undefined : readDescriptor(view, end - length, length);
  if (found === undefined || (length % 8 === 4 && found.crc32 !== member.crc32)) {
    return false;
  }
  const { crc32, compressedBytes, bytes } = found;
  if (crc32 !== member.crc32 || compressedBytes !== member.compressedBytes || bytes !== member.bytes) {
    const inFile = `CRC ${hex(crc32)}, ${formatInt(compressedBytes)} and ${formatInt(bytes)} bytes`;
    const inDirectory = `CRC ${hex(member.crc32)}, ${formatInt(member.compressedBytes)} and ${formatInt(member.bytes)}`;
    const message = `the data descriptor of member ${quoteName(member.name)} says ${inFile}, the directory ${inDirectory}`;
    report('zip-directory-disagrees', message, member.payload?.end);
  }
  return true;
};

const judgeAgainstDirectory = (member: MemberDraft, place: DirectoryPlace, report: Report): void => {
  const end = endOf(member);
  if (member.header >= place.end) {
    const message = `member ${quoteName(member.name)} lies at offset ${formatInt(member.header)}, behind the directory`;
    report('zip-directory-disagrees', message, member.header);
  } else if (end > place.begin) {
    const shared = range(Math.max(member.header, place.begin), Math.min(end, place.end));
    report('zip-overlap', `member ${quoteName(member.name)} shares bytes ${shared} with the directory`, member.header);
  }
};

/** Goes along the file, member by member, with a running maximum of what they cover. */
class Sweep {
  readonly between: ByteRange[] = [];
  readonly #local: LocalHeaders;
  readonly #report: Report;
  #reached: number;
  #last: MemberDraft | undefined;
  #lastStreamed = false;

  constructor(local: LocalHeaders, start: number, report: Report) {
    this.#local = local;
    this.#reached = start;
    this.#report = report;
  }

  /** The next member in file order; its 24 bytes in front end at `viewEnd` of `view`. */
  add(member: MemberDraft, index: number, view: DataView, viewEnd: number): void {
    const end = endOf(member);
    if (this.#last !== undefined && member.header < this.#reached) {
      const shared = range(member.header, Math.min(this.#reached, end));
      const names = `member ${quoteName(member.name)} shares bytes ${shared} with member ${quoteName(this.#last.name)}`;
      this.#report('zip-overlap', names, member.header);
    } else {
      this.close(member.header, view, viewEnd);
    }
    if (end >= this.#reached) {
      this.#reached = end;
      this.#last = member;
      this.#lastStreamed = member.payload !== undefined && isStreamed(this.#local, index);
    }
  }

  /** Judges the bytes between the last member and what begins at `next`. */
  close(next: number, view: DataView, viewEnd: number): void {
    const last = this.#last;
    const gap = next - this.#reached;
    if (last === undefined || gap < 0) {
      return;
    }
    if (gap === 0 && this.#lastStreamed) {
      const message = `member ${quoteName(last.name)} is flagged to have a data descriptor behind it and has none`;
      this.#report('zip-flags', message, last.header);
    }
    const known = this.#lastStreamed && isDescriptor(last, view, viewEnd, gap, this.#report);
    if (gap > 0 && !known) {
      this.between.push({ begin: this.#reached, end: next });
    }
  }
}

/**
 * Goes through the members in file order: reports those that share bytes with each other or with the directory, data
 * descriptors that are missing or say something else, and finds the bytes that belong to no member.
 *
 * @throws whatever the source's reads throw.
 */
export const judgeLayout = async (
  source: ByteSource,
  local: LocalHeaders,
  place: DirectoryPlace,
  report: Report,
): Promise<Layout> => {
  const start = Math.min(local.order[0]?.member.header ?? place.begin, place.begin);
  const sweep = new Sweep(local, start, report);
  const before = viewOf(local.before);
  for (const [index, { member }] of local.order.entries()) {
    judgeAgainstDirectory(member, place, report);
    if (member.header < place.begin) {
      sweep.add(member, index, before, (index + 1) * DESCRIPTOR_REACH);
    }
  }
  const reach = Math.min(place.begin, DESCRIPTOR_REACH);
  sweep.close(place.begin, viewOf(await readBytes(source, place.begin - reach, reach)), reach);
  return { prefix: { begin: 0, end: start }, between: sweep.between };
};
