import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { CheckpointError } from '../../errors.ts';
import { quoteName } from '../../quote-name.ts';
import { CappedInflater } from './capped-inflater.ts';
import { DEFLATED, STORED } from './compare-headers.ts';
import { crc32 } from './crc32.ts';
import { isBomb, sayRatio } from './judge-members.ts';
import { BOMB_FLOOR, MEMBER_CHUNK, MOST_MEMBER_BYTES, MOST_RATIO } from './limits.ts';
import { type MemberFaults, memberFaults } from './member-faults.ts';
import type { MemberLimits } from './member-limits.ts';
import type { ByteRange, ZipMember } from './zip-types.ts';

/** How a member will be read: which bytes of the file, and at most how many bytes of content. */
interface Plan {
  readonly payload: ByteRange;
  readonly cap: number;
}

/** @throws CheckpointError when no byte of it can be given, or when something is wrong and nothing collects it. */
const planRead = (
  source: ByteSource,
  member: ZipMember,
  limits: MemberLimits,
  most: number,
  faults: MemberFaults,
): Plan => {
  const { payload, method, bytes, compressedBytes } = member;
  const name = quoteName(member.name);
  if (payload === undefined) {
    const message = `member ${name} cannot be read: ${member.problem ?? 'it has no place in the file'}`;
    throw new CheckpointError(finding('zip-truncated', message, { file: limits.file, offset: member.header }));
  }
  if (method !== STORED && method !== DEFLATED) {
    const message = `member ${name} cannot be read: it is compressed by method ${method}`;
    const where = { file: limits.file, offset: payload.begin };
    throw new CheckpointError(finding('zip-unsupported-method', message, where));
  }
  if (member.encrypted && limits.findings === undefined) {
    faults.add('zip-encrypted', 'is flagged as encrypted');
  }
  if (method === STORED) {
    if (bytes !== compressedBytes) {
      const sizes = `declares ${formatInt(bytes)} bytes and stores ${formatInt(compressedBytes)}`;
      faults.add('zip-directory-disagrees', sizes);
    }
    // A loader reads as many as are declared, whatever is stored: what lies there is looked at too.
    const length = Math.min(Math.max(bytes, compressedBytes), source.size - payload.begin);
    return { payload: { begin: payload.begin, end: payload.begin + length }, cap: capOf(length, most, faults) };
  }
  if (isBomb(bytes, compressedBytes)) {
    const ratio = sayRatio(bytes, compressedBytes);
    const sizes = `would inflate to ${formatInt(bytes)} bytes from ${formatInt(compressedBytes)}`;
    faults.add('zip-bomb', `${sizes}, ${ratio}; at most 1 : ${formatInt(MOST_RATIO)} is inflated`);
  }
  const ratioCap = Math.max(BOMB_FLOOR, compressedBytes * MOST_RATIO);
  return { payload, cap: Math.min(capOf(bytes, most, faults), ratioCap) };
};

const capOf = (bytes: number, most: number, faults: MemberFaults): number => {
  if (bytes > most) {
    faults.add('not-scanned', `has ${formatInt(bytes)} bytes, of which the first ${formatInt(most)} are read`);
  }
  return Math.min(bytes, most);
};

async function* storedChunks(source: ByteSource, { payload, cap }: Plan): AsyncGenerator<Uint8Array> {
  const end = Math.min(payload.end, payload.begin + cap);
  for (let at = payload.begin; at < end; at += MEMBER_CHUNK) {
    yield await readBytes(source, at, Math.min(MEMBER_CHUNK, end - at));
  }
}

