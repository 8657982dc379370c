import type { Finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { CheckpointError } from '../../errors.ts';
import { FindingList } from '../../finding-list.ts';
import { DEFLATED, STORED } from '../zip/compare-headers.ts';
import { isBomb } from '../zip/judge-members.ts';
import type { MemberLimits } from '../zip/member-limits.ts';
import { memberChunks } from '../zip/read-member.ts';
import { readZipDirectory } from '../zip/read-zip-directory.ts';
import type { ZipDirectory, ZipMember } from '../zip/zip-types.ts';
import { isPickleRecord } from './archive.ts';

/** Which members are read through: those whose size shows only when they are inflated, or every one for its CRC. */
export type CheckedMembers = 'deflated' | 'all';

/** How the members of an archive are checked. */
export interface ArchiveCheck {
  readonly which: CheckedMembers;
  /** One of `count` parts of the members, of about the same size each, for as many threads; all of them when left out. */
  readonly share?: { readonly index: number; readonly count: number };
  readonly crcOf?: MemberLimits['crcOf'];
  /** Called with the bytes of each piece that was checked; may throw to stop. */
  readonly onBytes?: (bytes: number) => void;
}

/** Bytes of content that a check reads through, by {@link CheckedMembers}. */
export type CheckableBytes = Readonly<Record<CheckedMembers, number>>;

/**
 * Whether opening the archive left a member's content unread, and reading it can tell something new. What has no place, is
 * encrypted, inflates out of all proportion or says different sizes was reported from the directory alone.
 */
const isUnchecked = (directory: ZipDirectory, member: ZipMember): boolean => {
  const { payload, method, encrypted, bytes, compressedBytes } = member;
  if (payload === undefined || encrypted || isPickleRecord(directory, member)) {
    return false;
  }
  return method === DEFLATED ? !isBomb(bytes, compressedBytes) : method === STORED && bytes === compressedBytes;
};

const membersFor = (directory: ZipDirectory, which: CheckedMembers): readonly ZipMember[] =>
  directory.members.filter(
    (member) => (which === 'all' || member.method === DEFLATED) && isUnchecked(directory, member),
  );

/** How much {@link checkArchive} would read. */
export const checkableBytes = (directory: ZipDirectory): CheckableBytes => {
  const sum = (which: CheckedMembers): number =>
    membersFor(directory, which).reduce((total, { bytes }) => total + bytes, 0);
  return { deflated: sum('deflated'), all: sum('all') };
};

/** A part of the members: the largest first, each to the part that has least so far. */
const sharedOut = (members: readonly ZipMember[], { index, count }: { index: number; count: number }): ZipMember[] => {
  const loads = new Array<number>(count).fill(0);
  const part: ZipMember[] = [];
  for (const member of [...members].sort((a, b) => b.bytes - a.bytes || a.index - b.index)) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + member.bytes;
    if (least === index) {
      part.push(member);
    }
  }
  return part.sort((a, b) => a.index - b.index);
};

/**
 * Reads members of a PyTorch archive through in bounded memory and compares length and CRC-32 with the directory's: what
 * opening leaves out, so that it costs no more than the directory and the pickles. The directory is read again, as this may
 * be another thread than the one that opened the archive; what is wrong with it was reported then.
 *
 * @throws whatever the source's reads throw, and what `onBytes` throws.
 */
export const checkArchive = async (source: ByteSource, check: ArchiveCheck): Promise<readonly Finding[]> => {
  const directory = await readZipDirectory(source, source.name);
  const members = membersFor(directory, check.which);
  const findings = new FindingList();
  const limits: MemberLimits = {
    file: source.name,
    crc: true,
    findings,
    ...(check.crcOf === undefined ? {} : { crcOf: check.crcOf }),
  };
  for (const member of check.share === undefined ? members : sharedOut(members, check.share)) {
    try {
      for await (const chunk of memberChunks(source, member, limits)) {
        check.onBytes?.(chunk.length);
      }
    } catch (fault) {
      if (!(fault instanceof CheckpointError)) {
        throw fault;
      }
      findings.add(fault.finding);
    }
  }
  return withOneAbsent(findings.list());
};

/** Of members without a CRC, of which an archive has as many as it has storages, tells once. */
const withOneAbsent = (findings: readonly Finding[]): readonly Finding[] => {
  const isAbsent = ({ code }: Finding): boolean => code === 'zip-crc-absent';
  const absent = findings.filter(isAbsent);
  const [first] = absent;
  if (first === undefined || absent.length === 1) {
    return findings;
  }
  const message = `${first.message}; so have ${formatInt(absent.length - 1)} more members`;
  return [...findings.filter((item) => !isAbsent(item)), { ...first, message }];
};
