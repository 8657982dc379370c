import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { quoteName } from '../../quote-name.ts';
import type { CentralEntry } from './central-directory.ts';
import { compareHeaders, type LocalHeader } from './compare-headers.ts';
import { DESCRIPTOR_REACH } from './data-descriptor.ts';
import { readExtraFields, zip64Numbers } from './extra-fields.ts';
import { HEADER_WINDOW, LONGEST_LOCAL_LOOK, NEAR_HEADERS, READS_AT_ONCE } from './limits.ts';
import { nameText } from './member-name.ts';
import { FULL_32, LOCAL_BYTES, LOCAL_HEADER, type Report, viewOf } from './records.ts';

/** What the local headers gave besides the members' payloads. */
export interface LocalHeaders {
  /** The entries whose local header lies inside the file, by its offset, then in the directory's order. */
  readonly order: readonly CentralEntry[];
  /** For each of them the 24 bytes before its local header, where the data descriptor of the member before ends. */
  readonly before: Uint8Array;
  /** Flags of each of these local headers; those of the directory where there is none. */
  readonly flags: Uint16Array;
}

/** Some entries, one after the other in the file, and the bytes in which their local headers lie. */
interface Group {
  readonly first: number;
  count: number;
  readonly begin: number;
  end: number;
}

/** Puts entries together whose local headers are near each other; what lies far apart is not read. */
const groupHeaders = (order: readonly CentralEntry[], size: number): readonly Group[] => {
  const groups: Group[] = [];
  let group: Group | undefined;
  for (const [index, { member, nameLength }] of order.entries()) {
    const begin = Math.max(member.header - DESCRIPTOR_REACH, 0);
    const end = Math.min(member.header + LOCAL_BYTES + nameLength, size);
    if (group !== undefined && begin - group.end <= NEAR_HEADERS && end - group.begin <= HEADER_WINDOW) {
      group.count += 1;
      group.end = Math.max(group.end, end);
    } else {
      group = { first: index, count: 1, begin, end };
      groups.push(group);
    }
  }
  return groups;
};

const inFileOrder = (entries: readonly CentralEntry[], size: number): readonly CentralEntry[] => {
  const inside = entries.filter(({ member: { header } }) => header >= 0 && header <= size - LOCAL_BYTES);
  const sorted = inside.every(
    (entry, index) => index === 0 || (inside[index - 1]?.member.header ?? 0) <= entry.member.header,
  );
  return sorted ? inside : inside.sort((a, b) => a.member.header - b.member.header || a.member.index - b.member.index);
};

/** Where each local header lies within its window. */
interface Site {
  readonly source: ByteSource;
  readonly entry: CentralEntry;
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly at: number;
}

const sameName = ({ entry, bytes, at }: Site, length: number): boolean => {
  const { window, nameAt, nameLength } = entry;
  if (length !== nameLength) {
    return false;
  }
  for (let index = 0; index < length; index += 1) {
    if (bytes[at + LOCAL_BYTES + index] !== window[nameAt + index]) {
      return false;
    }
  }
  return true;
};

/** Bytes behind the fixed part of a local header, as many as there are and no more than are worth a look. */
const readBehind = async ({ source, entry }: Site, skip: number, length: number): Promise<Uint8Array> => {
  const begin = Math.min(entry.member.header + LOCAL_BYTES + skip, source.size);
  return readBytes(source, begin, Math.min(length, LONGEST_LOCAL_LOOK, source.size - begin));
};

const noteOtherName = async (site: Site, nameLength: number, report: Report): Promise<void> => {
  const { member } = site.entry;
  const { text } = nameText(await readBehind(site, 0, nameLength));
  member.localNameDiffers = true;
  member.localName = text;
  const message = `member ${quoteName(member.name)}: local header says ${quoteName(text)}; PyTorch loads it by the directory's name`;
  report('zip-local-name-differs', message, member.header);
};

/** Sizes out of a local zip64 field, for a header whose slots are full. Torch writes 0 for the compressed size. */
const wideSizes = async (site: Site, header: LocalHeader, report: Report): Promise<LocalHeader> => {
  const extra = await readBehind(site, header.nameLength, header.extraLength);
  const full = [header.bytes, header.compressedBytes].map((slot) => slot === FULL_32);
  const numbers = zip64Numbers(readExtraFields(extra).zip64, full.filter(Boolean).length);
  if (numbers.includes(undefined)) {
    const name = quoteName(site.entry.member.name);
    const message = `the local header of member ${name} defers to a zip64 field that is missing or too short`;
    report('zip-directory-disagrees', message, site.entry.member.header);
    return { ...header, bytes: 0, compressedBytes: 0, sizesUnknown: true };
  }
  const bytes = full[0] ? Number(numbers[0]) : header.bytes;
  return { ...header, bytes, compressedBytes: full[1] ? Number(numbers.at(-1)) : header.compressedBytes };
};

