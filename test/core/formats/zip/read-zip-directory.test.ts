import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { readZipDirectory } from '../../../../src/core/formats/zip/read-zip-directory.ts';
import { regionSource } from '../../../../src/core/formats/zip/region-source.ts';
import { listZip } from '../../../support/list-zip.ts';
import {
  type CraftedMember,
  craftZip,
  extraField,
  joined,
  numbers,
  utf8,
  zipBytes,
} from '../../../support/zip-bytes.ts';

const A: CraftedMember = { name: 'm/data.pkl', content: utf8('pickle') };
const B: CraftedMember = { name: 'm/data/0', content: utf8('storage!') };
const V: CraftedMember = { name: 'm/version', content: utf8('3\n') };

describe('sound archives have no findings', () => {
  it.each<[string, Uint8Array]>([
    ['stored', zipBytes(A, B, V)],
    ['deflated', zipBytes({ ...A, deflate: true }, { ...B, deflate: true })],
    ['streamed, 16 bytes behind', zipBytes({ ...A, descriptor: 16 }, { ...B, descriptor: 16 })],
    ['streamed, 24 bytes behind', zipBytes({ ...A, descriptor: 24 }, { ...B, descriptor: 24 })],
    ['streamed, without signatures', zipBytes({ ...A, descriptor: 12 }, { ...B, descriptor: 20 })],
    ['sizes and offsets in zip64 fields though tiny (B30)', zipBytes({ ...A, zip64: true }, { ...B, zip64: true })],
    [
      '40 bytes of local padding (B30)',
      zipBytes({ ...A, local: { extra: extraField(0x4246, new Uint8Array(36)) } }, B),
    ],
    ['with a zip64 end record', craftZip({ members: [A, B], zip64End: {} }).bytes],
    [
      'whose end record defers to the zip64 one',
      craftZip({
        members: [A, B],
        zip64End: {},
        end: { entries: 0xffff, entriesHere: 0xffff, bytes: 0xffffffff, offset: 0xffffffff },
      }).bytes,
    ],
    ['with a comment', craftZip({ members: [A, B], comment: utf8('made by us') }).bytes],
    ['with the longest comment', craftZip({ members: [A], comment: new Uint8Array(65_535).fill(0x20) }).bytes],
    ['with padding of zipalign in the directory', zipBytes({ ...A, central: { extra: new Uint8Array(3) } })],
  ])('%s', async (_, bytes) => {
    const { codes, directory, raw, names } = await listZip(bytes);
    expect(codes).toEqual([]);
    expect(names[0]).toBe('m/data.pkl');
    expect(directory.members[0]?.bytes).toBe(6);
    if (directory.members[0]?.method === 0) {
      expect(raw('m/data.pkl')).toEqual(utf8('pickle'));
    }
  });

  it('empty', async () => {
    const { codes, directory } = await listZip(zipBytes());
    expect([codes, directory.members, directory.place?.entries]).toEqual([[], [], 0]);
  });

  it('local zip64 fields as torch writes them', async () => {
    const field = extraField(1, numbers([8, 6], [8, 0]));
    const torch = { ...A, descriptor: 24, local: { bytes: 0, compressedBytes: 0, extra: field } } as const;
    expect((await listZip(zipBytes(torch, B))).codes).toEqual([]);
    const standard = {
      ...A,
      local: { bytes: 0xffffffff, compressedBytes: 0xffffffff, extra: extraField(1, numbers([8, 6], [8, 6])) },
    };
    expect((await listZip(zipBytes(standard, B))).codes).toEqual([]);
  });
});

describe('a cut archive', () => {
  it('is refused and says what local headers it has (B30)', async () => {
    const whole = zipBytes(A, B, V);
    const { directory, findings } = await listZip(whole.subarray(0, whole.length - 40));
    expect(findings.map(({ code, message }) => [code, message])).toEqual([
      ['zip-truncated', 'truncated zip: no end record; local headers seen: 3 ("m/data.pkl", "m/data/0", "m/version")'],
    ]);
    expect(directory.members).toEqual([]);
    expect(directory.place).toBeUndefined();
    expect(directory.salvage?.members.map(({ name }) => name)).toEqual(['m/data.pkl', 'm/data/0', 'm/version']);
  });

  it('misses members at its end, not their payloads in the directory', async () => {
    const { bytes, directory } = craftZip({ members: [A, B] });
    const beyond = zipBytes(A, { ...B, central: { header: bytes.length + 1000 } });
    const { codes, member } = await listZip(beyond);
    expect(codes).toContain('zip-truncated');
    expect(member('m/data/0').payload).toBeUndefined();
    expect(member('m/data/0').problem).toMatch(/lies outside the file/);
    const long = zipBytes(A, { ...B, central: { bytes: directory * 10, compressedBytes: directory * 10 } });
    expect((await listZip(long)).member('m/data/0').problem).toMatch(/passes the end of the file/);
  });

  it('may end within its comment', async () => {
    const { findings, names } = await listZip(craftZip({ members: [A], comment: utf8('abc'), commentBytes: 10 }).bytes);
    expect(names).toEqual(['m/data.pkl']);
    expect(findings.map(({ message }) => message)).toEqual(["the archive's comment has 10 bytes, 3 are present"]);
  });
});

