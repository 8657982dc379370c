import { memorySource } from '../../src/core/bytes/memory-source.ts';
import { readZipDirectory } from '../../src/core/formats/zip/read-zip-directory.ts';
import type { DirectoryPlace, ZipDirectory, ZipMember } from '../../src/core/formats/zip/zip-types.ts';
import type { Finding, FindingCode } from '../../src/shared/findings.ts';

/** What the reader makes of some bytes, ready to be compared. */
export interface ListedZip {
  readonly directory: ZipDirectory;
  readonly findings: readonly Finding[];
  readonly codes: readonly FindingCode[];
  readonly names: readonly string[];
  /** Content of the payload, as it stands in the file. */
  readonly raw: (name: string) => Uint8Array;
  readonly member: (name: string) => ZipMember;
}

/** Lists an archive in memory. */
export const listZip = async (bytes: Uint8Array, at?: DirectoryPlace): Promise<ListedZip> => {
  const directory = await readZipDirectory(memorySource(bytes, 'm.pt'), 'm.pt', at);
  const findings = directory.findings.list();
  const member = (name: string): ZipMember => {
    const found = directory.members.find((item) => item.name === name);
    if (found === undefined) {
      throw new Error(`no member ${name} among ${directory.members.map((item) => item.name).join(', ')}`);
    }
    return found;
  };
  return {
    directory,
    findings,
    codes: findings.map(({ code }) => code),
    names: directory.members.map(({ name }) => name),
    member,
    raw: (name) => {
      const { payload } = member(name);
      if (payload === undefined) {
        throw new Error(`member ${name} has no payload`);
      }
      return bytes.subarray(payload.begin, payload.end);
    },
  };
};
