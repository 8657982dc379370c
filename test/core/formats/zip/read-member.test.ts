import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { FindingList } from '../../../../src/core/finding-list.ts';
import { memberChunks, readMember } from '../../../../src/core/formats/zip/read-member.ts';
import type { ZipMember } from '../../../../src/core/formats/zip/zip-types.ts';
import type { FindingCode } from '../../../../src/shared/findings.ts';
import { listZip } from '../../../support/list-zip.ts';
import { type CraftedMember, crcOf, joined, utf8, zipBytes } from '../../../support/zip-bytes.ts';

const text = utf8('the quick brown fox '.repeat(200));
const A: CraftedMember = { name: 'a', content: text };

interface Read {
  readonly content: Uint8Array;
  readonly codes: readonly FindingCode[];
  readonly messages: readonly string[];
}

const only = async (crafted: CraftedMember): Promise<readonly [Uint8Array, ZipMember]> => {
  const bytes = zipBytes(crafted);
  const { directory } = await listZip(bytes);
  const [member] = directory.members;
  if (member === undefined) {
    throw new Error('no member');
  }
  return [bytes, member];
};

/** Reads the one member, collecting what is wrong. */
const read = async (crafted: CraftedMember, mostBytes?: number): Promise<Read> => {
  const [bytes, member] = await only(crafted);
  const findings = new FindingList();
  const limits = mostBytes === undefined ? { file: 'm' } : { file: 'm', mostBytes };
  const content = await readMember(memorySource(bytes), member, { ...limits, findings });
  return {
    content,
    codes: findings.list().map(({ code }) => code),
    messages: findings.list().map(({ message }) => message),
  };
};

