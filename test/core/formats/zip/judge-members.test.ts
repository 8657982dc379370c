import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../../src/shared/findings.ts';
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

const PICKLE: CraftedMember = { name: 'archive/data.pkl', content: utf8('cos\nsystem\n.') };
const JUNK: CraftedMember = { name: 'archive/junk', content: utf8('junk') };

describe('local headers', () => {
  it('another name: the directory counts, the other one is told (B31)', async () => {
    const { codes, findings, member, raw } = await listZip(
      zipBytes({ ...PICKLE, local: { name: 'archive/datap.kl' } }),
    );
    expect(codes).toEqual(['zip-local-name-differs']);
    expect(findings[0]?.message).toContain('local header says "archive/datap.kl"');
    expect(raw('archive/data.pkl')).toEqual(PICKLE.content);
    expect([member('archive/data.pkl').localNameDiffers, member('archive/data.pkl').localName]).toEqual([
      true,
      'archive/datap.kl',
    ]);
  });

  it.each([0, 1, 5000, 65_535])('a local name of %s bytes: its own length places the payload', async (length) => {
    const { codes, member, raw } = await listZip(zipBytes({ ...PICKLE, local: { name: 'x'.repeat(length) } }, JUNK));
    expect(codes).toEqual(['zip-local-name-differs']);
    expect(raw('archive/data.pkl')).toEqual(PICKLE.content);
    expect(member('archive/data.pkl').localName).toBe('x'.repeat(Math.min(length, 4096)));
  });

  it('a name and a zip64 field that would lie behind the end of the file', async () => {
    const { bytes } = craftZip({ members: [{ ...JUNK, local: { bytes: 0xffffffff } }] });
    bytes.fill(0xff, 26, 30);
    const { findings, member } = await listZip(bytes);
    const messages = findings.map((item) => item.message).join('\n');
    expect(messages).toContain('passes the end of the file');
    expect(messages).toContain('defers to a zip64 field that is missing');
    expect(member('archive/junk').payload).toBeUndefined();
  });

  it('a Unicode path field that calls it otherwise', async () => {
    const extra = extraField(0x7075, joined(Uint8Array.of(1), numbers([4, 0]), utf8('archive/other.pkl')));
    const { findings } = await listZip(zipBytes({ ...PICKLE, central: { extra } }));
    expect(findings.map(({ code }) => code)).toEqual(['zip-local-name-differs']);
    expect(findings[0]?.message).toContain('"archive/other.pkl"');
  });

  it.each<[string, CraftedMember, string]>([
    ['method', { ...JUNK, local: { method: 8 } }, 'says method 8, the directory 0'],
    ['CRC', { ...JUNK, local: { crc32: 5 } }, 'says CRC 0x00000005, the directory 0x'],
    ['size', { ...JUNK, local: { bytes: 77 } }, 'says size 77, the directory 4'],
    ['compressed size', { ...JUNK, local: { compressedBytes: 1_000 } }, 'says compressed size 1,000, the directory 4'],
    [
      'size in a zip64 field',
      { ...JUNK, local: { bytes: 0xffffffff, extra: extraField(1, numbers([8, 9])) } },
      'says size 9, the directory 4',
    ],
    ['size, though streamed', { ...JUNK, descriptor: 16, local: { bytes: 8 } }, 'says size 8, the directory 4'],
    [
      'no zip64 field',
      { ...JUNK, local: { bytes: 0xffffffff } },
      'defers to a zip64 field that is missing or too short',
    ],
    [
      'descriptor',
      { ...JUNK, descriptor: 16, descriptorLies: { bytes: 3 } },
      'data descriptor of member "archive/junk" says CRC',
    ],
    [
      'directory',
      { ...JUNK, zip64: true, central: { extra: extraField(1, numbers([8, 4])) } },
      'its zip64 field is missing or too short',
    ],
    [
      'extra field',
      { ...JUNK, central: { extra: numbers([2, 9], [2, 9]) } },
      'its extra field 0x0009 declares 9 bytes, 0 are left',
    ],
    [
      'two fields',
      { ...JUNK, central: { extra: joined(extraField(1, new Uint8Array()), extraField(1, new Uint8Array())) } },
      'more than one zip64 field',
    ],
    ['no header', { ...JUNK, local: { signature: 0x12345678 } }, 'no local header at offset 59 (0x12345678 instead'],
    ['stored sizes', { ...JUNK, both: { bytes: 9 } }, 'is stored, yet would be 9 bytes of 4 stored ones'],
  ])('disagree about %s: both values are told, the others are listed', async (_, junk, message) => {
    const first = { name: 'archive/v', content: utf8('0123456789abcdef0123') };
    const { codes, findings, raw } = await listZip(zipBytes(first, junk));
    expect(findings.map((item) => item.message).join('\n')).toContain(message);
    expect(codes).toContain('zip-directory-disagrees');
    expect(raw('archive/v')).toEqual(first.content);
  });
});

