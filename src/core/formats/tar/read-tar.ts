import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { utf8Text } from '../../bytes/utf8.ts';

/** A file inside a tar archive. */
export interface TarMember {
  readonly name: string;
  /** Absolute bytes [begin, end) of its content, wholly inside the archive. */
  readonly begin: number;
  readonly end: number;
}

/** What a tar archive holds, as far as it could be followed. */
export interface TarListing {
  readonly members: readonly TarMember[];
  /** Why the list ends early or leaves something out, as part of a sentence; undefined where it is whole. */
  readonly problem: string | undefined;
}

/** Headers and contents fill whole blocks (FORMATS.md appendix B). */
const BLOCK = 512;
/** Members that are listed; an archive of PyTorch has four. */
const MOST_MEMBERS = 10_000;

/** A header's checksum: the sum of its 512 bytes with the checksum field as spaces, in octal at 148. */
export const isTarHeader = (block: Uint8Array): boolean => {
  if (block.length < BLOCK) {
    return false;
  }
  const field = String.fromCharCode(...block.subarray(148, 156)).replaceAll('\0', ' ');
  const stored = /^\s*[0-7]+\s*$/.test(field) ? Number.parseInt(field, 8) : -1;
  const sum = block
    .subarray(0, BLOCK)
    .reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  return stored === sum;
};

const fieldText = (block: Uint8Array, begin: number, length: number): string => {
  const nul = block.indexOf(0, begin);
  return utf8Text(block, begin, nul < 0 ? begin + length : Math.min(nul, begin + length));
};

/** Octal digits, or a binary number where the top bit is set; undefined for anything else. */
const sizeOf = (block: Uint8Array): number | undefined => {
  const first = block[124] ?? 0;
  if ((first & 0x80) === 0) {
    const text = fieldText(block, 124, 12).trim();
    return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
  }
  let size = first & 0x7f;
  for (let at = 125; at < 136; at += 1) {
    size = size * 256 + (block[at] ?? 0);
  }
  return size;
};

const ENDS = new Set(['', '0', '7']);

/** What one header tells; a text says why it cannot be followed. */
const readHeader = (
  block: Uint8Array,
): { readonly name: string; readonly size: number; readonly type: string } | string => {
  if (!isTarHeader(block)) {
    return 'is no tar header';
  }
  const size = sizeOf(block);
  if (size === undefined || !Number.isSafeInteger(size)) {
    return 'gives no size';
  }
  try {
    const prefix = fieldText(block, 345, 155);
    const hasPrefix = fieldText(block, 257, 5) === 'ustar' && prefix !== '';
    const name = fieldText(block, 0, 100);
    return { name: hasPrefix ? `${prefix}/${name}` : name, size, type: fieldText(block, 156, 1) };
  } catch {
    return 'has a name that is no UTF-8';
  }
};

/**
 * Lists the plain files of a tar archive, header by header; contents are not read. Links and folders are left out; a header
 * that renames the member behind it (pax, GNU) ends the list, since names would have to be guessed.
 *
 * @throws whatever the source's reads throw.
 */
export const readTar = async (source: ByteSource): Promise<TarListing> => {
  const members: TarMember[] = [];
  for (let at = 0; at < source.size; ) {
    const block = await readBytes(source, at, Math.min(BLOCK, source.size - at));
    if (block.length === BLOCK && block.every((byte) => byte === 0)) {
      return { members, problem: undefined };
    }
    const header = readHeader(block);
    if (typeof header === 'string') {
      return { members, problem: `the block at offset ${at} ${header}` };
    }
    const { name, size, type } = header;
    const begin = at + BLOCK;
    if (size > source.size - begin) {
      return { members, problem: `the member at offset ${at} goes on beyond the end of the file` };
    }
    if (/^[xgLK]$/.test(type)) {
      return { members, problem: `the header at offset ${at} gives the next member another name` };
    }
    if (members.length === MOST_MEMBERS) {
      return { members, problem: `it has over ${MOST_MEMBERS} members` };
    }
    if (ENDS.has(type)) {
      members.push({ name, begin, end: begin + size });
    }
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
  return { members, problem: 'it ends without an empty block' };
};
