import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { FindingList } from '../../finding-list.ts';
import { readCentralDirectory } from './central-directory.ts';
import { type Choice, chooseDirectory, reportRivals } from './choose-directory.ts';
import { endOf, findEndRecords } from './end-records.ts';
import { judgeLayout } from './judge-layout.ts';
import { judgeMembers } from './judge-members.ts';
import { readLocalHeaders } from './local-headers.ts';
import { END_BYTES, type Report, reporter } from './records.ts';
import { salvageMembers, saySalvage } from './salvage.ts';
import { reportStretches, sniffStretches } from './stretches.ts';
import type { ByteRange, DirectoryPlace, Stretch, ZipDirectory, ZipMember } from './zip-types.ts';

interface Listed {
  readonly members: readonly ZipMember[];
  readonly stretches: readonly (ByteRange & Pick<Stretch, 'where'>)[];
}

const listMembers = async (source: ByteSource, place: DirectoryPlace, report: Report): Promise<Listed> => {
  const entries = await readCentralDirectory(source, place, report);
  const local = await readLocalHeaders(source, entries, report);
  judgeMembers(entries, report);
  const { prefix, between } = await judgeLayout(source, local, place, report);
  return {
    members: entries.map(({ member }) => member),
    stretches: [
      { ...prefix, where: 'before the first member' },
      ...between.map((stretch) => ({ ...stretch, where: 'between members' as const })),
    ],
  };
};

/** The comment and what follows it. */
const tailStretches = (source: ByteSource, end: Choice['end'], report: Report): Listed['stretches'] => {
  const commentEnd = Math.min(endOf(end), source.size);
  if (endOf(end) > source.size) {
    const there = formatInt(source.size - end.at - END_BYTES);
    const message = `the archive's comment has ${formatInt(end.commentBytes)} bytes, ${there} are present`;
    report('zip-truncated', message, end.at);
  }
  return [
    { begin: end.at + END_BYTES, end: commentEnd, where: 'comment' },
    { begin: commentEnd, end: source.size, where: 'behind the end record' },
  ];
};

/** The directory could not be read: says so and searches for local headers. */
const refuse = async (
  source: ByteSource,
  file: string,
  why: string,
  others: readonly DirectoryPlace[],
  findings: FindingList,
): Promise<ZipDirectory> => {
  const salvage = await salvageMembers(source);
  reporter(findings, file)('zip-truncated', `${why}; ${saySalvage(salvage)}`, source.size);
  return { file, members: [], place: undefined, others, stretches: [], salvage, findings };
};

/**
 * Reads the directory of a zip archive without believing it: every number is compared with the bytes there are, the local
 * headers with the directory, the members with each other. What is wrong becomes findings, and whatever can still be
 * placed is listed. No payload is read, whatever the file's size.
 *
 * @param source Where the archive lies; absolute offsets are offsets in it (see `regionSource` for one inside a file).
 * @param file The name for findings.
 * @param at Lists this one of {@link ZipDirectory.others} instead of the directory PyTorch and Python take.
 * @throws whatever the source's reads throw (OutOfRangeError never: every range was compared with the file's size).
 */
export const readZipDirectory = async (
  source: ByteSource,
  file: string,
  at?: DirectoryPlace,
): Promise<ZipDirectory> => {
  const findings = new FindingList();
  const report = reporter(findings, file);
  const { records, more } = await findEndRecords(source);
  const candidates = at === undefined ? records : records.filter((record) => record.at === at.endRecord);
  const choice = await chooseDirectory(source, candidates, findings);
  if (choice === undefined) {
    return refuse(source, file, 'truncated zip: no end record', [], findings);
  }
  const place = at ?? choice.place;
  if (place === undefined) {
    return refuse(source, file, 'damaged zip: no end record leads to a directory', choice.others, findings);
  }
  const listed = await listMembers(source, place, report);
  const ranges = [...listed.stretches, ...tailStretches(source, choice.end, report)];
  const stretches = await sniffStretches(source, ranges);
  reportStretches(stretches, report);
  const serious = new Set(
    [choice.end, ...reportRivals(source, choice, listed.members, more, report)].map(({ at }) => at),
  );
  const others = choice.others.filter(({ begin, endRecord }) => begin !== place.begin && serious.has(endRecord));
  return { file, members: listed.members, place, others, stretches, salvage: undefined, findings };
};
