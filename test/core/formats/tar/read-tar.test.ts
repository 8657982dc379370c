import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { isTarHeader, readTar } from '../../../../src/core/formats/tar/read-tar.ts';
import { type CraftedTarMember, tarBytes } from '../../../support/tar-bytes.ts';
import { utf8 } from '../../../support/zip-bytes.ts';

const list = (bytes: Uint8Array) => readTar(memorySource(bytes));
const A: CraftedTarMember = { name: 'a', content: utf8('hello') };

describe('readTar', () => {
  it('lists plain files where they lie', async () => {
    const bytes = tarBytes(
      A,
      { name: 'dir', type: '5' },
      { name: 'link', type: '2' },
      { name: 'b', content: new Uint8Array(600) },
    );
    const { members, problem } = await list(bytes);
    expect(problem).toBeUndefined();
    expect(members).toEqual([
      { name: 'a', begin: 512, end: 517 },
      { name: 'b', begin: 2560, end: 3160 },
    ]);
    expect(new TextDecoder().decode(bytes.subarray(512, 517))).toBe('hello');
  });

  it('reads a size of binary digits', async () => {
    const size = `${String.fromCharCode(0x80)}${'\0'.repeat(10)}\x05`;
    const bytes = tarBytes({ ...A, size: size.slice(1) });
    // The top bit of the first byte says so; as UTF-8 it would take two bytes.
    bytes.copyWithin(125, 124, 135);
    bytes[124] = 0x80;
    const sum = bytes.subarray(0, 512).reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
    bytes.set(utf8(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
    expect((await list(bytes)).members).toEqual([{ name: 'a', begin: 512, end: 517 }]);
  });

  it.each<[string, Uint8Array, RegExp, number]>([
    ['a wrong checksum', tarBytes(A, { ...A, checksum: '0000001' }), /offset 1024 is no tar header/, 1],
    ['a size that is no number', tarBytes({ ...A, size: '0000000000x' }), /gives no size/, 0],
    ['a size beyond the end', tarBytes({ ...A, size: '77777777777' }), /beyond the end of the file/, 0],
    ['a name that a header in front gives', tarBytes(A, { name: 'x', type: 'x' }, A), /another name/, 1],
    [
      'a GNU long name',
      tarBytes({ name: '././@LongLink', type: 'L', content: utf8('storages') }, A),
      /another name/,
      0,
    ],
    ['no empty block', tarBytes(A).slice(0, 1024), /without an empty block/, 1],
    ['a cut header', tarBytes(A).slice(0, 1024 + 100), /offset 1024 is no tar header/, 1],
  ])('stops at %s and says so', async (_what, bytes, message, members) => {
    const listing = await list(bytes);
    expect(String(listing.problem)).toMatch(message);
    expect(listing.members).toHaveLength(members);
  });

  it('a cut member is not listed', async () => {
    const { members, problem } = await list(tarBytes(A).slice(0, 515));
    expect([members, problem]).toEqual([[], 'the member at offset 0 goes on beyond the end of the file']);
  });

  it('takes no empty block for a header, and never reads outside', async () => {
    expect(isTarHeader(new Uint8Array(512))).toBe(false);
    expect(isTarHeader(new Uint8Array(100))).toBe(false);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), fc.nat(2000), async (noise, at) => {
        const bytes = tarBytes(A, A);
        bytes.set(noise.subarray(0, bytes.length - at), at);
        for (const { begin, end } of (await list(bytes)).members) {
          expect(begin <= end && end <= bytes.length).toBe(true);
        }
      }),
    );
  });
});
