import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { contentKind } from '../content-kinds.ts';
import { gradePickle } from '../pickle/grade-pickle.ts';
import { looksLikePickle } from '../pickle/looks-like-pickle.ts';
import type { PickleLog } from '../pickle/pickle-log.ts';
import { runPickle } from '../pickle/run-pickle.ts';
import { readMember } from '../zip/read-member.ts';
import { readZipDirectory } from '../zip/read-zip-directory.ts';
import { regionSource } from '../zip/region-source.ts';
import type { ZipMember } from '../zip/zip-types.ts';
import { isScript, pickleWhere, type TorchArchive } from './archive.ts';

/** Bytes of a member that are looked at to tell whether it is a pickle. */
const SNIFFED_BYTES = 4096;
/** Longest unreferenced member that is scanned as a pickle, in bytes. */
const LONGEST_SCANNED = 256 * 1024 * 1024;

/**
 * TorchScript keeps line numbers of its code, and the inputs that a module was traced with, in pickles of their own, which
 * belong there (FORMATS.md 2.10).
 */
const isScriptRecord = (archive: TorchArchive, { name }: ZipMember): boolean =>
  isScript(archive) &&
  ((name.startsWith(`${archive.prefix}code/`) && name.endsWith('.debug_pkl')) ||
    name === `${archive.prefix}traced_inputs.pkl`);

const scanMember = async (
  archive: TorchArchive,
  member: ZipMember,
  findings: FindingList,
  log: PickleLog,
): Promise<void> => {
  const { source } = archive;
  const file = source.name;
  const name = quoteName(member.name);
  const readable = member.payload !== undefined && (member.method === 0 || member.method === 8);
  if (!readable || member.bytes === 0) {
    return;
  }
  const limits = { file, crc: false, findings: new FindingList() };
  const head =
    member.method === 0 && member.payload !== undefined
      ? await readBytes(
          source,
          member.payload.begin,
          Math.min(SNIFFED_BYTES, member.payload.end - member.payload.begin),
        )
      : await readMember(source, member, { ...limits, mostBytes: SNIFFED_BYTES });
  const kind = contentKind(head, member.bytes);
  const whole = member.bytes <= LONGEST_SCANNED ? await readMember(source, member, limits) : head;
  if (isScriptRecord(archive, member)) {
    findings.add(...gradePickle(runPickle(whole), pickleWhere(archive, member), log));
  } else if (looksLikePickle(whole)) {
    const message = `the member ${name}, which nothing refers to, holds a pickle of ${formatInt(member.bytes)} bytes`;
    findings.add(finding('hidden-pickle', message, { file, offset: member.header }));
    findings.add(...gradePickle(runPickle(whole), pickleWhere(archive, member), log));
  } else if (kind?.mayHoldCode === true) {
    const message = `the member ${name}, which nothing refers to, looks like ${kind.label} and was not scanned`;
    findings.add(finding('not-scanned', message, { file, offset: member.header }));
  }
};

/** Members of other directories that a reader might take instead, and of archives in bytes that belong to nothing. */
async function* hiddenArchives(archive: TorchArchive): AsyncGenerator<TorchArchive> {
  const { source, directory } = archive;
  for (const place of directory.others) {
    yield { ...archive, directory: await readZipDirectory(source, directory.file, place) };
  }
  for (const stretch of directory.stretches) {
    if (stretch.isZip) {
      const region = regionSource(source, stretch);
      const inner = await readZipDirectory(region, directory.file);
      yield { ...archive, source: region, directory: inner, shift: archive.shift + stretch.begin };
    }
  }
}

/**
 * Looks into every member that is no referenced storage and no pickle already scanned (FIELD-CASES B33), also into those
 * of a second directory or archive that the file hides.
 */
export const scanOthers = async (
  archive: TorchArchive,
  known: ReadonlySet<ZipMember>,
  findings: FindingList,
  log: PickleLog,
): Promise<void> => {
  for (const member of archive.directory.members) {
    if (!known.has(member)) {
      await scanMember(archive, member, findings, log);
    }
  }
  const seen = new Set(archive.directory.members.map(({ header }) => header));
  for await (const hidden of hiddenArchives(archive)) {
    for (const member of hidden.directory.members) {
      if (!seen.has(hidden.shift + member.header)) {
        await scanMember(hidden, member, findings, log);
      }
    }
  }
};
