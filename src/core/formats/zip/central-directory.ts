import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { quoteName } from '../../quote-name.ts';
import { readExtraFields, zip64Numbers } from './extra-fields.ts';
import { DIRECTORY_WINDOW, MOST_MEMBERS } from './limits.ts';
import { nameText, unsafeNameReason } from './member-name.ts';
import { CENTRAL_BYTES, CENTRAL_HEADER, FULL_32, type Report, viewOf } from './records.ts';
import type { DirectoryPlace, ZipMember } from './zip-types.ts';

/** A member while it is being judged. */
export type MemberDraft = { -readonly [Key in keyof ZipMember]: ZipMember[Key] };

/** An entry of the directory with its name's bytes, to compare with the local header's. */
export interface CentralEntry {
  readonly member: MemberDraft;
  readonly window: Uint8Array;
  readonly nameAt: number;
  readonly nameLength: number;
}

/** Flags: encrypted, strongly encrypted, masked header; PyTorch refuses them too (FORMATS.md 2.3). */
const ENCRYPTED = (1 << 0) | (1 << 6) | (1 << 13);
const UTF8_NAME = 1 << 11;
/** Kinds of a Unix mode: a file, a folder. A mode of 0 tells nothing. */
const ORDINARY_KINDS = new Set([0, 0x8000, 0x4000]);
const SYMBOLIC_LINK = 0xa000;

/** A window of the directory; `text` has a character for each byte, for names that are ASCII. */
interface Window {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly text: string;
  /** Its offset in the file. */
  readonly at: number;
}

// Windows-1252 by the standard's naming, which agrees with ASCII where it is used.
const byteText = new TextDecoder('latin1');

const isAscii = (bytes: Uint8Array, begin: number, end: number): boolean => {
  for (let at = begin; at < end; at += 1) {
    if ((bytes[at] ?? 0) >= 0x80) {
      return false;
    }
  }
  return true;
};

/** Length of the entry at `at`, or undefined when it does not lie wholly in the window. */
const entryLength = ({ view }: Window, at: number): number | undefined => {
  if (view.byteLength - at < CENTRAL_BYTES) {
    return undefined;
  }
  const length =
    CENTRAL_BYTES + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  return length <= view.byteLength - at ? length : undefined;
};

const applyExtra = (draft: MemberDraft, extra: Uint8Array, slots: Slots, report: Report, offset: number): void => {
  const fields = readExtraFields(extra);
  const full = [slots.bytes, slots.compressed, slots.header].map((slot) => slot === FULL_32);
  const numbers = zip64Numbers(fields.zip64, full.filter(Boolean).length);
  const problem = numbers.includes(undefined) ? 'its zip64 field is missing or too short' : fields.problem;
  if (problem !== undefined) {
    report('zip-directory-disagrees', `the directory's entry for ${quoteName(draft.name)}: ${problem}`, offset);
  }
  let next = 0;
  const take = (isFull: boolean | undefined, slot: number): number => {
    const number = isFull ? numbers[next++] : undefined;
    return number === undefined ? slot : Number(number);
  };
  draft.bytes = take(full[0], slots.bytes);
  draft.compressedBytes = take(full[1], slots.compressed);
  draft.header = take(full[2], slots.header);
  if (fields.path !== undefined && fields.path !== draft.name) {
    const message = `member ${quoteName(draft.name)} has a Unicode path field that calls it ${quoteName(fields.path)}`;
    report('zip-local-name-differs', message, offset);
  }
};

/** The 32-bit numbers of an entry. */
interface Slots {
  readonly bytes: number;
  readonly compressed: number;
  readonly header: number;
}

const judgeName = (draft: MemberDraft, attributes: number, isUtf8: boolean, report: Report, offset: number): void => {
  const kind = (attributes >>> 16) & 0xf000;
  const special = kind === SYMBOLIC_LINK ? 'is a symbolic link' : 'is a special file';
  const reason = ORDINARY_KINDS.has(kind) ? unsafeNameReason(draft.name) : special;
  if (reason !== undefined) {
    draft.unsafeName = true;
    report('zip-name-unsafe', `member ${quoteName(draft.name)} ${reason}; never unpack it by name`, offset);
  }
  if (!isUtf8 && (draft.flags & UTF8_NAME) !== 0) {
    const message = `the name of member ${quoteName(draft.name)} is flagged as UTF-8 and is not`;
    report('zip-flags', message, offset);
  }
};

