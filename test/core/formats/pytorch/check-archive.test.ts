import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type CheckedMembers, checkArchive } from '../../../../src/core/formats/pytorch/check-archive.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';
import { dense, stateDict, storage } from '../../../support/torch-bytes.ts';
import { type CraftedMember, utf8, zipBytes } from '../../../support/zip-bytes.ts';

const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const ROOT = stateDict({ a: dense(storage('FloatStorage', '0', 4), [4]) });

const archive = (data: Partial<CraftedMember>, pickle: Partial<CraftedMember> = {}): Uint8Array =>
  zipBytes(
    { name: 'm/data.pkl', content: ROOT, ...pickle },
    { name: 'm/data/0', content: FOUR, ...data },
    { name: 'm/version', content: utf8('3\n') },
  );

const check = (bytes: Uint8Array, which: CheckedMembers = 'all') =>
  checkArchive(memorySource(bytes, 'm.pt'), { which });
const codesOf = async (bytes: Uint8Array, which: CheckedMembers = 'all') =>
  (await check(bytes, which)).map(({ code }) => code);

describe('checkArchive', () => {
  it('finds nothing in sound archives, stored or deflated', async () => {
    expect(await check(archive({}))).toEqual([]);
    expect(await check(archive({ deflate: true }))).toEqual([]);
    expect(await check(archive({ deflate: true }), 'deflated')).toEqual([]);
  });

  it.each<[string, Partial<CraftedMember>, RegExp]>([
    ['fewer bytes than declared', { deflate: true, both: { bytes: 20 } }, /inflates to 16 bytes, 20 are declared/],
    ['more bytes than declared', { deflate: true, both: { bytes: 12 } }, /more than the 12 bytes declared/],
    ['no data at all', { payload: Uint8Array.of(7, 7, 7), both: { method: 8 } }, /breaks off after 0 of 16 bytes/],
  ])('says that a deflated storage inflates to %s, though opening says nothing', async (_what, data, message) => {
    const bytes = archive(data);
    const opened = await inspectBytes(bytes, 'm.pt');
    expect(opened.codes.filter((code) => code.startsWith('zip-'))).toEqual([]);
    const [found, ...others] = await check(bytes, 'deflated');
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'zip-directory-disagrees', severity: 'error', file: 'm.pt' });
    expect(found?.message).toMatch(message);
    expect(found?.message).toContain('"m/data/0"');
  });

  it('says that a stored storage has another CRC, with its place, and reads no stored one unless asked', async () => {
    const bytes = archive({ both: { crc32: 0x01020304 } });
    expect(await check(bytes, 'deflated')).toEqual([]);
    const [found, ...others] = await check(bytes);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: 'zip-crc-mismatch', severity: 'error' });
    expect(found?.message).toMatch(/^member "m\/data\/0" has the CRC 0x01020304, its bytes 0x/);
    // Its own bytes begin there.
    expect([...bytes.subarray(found?.offset, (found?.offset ?? 0) + 16)]).toEqual([...FOUR]);
  });

  it('leaves to the opening what the opening reports: pickles, sizes that disagree, encryption, bombs', async () => {
    const cases: readonly Uint8Array[] = [
      archive({}, { both: { crc32: 1 } }),
      archive({ both: { bytes: 12 } }),
      archive({ both: { flags: 1 } }),
      archive({ both: { method: 99 } }),
      archive({ deflate: true, content: new Uint8Array(20_000_000) }),
    ];
    for (const bytes of cases) {
      expect((await inspectBytes(bytes, 'm.pt')).verdict).not.toBe('clean');
      expect(await codesOf(bytes)).toEqual([]);
    }
  });

  it('checks two members of one name, of which opening reads neither', async () => {
    const lie = { both: { crc32: 5 } };
    const bytes = zipBytes(
      { name: 'm/data.pkl', content: ROOT, ...lie },
      { name: 'm/data.pkl', content: ROOT, ...lie },
    );
    expect(await codesOf(bytes)).toEqual(['zip-crc-mismatch', 'zip-crc-mismatch']);
  });

  it('says once that members have no CRC, as torch writes them when it is told to', async () => {
    const members = Array.from(
      { length: 3 },
      (_, index): CraftedMember => ({
        name: `m/data/${index}`,
        content: FOUR,
        both: { crc32: 0 },
      }),
    );
    const found = await check(zipBytes({ name: 'm/data.pkl', content: ROOT }, ...members));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ code: 'zip-crc-absent', severity: 'note' });
    expect(found[0]?.message).toMatch(/^member "m\/data\/0" has the CRC 0, .*; so have 2 more members$/);
  });

  it('may be stopped between two pieces, and goes on with the CRC it is given', async () => {
    const stop = new Error('stop');
    const source = memorySource(archive({}), 'm.pt');
    const onBytes = (): void => {
      throw stop;
    };
    await expect(checkArchive(source, { which: 'all', onBytes })).rejects.toBe(stop);
    const found = await checkArchive(source, { which: 'all', crcOf: () => 7 });
    expect(found.map(({ code }) => code)).toEqual(['zip-crc-mismatch', 'zip-crc-mismatch']);
  });

  it('gives every member to exactly one of several parts', async () => {
    const sizes = fc.array(fc.nat(50), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 5 }), async (lengths, count) => {
        const members = lengths.map(
          (length, index): CraftedMember => ({
            name: `m/data/${index}`,
            content: new Uint8Array(length + 1).fill(index),
            both: { crc32: 1 + index },
          }),
        );
        const bytes = zipBytes({ name: 'm/data.pkl', content: ROOT }, ...members);
        const whole = await check(bytes);
        const source = memorySource(bytes, 'm.pt');
        const parts = await Promise.all(
          Array.from({ length: count }, (_, index) => checkArchive(source, { which: 'all', share: { index, count } })),
        );
        const key = ({ message }: { readonly message: string }): string => message;
        expect(parts.flat().map(key).sort()).toEqual(whole.map(key).sort());
        expect(whole).toHaveLength(lengths.length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('what opening leaves unread', () => {
  it('is counted by the bytes that come out', async () => {
    const { content } = await inspectBytes(archive({ deflate: true }), 'm.pt');
    expect(content.archives).toEqual([{ file: 0, unread: { deflated: 16, all: 18 } }]);
  });
});