async function* inflatedChunks(
  source: ByteSource,
  { payload, cap }: Plan,
  member: ZipMember,
  faults: MemberFaults,
): AsyncGenerator<Uint8Array> {
  const inflater = new CappedInflater(cap);
  for (let at = payload.begin; at < payload.end && !inflater.stopped; at += MEMBER_CHUNK) {
    const length = Math.min(MEMBER_CHUNK, payload.end - at);
    yield* inflater.push(await readBytes(source, at, length), at + length === payload.end);
  }
  if (inflater.broken !== undefined) {
    faults.addBroken(
      `breaks off after ${formatInt(inflater.produced)} of ${formatInt(member.bytes)} bytes: ${inflater.broken}`,
    );
  } else if (inflater.over && cap === member.bytes) {
    const declared = `inflates to more than the ${formatInt(member.bytes)} bytes declared, and was stopped there`;
    faults.add('zip-directory-disagrees', declared);
  } else if (!inflater.over && inflater.produced !== member.bytes) {
    const sizes = `inflates to ${formatInt(inflater.produced)} bytes, ${formatInt(member.bytes)} are declared`;
    faults.add('zip-directory-disagrees', sizes);
  }
}

/**
 * The content of a member, stored or deflated, in chunks of bounded size, each in memory of its own. The CRC is compared
 * at the end when `limits.crc` is set, so the last chunk may have been handed on before a mismatch shows.
 *
 * Nothing bounds the whole but the member's own size and, for deflated ones, the ratio; see {@link readMember} for
 * `limits.findings`.
 *
 * @throws CheckpointError with the code of what is wrong; whatever the source's reads throw.
 */
export async function* memberChunks(
  source: ByteSource,
  member: ZipMember,
  limits: MemberLimits,
): AsyncGenerator<Uint8Array> {
  const faults = memberFaults(member, limits);
  const plan = planRead(source, member, limits, limits.mostBytes ?? Number.MAX_SAFE_INTEGER, faults);
  const chunks = member.method === STORED ? storedChunks(source, plan) : inflatedChunks(source, plan, member, faults);
  const crcOf = limits.crcOf ?? crc32;
  let crc = 0;
  let given = 0;
  for await (const chunk of chunks) {
    given += chunk.length;
    crc = limits.crc === true ? crcOf(chunk, crc) : crc;
    yield chunk;
  }
  // Part of a member has another CRC than the whole, and whatever is wrong already changes it too.
  if (limits.crc === true && given === member.bytes && !faults.any) {
    faults.compareCrc(crc);
  }
}

/**
 * The whole content of a member: the exact stored bytes, or inflated to at most the declared size, no more than 1 : 1000
 * beyond 16 MiB. Length and CRC-32 are compared with the directory's. Memory grows with what comes out, not with what is
 * declared.
 *
 * With `limits.findings`, what is wrong is added there and the bytes that could be had are returned: perhaps fewer than
 * declared, which whoever needs them all has to compare. Without, the first fault is thrown.
 *
 * @throws CheckpointError: `zip-truncated` or `zip-unsupported-method` for members that cannot be read at all, and without
 *   `limits.findings` every other fault; whatever the source's reads throw.
 */
export const readMember = async (source: ByteSource, member: ZipMember, limits: MemberLimits): Promise<Uint8Array> => {
  const mostBytes = limits.mostBytes ?? MOST_MEMBER_BYTES;
  const whole = { ...limits, mostBytes, crc: limits.crc ?? true };
  const known = member.payload === undefined ? 0 : member.payload.end - member.payload.begin;
  // Stored bytes are there already; deflated ones may not be what they say.
  let content = new Uint8Array(Math.min(member.bytes, known, mostBytes));
  let length = 0;
  for await (const chunk of memberChunks(source, member, whole)) {
    if (chunk.length > content.length - length) {
      const grown = new Uint8Array(nextLength(content.length, length + chunk.length, member.bytes));
      grown.set(content.subarray(0, length));
      content = grown;
    }
    content.set(chunk, length);
    length += chunk.length;
  }
  return length === content.length ? content : content.slice(0, length);
};

/** Twice as much, but no more than is declared unless more has come. */
const nextLength = (now: number, needed: number, declared: number): number =>
  Math.max(needed, Math.min(now * 2, declared));
