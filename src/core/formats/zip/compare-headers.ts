import type { FindingCode } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { quoteName } from '../../quote-name.ts';
import type { MemberDraft } from './central-directory.ts';
import type { Report } from './records.ts';

/** A local header, its zip64 field resolved. */
export interface LocalHeader {
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly bytes: number;
  readonly nameLength: number;
  readonly extraLength: number;
  /** The header defers to a field that is not there. */
  readonly sizesUnknown: boolean;
}

/** Method numbers. */
export const STORED = 0;
export const DEFLATED = 8;

/** Bit 3: sizes and CRC follow the payload, those of the local header are 0. */
export const STREAMED = 1 << 3;
/** Bits 1 and 2: how hard deflate tried. */
const EFFORT = (1 << 1) | (1 << 2);
const PATCHED = 1 << 5;
/** Bits 0, 6 and 13. */
const ENCRYPTED = (1 << 0) | (1 << 6) | (1 << 13);
/** Bits that mean something harmless: 3, 11 (the name is UTF-8). */
const HARMLESS = STREAMED | (1 << 11);

const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`;

/**
 * Reports what the local header and the directory do not agree on, with both values. PyTorch goes by the directory
 * (FORMATS.md 2.3). Where the local header says that sizes and CRC come later, zeros are no disagreement.
 */
export const compareHeaders = (member: MemberDraft, local: LocalHeader, report: Report): void => {
  const later = (local.flags & STREAMED) !== 0;
  const tell = (code: FindingCode, what: string, inLocal: string, inDirectory: string): void => {
    const name = quoteName(member.name);
    report(code, `member ${name}: local header says ${what} ${inLocal}, the directory ${inDirectory}`, member.header);
  };
  if (local.flags !== member.flags) {
    tell('zip-flags', 'flags', hex(local.flags, 4), hex(member.flags, 4));
  }
  if (local.method !== member.method) {
    tell('zip-directory-disagrees', 'method', String(local.method), String(member.method));
  }
  const differ = (inLocal: number, inDirectory: number): boolean =>
    inLocal !== inDirectory && !(later && inLocal === 0);
  if (differ(local.crc32, member.crc32)) {
    tell('zip-directory-disagrees', 'CRC', hex(local.crc32, 8), hex(member.crc32, 8));
  }
  if (local.sizesUnknown) {
    return;
  }
  if (differ(local.compressedBytes, member.compressedBytes)) {
    const told = formatInt(local.compressedBytes);
    tell('zip-directory-disagrees', 'compressed size', told, formatInt(member.compressedBytes));
  }
  if (differ(local.bytes, member.bytes)) {
    tell('zip-directory-disagrees', 'size', formatInt(local.bytes), formatInt(member.bytes));
  }
};

/** Judges the flags, method and sizes that the directory gives a member, by themselves. */
export const judgeDeclaration = (member: MemberDraft, report: Report): void => {
  const name = quoteName(member.name);
  const { flags, method, header } = member;
  if ((flags & ENCRYPTED) !== 0) {
    const message = `member ${name} is flagged as encrypted (flags ${hex(flags, 4)}); what is encrypted cannot be scanned`;
    report('zip-encrypted', message, header);
  }
  const odd = flags & ~HARMLESS & ~ENCRYPTED & ~(method === STORED ? 0 : EFFORT);
  if (odd !== 0) {
    const why = (odd & PATCHED) !== 0 ? 'patch data, which loaders refuse' : 'bits without a meaning here';
    report('zip-flags', `member ${name} has flags ${hex(flags, 4)}: ${hex(odd, 4)} is ${why}`, header);
  }
  if (method !== STORED && method !== DEFLATED) {
    const message = `member ${name} is compressed by method ${method}; only 0 (stored) and 8 (deflate) can be read`;
    report('zip-unsupported-method', message, header);
  }
  // What is encrypted has a head of its own in front.
  if (method === STORED && !member.encrypted && member.bytes !== member.compressedBytes) {
    const sizes = `${formatInt(member.bytes)} bytes of ${formatInt(member.compressedBytes)} stored ones`;
    report('zip-directory-disagrees', `member ${name} is stored, yet would be ${sizes}`, header);
  }
};