describe('end records that disagree', () => {
  it.each<[string, Parameters<typeof craftZip>[0], RegExp]>([
    ['more entries', { members: [A, B], end: { entries: 3, entriesHere: 3 } }, /tells of 3 members, .* has 2(?!\d)/],
    ['fewer entries', { members: [A, B], end: { entries: 1, entriesHere: 1 } }, /tells of 1 members, .* has 2(?!\d)/],
    [
      'zip64 fewer',
      { members: [A, B], zip64End: { entries: 1, entriesHere: 1 } },
      /entries: the end record says 2, the zip64 end record 1/,
    ],
    [
      'end record fewer',
      { members: [A, B], zip64End: {}, end: { entries: 1, entriesHere: 1 } },
      /entries: the end record says 1, the zip64 end record 2/,
    ],
    ['sizes', { members: [A, B], zip64End: {}, end: { bytes: 50 } }, /directory's size: the end record says 50/],
    ['offsets', { members: [A, B], zip64End: {}, end: { offset: 7 } }, /directory's offset: the end record says 7/],
    ['another disk', { members: [A], end: { disk: 1 } }, /one of several disks: disk 1/],
    ['entries elsewhere', { members: [A], end: { entriesHere: 0 } }, /0 of 1 entries here/],
    ['more disks', { members: [A], zip64End: { disks: 3 } }, /speaks of 3 disks/],
    ['zip64 record too long', { members: [A], zip64End: { recordBytes: 100n } }, /ends at \d+ by its own length/],
    [
      'locator astray',
      { members: [A], zip64End: { locator: 2n ** 63n } },
      /its locator says 9,223,372,036,854,775,808/,
    ],
    ['a directory too short', { members: [A, B], end: { bytes: 56 } }, /would have to end at/],
    ['bytes behind it', { members: [A, B], behindDirectory: new Uint8Array(9) }, /would have to end at/],
    ['an entry on a disk', { members: [{ ...A, central: { disk: 4 } }] }, /is said to lie on disk 4/],
    [
      'an entry that is none',
      { members: [A, { ...B, central: { signature: 1 } }] },
      /bytes of the directory, .* are no entry/,
    ],
  ])('%s', async (_, zip, message) => {
    const { codes, findings, member } = await listZip(craftZip(zip).bytes);
    expect(codes).toContain('zip-directory-disagrees');
    expect(findings.map((item) => item.message).join('\n')).toMatch(message);
    expect(member('m/data.pkl').payload).toEqual({ begin: 40, end: 46 });
  });
});

describe('several directories', () => {
  const inner = zipBytes({ name: 'x', content: utf8('inner') });

  it('an archive stored in a member is no second end record', async () => {
    expect((await listZip(zipBytes(A, { name: 'm/inner.pt', content: inner }))).codes).toEqual([]);
  });

  it('unless its comment would end where the file does', async () => {
    const name = 'm/inner.pt';
    // Behind the inner end record: the outer directory entry and end record.
    const toEnd = 46 + name.length + 22;
    const reaching = craftZip({ members: [{ name: 'x', content: utf8('inner') }], commentBytes: toEnd }).bytes;
    const { codes, findings } = await listZip(zipBytes({ name, content: reaching }));
    expect(codes).toEqual(['zip-directory-disagrees']);
    expect(findings[0]?.message).toMatch(/^2 end records, at offsets/);
  });

  it('two archives in a row: the last counts, the first is listed', async () => {
    const first = zipBytes(A, B);
    const { codes, names, directory } = await listZip(joined(first, inner));
    expect(names).toEqual(['x']);
    expect(codes).toContain('zip-prefix-bytes');
    expect(codes).toContain('zip-directory-disagrees');
    const [stretch] = directory.stretches;
    expect([stretch?.begin, stretch?.end, stretch?.isZip, stretch?.mayHoldCode]).toEqual([0, first.length, true, true]);
    const source = regionSource(memorySource(joined(first, inner)), { begin: 0, end: first.length });
    const listed = await readZipDirectory(source, 'm.pt');
    expect(listed.members.map(({ name }) => name)).toEqual(['m/data.pkl', 'm/data/0']);
    const [other] = directory.others;
    expect((await listZip(joined(first, inner), other)).names).toEqual(['m/data.pkl', 'm/data/0']);
  });

  it('an empty end record behind a full archive does not hide it', async () => {
    const bytes = joined(zipBytes(A, B), zipBytes());
    const { codes, directory } = await listZip(bytes);
    expect(codes).toContain('zip-directory-disagrees');
    const [other] = directory.others;
    expect((await listZip(bytes, other)).names).toEqual(['m/data.pkl', 'm/data/0']);
  });

  it('an end record in the comment', async () => {
    const { codes } = await listZip(craftZip({ members: [A], comment: zipBytes() }).bytes);
    expect(codes).toContain('zip-directory-disagrees');
  });

  it('a signature in the bytes behind that leads nowhere', async () => {
    const junk = joined(utf8('PK\u0005\u0006'), new Uint8Array(18).fill(0x41));
    const { codes, names } = await listZip(joined(zipBytes(A), junk));
    expect(names).toEqual(['m/data.pkl']);
    expect(codes).toEqual(['zip-trailing-bytes', 'zip-directory-disagrees']);
  });

  it('a directory for readers without zip64', async () => {
    const plain = craftZip({ members: [A] });
    const hidden = craftZip({
      members: [B],
      zip64End: {},
      prefix: plain.bytes,
      offsetsCountPrefix: true,
      end: { offset: plain.directory, bytes: plain.directoryEnd - plain.directory },
    });
    const { codes, names, directory } = await listZip(hidden.bytes);
    expect(names).toEqual(['m/data/0']);
    expect(codes).toContain('zip-directory-disagrees');
    const other = directory.others.find(({ endRecord }) => endRecord === hidden.endRecord);
    expect((await listZip(hidden.bytes, other)).names).toContain('m/data.pkl');
  });
});

describe('bytes that belong to nothing', () => {
  it.each([false, true])('in front (offsets count them: %s)', async (offsetsCountPrefix) => {
    const { bytes } = craftZip({ members: [A, B], prefix: utf8('#!/bin/sh\n'), offsetsCountPrefix, zip64End: {} });
    const { codes, directory, raw } = await listZip(bytes);
    expect(codes).toEqual(['zip-prefix-bytes']);
    expect(raw('m/data/0')).toEqual(utf8('storage!'));
    expect(directory.stretches.map(({ begin, end, kind }) => [begin, end, kind])).toEqual([[0, 10, 'a script']]);
    expect(directory.place?.shift).toBe(offsetsCountPrefix ? 0 : 10);
  });

  it('behind, an archive without an end too', async () => {
    const cut = zipBytes(B).subarray(0, 60);
    const { codes, directory, findings } = await listZip(craftZip({ members: [A], trailing: cut }).bytes);
    expect(codes).toEqual(['zip-trailing-bytes']);
    expect(findings[0]?.message).toMatch(
      /^60 bytes at offset \d+ behind the end of the archive; they look like a zip archive/,
    );
    expect(directory.stretches.map(({ where, isZip }) => [where, isZip])).toEqual([['behind the end record', true]]);
  });

  it('between members and in front of the directory', async () => {
    const { codes, directory } = await listZip(
      craftZip({ members: [A, { ...B, gap: utf8('gap') }], beforeDirectory: utf8('PK\u0003\u0004') }).bytes,
    );
    expect(codes).toEqual(['zip-unlisted-bytes', 'zip-unlisted-bytes']);
    expect(directory.stretches.map(({ begin, end, isZip }) => [end - begin, isZip])).toEqual([
      [3, false],
      [4, true],
    ]);
  });

  it('a comment that looks like a pickle', async () => {
    const { codes } = await listZip(craftZip({ members: [A], comment: Uint8Array.of(0x80, 2, 0x2e) }).bytes);
    expect(codes).toEqual(['zip-trailing-bytes']);
  });
});
