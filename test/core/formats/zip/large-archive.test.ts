import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../../src/core/bytes/byte-source.ts';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { readMember } from '../../../../src/core/formats/zip/read-member.ts';
import { readZipDirectory } from '../../../../src/core/formats/zip/read-zip-directory.ts';
import { openSource } from '../../../../src/node/sources/open-source.ts';
import { positionedSource } from '../../../../src/node/sources/positioned-source.ts';
import { listZip } from '../../../support/list-zip.ts';
import { temporaryFolders } from '../../../support/temporary-folder.ts';
import { craftZip, crcOf, extraField, joined, numbers, utf8 } from '../../../support/zip-bytes.ts';

const folders = temporaryFolders();
const FIVE_GB = 5_000_000_000;
const SMALL = utf8('behind four gigabytes');

interface Entry {
  readonly name: string;
  readonly header: number;
  readonly bytes: number;
  readonly crc32: number;
}

/** A directory entry of torch's: sizes and offset in a zip64 field where they need it, and only those. */
const centralEntry = ({ name, header, bytes, crc32 }: Entry): Uint8Array => {
  const wide: (readonly [8, number])[] = [
    ...(bytes >= 0xffffffff
      ? ([
          [8, bytes],
          [8, bytes],
        ] as const)
      : []),
    ...(header >= 0xffffffff ? ([[8, header]] as const) : []),
  ];
  const extra = wide.length > 0 ? extraField(1, numbers(...wide)) : new Uint8Array();
  const size = Math.min(bytes, 0xffffffff);
  return joined(
    numbers([4, 0x02014b50], [2, 0], [2, 0], [2, 0x0808], [2, 0], [4, 0], [4, crc32], [4, size], [4, size]),
    numbers([2, name.length], [2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, Math.min(header, 0xffffffff)]),
    utf8(name),
    extra,
  );
};

const localHeader = (name: string, extra: Uint8Array): Uint8Array =>
  joined(
    numbers([4, 0x04034b50], [2, 0], [2, 0x0808], [2, 0], [4, 0], [4, 0], [4, 0], [4, 0]),
    numbers([2, name.length], [2, extra.length]),
    utf8(name),
    extra,
  );

const descriptor = ({ bytes, crc32 }: Entry): Uint8Array =>
  numbers([4, 0x08074b50], [4, crc32], [8, bytes], [8, bytes]);

/** A sparse archive as torch writes it (FORMATS.md 2.2): 5 GB of zeros, then a small member. */
const writeLarge = (path: string): void => {
  // Torch: uncompressed size, then 0; for a small member far behind, the header's offset alone.
  const first = localHeader(
    'm/data/0',
    joined(extraField(1, numbers([8, FIVE_GB], [8, 0])), extraField(0x4246, utf8('ZZ'))),
  );
  const big: Entry = { name: 'm/data/0', header: 0, bytes: FIVE_GB, crc32: 0 };
  const at = first.length + FIVE_GB;
  const small: Entry = { name: 'm/data/1', header: at + 24, bytes: SMALL.length, crc32: crcOf(SMALL) };
  const second = localHeader(
    'm/data/1',
    joined(extraField(1, numbers([8, small.header])), extraField(0x4246, utf8('Z'))),
  );
  const directory = joined(centralEntry(big), centralEntry(small));
  const begin = small.header + second.length + SMALL.length + 24;
  const tail = joined(
    descriptor(big),
    second,
    SMALL,
    descriptor(small),
    directory,
    numbers(
      [4, 0x06064b50],
      [8, 44],
      [2, 0x031e],
      [2, 45],
      [4, 0],
      [4, 0],
      [8, 2],
      [8, 2],
      [8, directory.length],
      [8, begin],
    ),
    numbers([4, 0x07064b50], [4, 0], [8, begin + directory.length], [4, 1]),
    numbers([4, 0x06054b50], [2, 0], [2, 0], [2, 2], [2, 2], [4, directory.length], [4, 0xffffffff], [2, 0]),
  );
  const file = openSync(path, 'w');
  writeSync(file, first, 0, first.length, 0);
  ftruncateSync(file, at);
  writeSync(file, tail, 0, tail.length, at);
  closeSync(file);
};

const counted = (source: ByteSource): { source: ByteSource; bytes: () => number } => {
  let bytes = 0;
  return {
    source: {
      name: source.name,
      size: source.size,
      read: (offset, target) => {
        bytes += target.length;
        return source.read(offset, target);
      },
      close: () => source.close(),
    },
    bytes: () => bytes,
  };
};

describe('an archive of more than 4 GiB', () => {
  it.each([
    ['as sources are opened', openSource],
    ['by position', positionedSource],
  ])('%s: listed exactly, little of it is read', async (_, open) => {
    const path = join(folders.make(), 'large.pt');
    writeLarge(path);
    const { source, bytes } = counted(await open(path));
    const { members, findings, stretches } = await readZipDirectory(source, 'm.pt');
    expect(bytes()).toBeLessThan(100_000);
    expect(findings.list()).toEqual([]);
    expect(stretches).toEqual([]);
    const [big, small] = members;
    expect([big?.bytes, (big?.payload?.end ?? 0) - (big?.payload?.begin ?? 0)]).toEqual([FIVE_GB, FIVE_GB]);
    expect(small?.header).toBe(FIVE_GB + (big?.payload?.begin ?? 0) + 24);
    if (small === undefined) {
      throw new Error('no second member');
    }
    expect(await readMember(source, small, { file: 'm.pt' })).toEqual(SMALL);
    source.close();
  });
});

describe('many members', () => {
  it('near each other are read together, far ones are not', async () => {
    const near = craftZip({
      members: Array.from({ length: 2000 }, (_, index) => ({ name: `m/data/${index}`, content: utf8('x') })),
    });
    let reads = 0;
    const memory = memorySource(near.bytes);
    const read: ByteSource['read'] = (offset, target) => {
      reads += 1;
      return memory.read(offset, target);
    };
    const { members } = await readZipDirectory({ ...memory, read }, 'm');
    expect(members.length).toBe(2000);
    expect(reads).toBeLessThan(20);
  });

  it('whose directory takes several windows', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${index}/${'n'.repeat(60_000)}`);
    const { codes, names: listed } = await listZip(craftZip({ members: names.map((name) => ({ name })) }).bytes);
    expect(codes).toEqual([]);
    expect(listed).toEqual(names);
  });
});
