import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { readMember } from '../../../../src/core/formats/zip/read-member.ts';
import { listZip } from '../../../support/list-zip.ts';
import { crcOf } from '../../../support/zip-bytes.ts';

const FOLDER = fileURLToPath(new URL('../../../fixtures/zip', import.meta.url));
const fixture = (name: string): Uint8Array => readFileSync(`${FOLDER}/${name}`);

/** What Python's zipfile says of every fixture it opens (test/oracle/zips.py): the independent answer. */
interface Golden {
  readonly members: readonly {
    readonly name: string;
    readonly method: number;
    readonly flags: number;
    readonly crc32: number;
    readonly compressedBytes: number;
    readonly bytes: number;
    readonly header: number;
    /** CRC-32 of the content Python reads, without Python's checks. */
    readonly content: number;
  }[];
}
const goldens: Readonly<Record<string, Golden>> = JSON.parse(readFileSync(`${FOLDER}/expected.json`, 'utf8'));

/** Findings of the fixtures that have any; FORMATS.md 9. */
const ODD: Readonly<Record<string, readonly string[]>> = {
  'zip_local_name_differs.pt': ['zip-local-name-differs'],
  'zip_dup_datapkl.pt': ['zip-duplicate-member'],
  'zip_case_dup.pt': ['zip-duplicate-member'],
  // The directory's CRC is the changed one: the data descriptor still has the right one.
  'zip_bad_crc.pt': ['zip-directory-disagrees'],
};

describe('archives of torch', () => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.pt'));

  it('are all in the golden file', () => {
    expect(names.sort()).toEqual(Object.keys(goldens).sort());
    expect(names.length).toBeGreaterThan(10);
  });

  it.each(names)('%s: the directory is what Python reads', async (name) => {
    const bytes = fixture(name);
    const { directory, codes } = await listZip(bytes);
    expect(codes).toEqual(ODD[name] ?? []);
    const listed = directory.members.map((m) => [
      m.name,
      m.method,
      m.flags,
      m.crc32,
      m.compressedBytes,
      m.bytes,
      m.header,
    ]);
    const golden = goldens[name]?.members ?? [];
    expect(listed).toEqual(
      golden.map((m) => [m.name, m.method, m.flags, m.crc32, m.compressedBytes, m.bytes, m.header]),
    );
    expect(directory.stretches).toEqual([]);
    expect(directory.others).toEqual([]);
    for (const [index, member] of directory.members.entries()) {
      const content = await readMember(memorySource(bytes), member, { file: name, findings: directory.findings });
      expect([content.length, crcOf(content)]).toEqual([member.bytes, golden[index]?.content]);
    }
  });

  it('keep payloads at multiples of 64', async () => {
    const { directory } = await listZip(fixture('zip_mixed.pt'));
    expect(directory.members.length).toBe(16);
    expect(directory.members.map(({ payload }) => (payload?.begin ?? 1) % 64)).toEqual(directory.members.map(() => 0));
  });

  it('tell a wrong CRC', async () => {
    const bytes = fixture('zip_bad_crc.pt');
    const { directory } = await listZip(bytes);
    for (const member of directory.members) {
      await readMember(memorySource(bytes), member, { file: 'm.pt', findings: directory.findings });
    }
    const wrong = directory.findings.list();
    expect(wrong.map(({ code }) => code)).toEqual(['zip-directory-disagrees', 'zip-crc-mismatch']);
    expect(wrong[1]?.message).toMatch(
      /^member "zip_mixed\/data.pkl" has the CRC 0xffc1cdb3, its bytes 0xffc1cd4c: they were changed/,
    );
  });

  it('are the same streamed as not (B30)', async () => {
    const streamed = await listZip(fixture('b30_stream.pt'));
    const plain = await listZip(fixture('b16_stride.pt'));
    expect(streamed.names).toEqual(['archive/data.pkl', 'archive/data/0', 'archive/version']);
    expect(streamed.names).toEqual(plain.names);
    for (const name of plain.names) {
      expect(streamed.raw(name)).toEqual(plain.raw(name));
    }
  });
});