const readEntry = (window: Window, at: number, index: number, shift: number, report: Report): CentralEntry => {
  const { bytes, view } = window;
  const nameAt = at + CENTRAL_BYTES;
  const nameLength = view.getUint16(at + 28, true);
  const extraLength = view.getUint16(at + 30, true);
  const slots: Slots = {
    bytes: view.getUint32(at + 24, true),
    compressed: view.getUint32(at + 20, true),
    header: view.getUint32(at + 42, true),
  };
  const ascii = isAscii(bytes, nameAt, nameAt + nameLength);
  const name = ascii
    ? { text: window.text.slice(nameAt, nameAt + nameLength), isUtf8: true }
    : nameText(bytes.subarray(nameAt, nameAt + nameLength));
  const flags = view.getUint16(at + 8, true);
  const member: MemberDraft = {
    index,
    name: name.text,
    method: view.getUint16(at + 10, true),
    flags,
    crc32: view.getUint32(at + 16, true),
    compressedBytes: slots.compressed,
    bytes: slots.bytes,
    header: slots.header,
    payload: undefined,
    problem: undefined,
    localNameDiffers: false,
    localName: undefined,
    encrypted: (flags & ENCRYPTED) !== 0,
    sharesName: false,
    unsafeName: false,
  };
  const offset = window.at + at;
  if (extraLength > 0 || Math.max(slots.bytes, slots.compressed, slots.header) === FULL_32) {
    const extraAt = nameAt + nameLength;
    applyExtra(member, bytes.subarray(extraAt, extraAt + extraLength), slots, report, offset);
  }
  member.header += shift;
  const disk = view.getUint16(at + 34, true);
  if (disk !== 0 && disk !== 0xffff) {
    report('zip-directory-disagrees', `member ${quoteName(member.name)} is said to lie on disk ${disk}`, offset);
  }
  judgeName(member, view.getUint32(at + 38, true), name.isUtf8, report, offset);
  return { member, window: bytes, nameAt, nameLength };
};

const openWindow = async (source: ByteSource, at: number, end: number): Promise<Window> => {
  const bytes = await readBytes(source, at, Math.min(end - at, DIRECTORY_WINDOW));
  return { bytes, view: viewOf(bytes), text: byteText.decode(bytes), at };
};

/**
 * Reads the entries of a central directory as long as there are any, a window at a time: the declared count is compared
 * with what is there and allocates nothing.
 *
 * @throws whatever the source's reads throw.
 */
export const readCentralDirectory = async (
  source: ByteSource,
  place: DirectoryPlace,
  report: Report,
): Promise<readonly CentralEntry[]> => {
  const entries: CentralEntry[] = [];
  let at = place.begin;
  let going = at < place.end;
  while (going) {
    const window = await openWindow(source, at, place.end);
    let inside = 0;
    going = false;
    for (let length = entryLength(window, 0); length !== undefined; length = entryLength(window, inside)) {
      if (window.view.getUint32(inside, true) !== CENTRAL_HEADER || entries.length === MOST_MEMBERS) {
        going = false;
        break;
      }
      entries.push(readEntry(window, inside, entries.length, place.shift, report));
      inside += length;
      going = true;
    }
    at += inside;
    going &&= at < place.end;
  }
  judgeCount(place, entries.length, at, report);
  return entries;
};

const judgeCount = ({ begin, end, entries }: DirectoryPlace, found: number, at: number, report: Report): void => {
  if (found === MOST_MEMBERS && at < end) {
    const message = `only the first ${formatInt(MOST_MEMBERS)} of ${formatInt(entries)} members are listed`;
    report('not-scanned', message, at);
    return;
  }
  if (found !== entries) {
    const message = `the end record tells of ${formatInt(entries)} members, the directory at offset ${formatInt(begin)} has ${formatInt(found)}`;
    report('zip-directory-disagrees', message, begin);
  }
  if (at < end) {
    const message = `${formatInt(end - at)} bytes of the directory, at offset ${formatInt(at)}, are no entry of it`;
    report('zip-directory-disagrees', message, at);
  }
};