describe('flags (B32)', () => {
  const bits = Array.from({ length: 16 }, (_, bit) => bit);
  const sides = ['local', 'central', 'both'] as const;

  it.each(bits.flatMap((bit) => sides.map((side) => [bit, side] as const)))('bit %s, %s', async (bit, side) => {
    const lie = { [side]: { flags: 1 << bit } };
    const { findings, member, names, raw } = await listZip(zipBytes({ ...JUNK, ...lie }, { ...PICKLE, ...lie }));
    expect(names).toEqual(['archive/junk', 'archive/data.pkl']);
    expect(raw('archive/data.pkl')).toEqual(PICKLE.content);
    const encrypted = side !== 'local' && [0, 6, 13].includes(bit);
    expect(member('archive/data.pkl').encrypted).toBe(encrypted);
    // Bit 11 alone says only that the name is UTF-8.
    expect(verdictOf(findings)).toBe(bit === 11 && side === 'both' ? 'clean' : encrypted ? 'incomplete' : 'warnings');
    const shown = `0x${(1 << bit).toString(16).padStart(4, '0')}`;
    expect(findings.every(({ message }) => message.includes(shown) || message.includes('data descriptor'))).toBe(true);
  });

  it('how hard deflate tried means nothing', async () => {
    expect((await listZip(zipBytes({ ...JUNK, deflate: true, both: { flags: 6 } }))).codes).toEqual([]);
  });

  it('really encrypted members are not also wrong in size', async () => {
    const encrypted = { ...JUNK, payload: new Uint8Array(16), both: { flags: 1 } };
    expect((await listZip(zipBytes(encrypted))).codes).toEqual(['zip-encrypted']);
  });

  it('a name that is flagged as UTF-8 and is not', async () => {
    const name = Uint8Array.of(0x61, 0x80);
    const { codes, names } = await listZip(zipBytes({ ...JUNK, name, both: { flags: 1 << 11 } }));
    expect([codes, names]).toEqual([['zip-flags'], ['aÇ']]);
    expect((await listZip(zipBytes({ ...JUNK, name }))).codes).toEqual([]);
    expect((await listZip(zipBytes({ ...JUNK, name: 'größe' }))).names).toEqual(['größe']);
  });

  it('methods that cannot be read (B30)', async () => {
    const { codes, member } = await listZip(zipBytes({ ...JUNK, both: { method: 99 } }, PICKLE));
    expect(codes).toEqual(['zip-unsupported-method']);
    expect(member('archive/junk').method).toBe(99);
  });
});

