import { finding } from '../../../shared/findings.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import type { PickleWhere } from '../pickle/grade-pickle.ts';
import { readMember } from '../zip/read-member.ts';
import type { ZipDirectory, ZipMember } from '../zip/zip-types.ts';

/** The records of a `torch.save` archive, found by name (FORMATS.md 2.1). */
export interface TorchArchive {
  readonly source: ByteSource;
  readonly directory: ZipDirectory;
  /** What all record names begin with, the slash included. */
  readonly prefix: string;
  readonly bigEndian: boolean;
  /** Absolute byte of the file at which the source begins: not 0 for an archive inside another file. */
  readonly shift: number;
  /** The record of that exact name; undefined when it is not there or several have it. */
  record(name: string): ZipMember | undefined;
}

/** The pickles that are read whole when an archive is opened; the second one is TorchScript's. */
export const PICKLE_RECORDS = ['data.pkl', 'constants.pkl'] as const;

/** What all record names begin with: the first entry's top folder, its slash included; undefined where there is none. */
const prefixOf = ({ members }: ZipDirectory): string | undefined => {
  const first = members[0]?.name ?? '';
  const slash = first.indexOf('/');
  return slash < 0 ? undefined : first.slice(0, slash + 1);
};

/** Whether a member is one of {@link PICKLE_RECORDS} and no other has its name. */
export const isPickleRecord = (directory: ZipDirectory, { name }: ZipMember): boolean => {
  const prefix = prefixOf(directory);
  return (
    prefix !== undefined &&
    PICKLE_RECORDS.some((record) => name === `${prefix}${record}`) &&
    directory.members.filter((member) => member.name === name).length === 1
  );
};

/** A `byteorder` record is one word; a longer one is not read whole. */
const LONGEST_WORD = 64;

const readByteOrder = async (
  source: ByteSource,
  member: ZipMember | undefined,
  findings: FindingList,
): Promise<boolean> => {
  if (member === undefined) {
    // Files of before 2.1 have none and are little-endian.
    return false;
  }
  // What is wrong with the member itself is reported where all members are looked at.
  const own = { file: source.name, mostBytes: LONGEST_WORD, crc: false, findings: new FindingList() };
  const bytes = await readMember(source, member, own);
  const word = new TextDecoder().decode(bytes);
  if (word !== 'little' && word !== 'big') {
    const message = `the byteorder record says ${quoteName(word)}, expected "little" or "big"; read as little-endian`;
    findings.add(finding('byteorder-unknown', message, { file: source.name, offset: member.header }));
  }
  return word === 'big';
};

/**
 * Finds the records of a PyTorch archive in a zip directory; undefined when there is no `data.pkl` under the first entry's
 * top folder, that is, when the zip is something else.
 */
export const torchArchive = async (
  source: ByteSource,
  directory: ZipDirectory,
  findings: FindingList,
): Promise<TorchArchive | undefined> => {
  const prefix = prefixOf(directory);
  const byName = new Map<string, ZipMember[]>();
  for (const member of directory.members) {
    const same = byName.get(member.name);
    if (same === undefined) {
      byName.set(member.name, [member]);
    } else {
      same.push(member);
    }
  }
  if (prefix === undefined || !byName.has(`${prefix}data.pkl`)) {
    return undefined;
  }
  const record = (name: string): ZipMember | undefined => {
    const found = byName.get(`${prefix}${name}`);
    return found?.length === 1 ? found[0] : undefined;
  };
  const bigEndian = await readByteOrder(source, record('byteorder'), findings);
  return { source, directory, prefix, bigEndian, shift: 0, record };
};

/** Whether an archive is TorchScript's: that is told by its constants (FORMATS.md 2). */
export const isScript = ({ record }: Pick<TorchArchive, 'record'>): boolean => record('constants.pkl') !== undefined;

/** How a pickle of the archive is named in findings, and where its bytes begin in the file. */
export const pickleWhere = (archive: TorchArchive, member: ZipMember): PickleWhere => ({
  file: archive.source.name,
  member: member.name,
  torchScript: isScript(archive),
  ...(member.method === 0 && member.payload !== undefined ? { base: archive.shift + member.payload.begin } : {}),
});