const placePayload = (source: ByteSource, { member }: CentralEntry, header: LocalHeader, report: Report): void => {
  const begin = member.header + LOCAL_BYTES + header.nameLength + header.extraLength;
  const there = source.size - begin;
  if (there < 0 || member.compressedBytes > there) {
    const present = formatInt(Math.max(there, 0));
    member.problem = `its payload of ${formatInt(member.compressedBytes)} bytes at offset ${formatInt(begin)} passes the end of the file, ${present} bytes are present`;
    report('zip-truncated', `member ${quoteName(member.name)}: ${member.problem}`, member.header);
    return;
  }
  member.payload = { begin, end: begin + member.compressedBytes };
};

/** Judges one local header; returns its flags. */
const judgeLocal = (site: Site, report: Report): number | Promise<number> => {
  const { member } = site.entry;
  const { view, at } = site;
  const signature = view.getUint32(at, true);
  if (signature !== LOCAL_HEADER) {
    const found = signature.toString(16).padStart(8, '0');
    member.problem = `there is no local header at offset ${formatInt(member.header)} (0x${found} instead of 0x04034b50)`;
    report('zip-directory-disagrees', `member ${quoteName(member.name)}: ${member.problem}`, member.header);
    return member.flags;
  }
  const header: LocalHeader = {
    flags: view.getUint16(at + 6, true),
    method: view.getUint16(at + 8, true),
    crc32: view.getUint32(at + 14, true),
    compressedBytes: view.getUint32(at + 18, true),
    bytes: view.getUint32(at + 22, true),
    nameLength: view.getUint16(at + 26, true),
    extraLength: view.getUint16(at + 28, true),
    sizesUnknown: false,
  };
  placePayload(site.source, site.entry, header, report);
  const isPlain = header.bytes !== FULL_32 && header.compressedBytes !== FULL_32;
  if (isPlain && sameName(site, header.nameLength)) {
    compareHeaders(member, header, report);
    return header.flags;
  }
  return judgeOdd(site, header, isPlain, report);
};

/** The rest of the judgement where more of the header has to be read. */
const judgeOdd = async (site: Site, header: LocalHeader, isPlain: boolean, report: Report): Promise<number> => {
  if (!sameName(site, header.nameLength)) {
    await noteOtherName(site, header.nameLength, report);
  }
  compareHeaders(site.entry.member, isPlain ? header : await wideSizes(site, header, report), report);
  return header.flags;
};

const readGroup = async (source: ByteSource, group: Group, local: LocalHeaders, report: Report): Promise<void> => {
  const bytes = await readBytes(source, group.begin, group.end - group.begin);
  const view = viewOf(bytes);
  for (let index = group.first; index < group.first + group.count; index += 1) {
    const entry = local.order[index];
    if (entry === undefined) {
      return;
    }
    const at = entry.member.header - group.begin;
    const reach = Math.min(at, DESCRIPTOR_REACH);
    local.before.set(bytes.subarray(at - reach, at), (index + 1) * DESCRIPTOR_REACH - reach);
    const flags = judgeLocal({ source, entry, bytes, view, at }, report);
    local.flags[index] = typeof flags === 'number' ? flags : await flags;
  }
};

/**
 * Reads the local headers, near ones together, for the payloads' places (name and extra lengths are the local ones), and
 * compares them with the directory. Payloads are not read, but for what lies between near headers.
 *
 * @throws whatever the source's reads throw.
 */
export const readLocalHeaders = async (
  source: ByteSource,
  entries: readonly CentralEntry[],
  report: Report,
): Promise<LocalHeaders> => {
  const order = inFileOrder(entries, source.size);
  if (order.length < entries.length) {
    refuseOutside(source, entries, report);
  }
  const local: LocalHeaders = {
    order,
    before: new Uint8Array(order.length * DESCRIPTOR_REACH),
    flags: new Uint16Array(order.length),
  };
  const groups = groupHeaders(order, source.size);
  for (let next = 0; next < groups.length; next += READS_AT_ONCE) {
    const together = groups.slice(next, next + READS_AT_ONCE);
    await Promise.all(together.map((group) => readGroup(source, group, local, report)));
  }
  return local;
};

const refuseOutside = (source: ByteSource, entries: readonly CentralEntry[], report: Report): void => {
  for (const { member } of entries) {
    if (!(member.header >= 0 && member.header <= source.size - LOCAL_BYTES)) {
      member.problem = `its local header at offset ${formatInt(member.header)} lies outside the file, which has ${formatInt(source.size)} bytes`;
      report('zip-truncated', `member ${quoteName(member.name)}: ${member.problem}`, member.header);
    }
  }
};