/** The code it throws when nothing collects. */
const strict = async (crafted: CraftedMember): Promise<unknown> => {
  const [bytes, member] = await only(crafted);
  return readMember(memorySource(bytes), member, { file: 'm' }).then(
    (content) => content.length,
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
};

describe('whole members', () => {
  it.each<[string, CraftedMember]>([
    ['stored', A],
    ['deflated', { ...A, deflate: true }],
    ['deflated in stored blocks', { ...A, payload: deflateRawSync(text, { level: 0 }), both: { method: 8 } }],
    ['empty', { name: 'e' }],
    ['empty, deflated', { name: 'e', deflate: true }],
  ])('%s: exact bytes in memory of their own', async (_, crafted) => {
    const { content, codes } = await read(crafted);
    expect(codes).toEqual([]);
    expect(content).toEqual(crafted.content ?? new Uint8Array());
    expect(content.buffer.byteLength).toBe(content.length);
    expect(await strict(crafted)).toBe(content.length);
  });
});

describe('wrong members', () => {
  const deflated = deflateRawSync(text);
  const flipped = Uint8Array.from(deflated, (byte, index) => (index === 10 ? byte ^ 0x55 : byte));
  const reserved = Uint8Array.of(0x07);

  it.each<[string, CraftedMember, FindingCode, RegExp, number]>([
    ['CRC', { ...A, both: { crc32: 1 } }, 'zip-crc-mismatch', /has the CRC 0x00000001, its bytes 0x/, text.length],
    ['CRC, deflated', { ...A, deflate: true, both: { crc32: 1 } }, 'zip-crc-mismatch', /0x00000001/, text.length],
    [
      'longer than declared',
      { ...A, deflate: true, both: { bytes: 100 } },
      'zip-directory-disagrees',
      /more than the 100 bytes/,
      100,
    ],
    [
      'shorter than declared',
      { ...A, deflate: true, both: { bytes: 9999 } },
      'zip-directory-disagrees',
      /to 4,000 bytes, 9,999 are/,
      text.length,
    ],
    [
      'cut',
      { ...A, payload: deflated.subarray(0, 40), both: { method: 8 } },
      'zip-directory-disagrees',
      /breaks off after \d+ of 4,000 bytes: /,
      -1,
    ],
    [
      'no deflate',
      { ...A, payload: reserved, both: { method: 8 } },
      'zip-directory-disagrees',
      /breaks off after 0 of/,
      0,
    ],
    [
      'fewer stored',
      { ...A, both: { bytes: 4010 } },
      'zip-directory-disagrees',
      /declares 4,010 bytes and stores 4,000/,
      4010,
    ],
    [
      'more stored',
      { ...A, both: { bytes: 10 } },
      'zip-directory-disagrees',
      /declares 10 bytes and stores 4,000/,
      4000,
    ],
  ])('%s: told, and what is there is given; strict: thrown', async (_, crafted, code, message, length) => {
    const { content, codes, messages } = await read(crafted);
    expect(codes[0]).toBe(code);
    expect(messages[0]).toMatch(message);
    expect(content.length).toBe(length < 0 ? content.length : length);
    expect(content.subarray(0, Math.min(length, text.length))).toEqual(
      text.subarray(0, Math.max(Math.min(length, content.length, text.length), 0)),
    );
    expect(await strict(crafted)).toBe(code);
  });

  it('a changed deflate stream never passes', async () => {
    const crafted: CraftedMember = { ...A, payload: flipped, both: { method: 8 } };
    expect((await read(crafted)).codes.length).toBeGreaterThan(0);
    expect(['zip-directory-disagrees', 'zip-crc-mismatch']).toContain(await strict(crafted));
  });

  it('a CRC of 0 is one that torch did not compute: a note', async () => {
    const [bytes, member] = await only({ ...A, both: { crc32: 0 } });
    const findings = new FindingList();
    await readMember(memorySource(bytes), member, { file: 'm', findings });
    expect(findings.list().map(({ code, severity, message }) => [code, severity, message])).toEqual([
      [
        'zip-crc-absent',
        'note',
        `member "a" has the CRC 0, which torch writes when it computes none; the bytes have 0x${crcOf(text).toString(16).padStart(8, '0')}`,
      ],
    ]);
    expect(findings.verdict()).toBe('clean');
    expect(await strict({ ...A, both: { crc32: 0 } })).toBe(text.length);
  });

  it('flagged as encrypted: the bytes as they are, and whether they can be', async () => {
    expect((await read({ ...A, both: { flags: 1 } })).codes).toEqual([]);
    expect((await read({ ...A, payload: new Uint8Array(4000), both: { flags: 1 } })).codes).toEqual(['zip-encrypted']);
    expect((await read({ ...A, payload: reserved, both: { flags: 1, method: 8 } })).codes).toEqual(['zip-encrypted']);
    expect(await strict({ ...A, both: { flags: 1 } })).toBe('zip-encrypted');
  });

  it('no more than asked for', async () => {
    for (const crafted of [A, { ...A, deflate: true }]) {
      const { content, codes } = await read(crafted, 100);
      expect([content, codes]).toEqual([text.subarray(0, 100), ['not-scanned']]);
    }
  });

  it('without a place or a known method: thrown either way', async () => {
    await expect(read({ ...A, both: { method: 99 } })).rejects.toMatchObject({ code: 'zip-unsupported-method' });
    await expect(read({ ...A, both: { bytes: 1e9, compressedBytes: 1e9 } })).rejects.toMatchObject({
      code: 'zip-truncated',
    });
    await expect(read({ ...A, local: { signature: 0 } })).rejects.toMatchObject({ code: 'zip-truncated' });
  });
});

describe('bombs', () => {
  const MIB = 1024 * 1024;
  const zeros = deflateRawSync(new Uint8Array(64 * MIB), { level: 9 });

  it('are stopped at 1 : 1000, the ratio is told (B30)', async () => {
    const crafted = { name: 'z', payload: zeros, both: { method: 8, bytes: 64 * MIB } };
    const { content, codes, messages } = await read(crafted);
    expect(content.length).toBe(zeros.length * 1000);
    expect(codes).toEqual(['zip-bomb']);
    expect(messages[0]).toMatch(/67,108,864 bytes from 65,2\d\d, 1 : 1,029/);
    expect(await strict(crafted)).toBe('zip-bomb');
  });

  it('that declare little give no more than that', async () => {
    const { content, codes } = await read({ name: 'z', payload: zeros, both: { method: 8, bytes: 1000 } });
    expect([content.length, codes]).toEqual([1000, ['zip-directory-disagrees']]);
  });

  it('that declare much and hold little take memory for what they hold', async () => {
    const crafted = { name: 'z', payload: deflateRawSync(text), both: { method: 8, bytes: 2 ** 31 } };
    const { content, codes } = await read(crafted);
    expect(content.buffer.byteLength).toBe(text.length);
    expect(codes[0]).toBe('zip-bomb');
  });
});

describe('chunks', () => {
  it('are the content, each in memory of its own', async () => {
    const content = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * index) >> 7);
    for (const deflate of [false, true]) {
      const [bytes, member] = await only({ name: 'c', content, deflate });
      const chunks: Uint8Array[] = [];
      for await (const chunk of memberChunks(memorySource(bytes), member, { file: 'm', crc: true })) {
        chunks.push(chunk);
      }
      expect(chunks.length).toBeGreaterThan(2);
      expect(Buffer.from(content).equals(joined(...chunks))).toBe(true);
    }
  });

  it('compare the CRC on demand', async () => {
    const [bytes, member] = await only({ ...A, both: { crc32: 1 } });
    const all = async (crc: boolean): Promise<number> => {
      let length = 0;
      for await (const chunk of memberChunks(memorySource(bytes), member, { file: 'm', crc })) {
        length += chunk.length;
      }
      return length;
    };
    expect(await all(false)).toBe(text.length);
    await expect(all(true)).rejects.toMatchObject({ code: 'zip-crc-mismatch' });
  });
});