describe('names', () => {
  it.each<[string, string, boolean]>([
    ['a/data.pkl', 'a/data.pkl', true],
    ['a/data.pkl', 'a/DATA.pkl', true],
    ['a/data.pkl', 'a\\data.pkl', true],
    ['a/data.pkl', 'a/data.pkl\0.txt', true],
    ['a/data.pkl', 'b/data.pkl', false],
    ['a/data/1', 'a/data/10', false],
  ])('%j and %j: one name %s', async (one, two, shared) => {
    const members = [{ ...PICKLE, name: one }, JUNK, { ...PICKLE, name: two }];
    const { findings, directory } = await listZip(zipBytes(...members));
    const duplicates = findings.filter(({ code }) => code === 'zip-duplicate-member');
    expect(duplicates.length).toBe(shared ? 1 : 0);
    expect(directory.members.map(({ sharesName }) => sharesName)).toEqual([shared, false, shared]);
    expect(duplicates.every(({ message }) => message.includes('at offset'))).toBe(true);
  });

  it('a thousand of one name are one finding', async () => {
    const { findings } = await listZip(zipBytes(...Array.from({ length: 1000 }, () => JUNK)));
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^1,000 members are called "archive\/junk", .* and 995 more/),
    ]);
  });

  it.each<[string, Partial<CraftedMember>, string]>([
    ['absolute', { name: '/etc/passwd' }, 'is an absolute path'],
    ['absolute on Windows', { name: '\\\\host\\x' }, 'is an absolute path'],
    ['with a drive', { name: 'C:x' }, 'is an absolute path'],
    ['upwards', { name: 'a/../../x' }, 'leads out of its folder'],
    ['upwards by backslashes', { name: 'a\\..\\x' }, 'leads out of its folder'],
    ['with a NUL', { name: 'a\0b' }, 'holds a NUL'],
    ['empty', { name: '' }, 'is empty'],
    ['a link', { central: { attributes: 0xa1ff_0000 } }, 'is a symbolic link'],
    ['a device', { central: { attributes: 0x2000_0000 } }, 'is a special file'],
  ])('%s', async (_, change, message) => {
    const { codes, findings, directory } = await listZip(zipBytes({ ...JUNK, ...change }));
    expect(codes).toEqual(['zip-name-unsafe']);
    expect(findings[0]?.message).toContain(message);
    expect(directory.members[0]?.unsafeName).toBe(true);
  });

  it.each(['a/..b/x', 'a../b', 'ab:c', 'm/', '...'])('%j is a name like others', async (name) => {
    const { codes, directory } = await listZip(zipBytes({ name }));
    expect([codes, directory.members[0]?.unsafeName]).toEqual([[], false]);
  });

  it('hostile text stays what it is (B56)', async () => {
    const name = '<img src=x onerror=alert(1)>\u001b[2J\u202e\u200b';
    const { names } = await listZip(zipBytes({ ...JUNK, name }, { ...JUNK, name: `x${'\u0301'.repeat(10_000)}` }));
    expect(names).toEqual([name, `x${'\u0301'.repeat(10_000)}`]);
  });
});

describe('bombs', () => {
  const zeros = (bytes: number): CraftedMember => {
    const content = new Uint8Array(bytes);
    return { name: `z${bytes}`, content, payload: deflateRawSync(content, { level: 9 }), both: { method: 8 } };
  };

  it('64 MiB of zeros (B30): the ratio is told', async () => {
    const { codes, findings } = await listZip(zipBytes(zeros(64 * 1024 * 1024)));
    expect(codes).toEqual(['zip-bomb']);
    expect(findings[0]?.message).toMatch(/67,108,864 bytes from 65,2\d\d, 1 : 1,029/);
  });

  it('less is none, many of them are', async () => {
    const part = zeros(4 * 1024 * 1024);
    expect((await listZip(zipBytes(part))).codes).toEqual([]);
    const many = Array.from({ length: 5 }, (_, index) => ({ ...part, name: `z${index}` }));
    expect((await listZip(zipBytes(...many))).codes).toEqual(['zip-bomb']);
  });

  it('a declared size alone', async () => {
    const { codes } = await listZip(zipBytes({ ...JUNK, deflate: true, both: { bytes: 2 ** 31 } }));
    expect(codes).toEqual(['zip-bomb']);
  });
});
