/** What every source over a file must do, whichever way it reaches the bytes. */
import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../src/core/bytes/byte-source.ts';
import { readBytes } from '../../../src/core/bytes/checked-read.ts';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { ClosedError, OutOfRangeError } from '../../../src/core/errors.ts';
import { readCheckpoint } from '../../../src/core/formats/registry.ts';
import { ACCESS_KINDS, openAs, pattern, writeInto } from '../../support/file-sources.ts';
import { entry, fileBytes, header, member } from '../../support/safetensors-bytes.ts';
import { skipOnWindows } from '../../support/skip-because.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const keep = closeAfterEach();

describe('all sources', () => {
  it('agree on every range', async () => {
    const bytes = pattern(3 * 4096 + 123);
    const path = writeInto(folders.make(), bytes);
    const sources: readonly ByteSource[] = [
      memorySource(bytes),
      ...ACCESS_KINDS.map((kind) => keep(openAs(kind, path))),
    ];
    const place = fc.oneof(fc.nat({ max: bytes.length + 10 }), fc.constantFrom(4095, 4096, 4097, bytes.length));
    await fc.assert(
      fc.asyncProperty(place, place, async (offset, length) => {
        for (const source of sources) {
          if (offset + length <= bytes.length) {
            const read = await readBytes(source, offset, length);
            expect(Buffer.from(read).equals(bytes.subarray(offset, offset + length))).toBe(true);
          } else {
            await expect(readBytes(source, offset, length)).rejects.toThrow(OutOfRangeError);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('fill any part of a buffer and nothing beside it', async () => {
    const bytes = pattern(10_000);
    const path = writeInto(folders.make(), bytes);
    for (const source of [memorySource(bytes), ...ACCESS_KINDS.map((kind) => keep(openAs(kind, path)))]) {
      const target = new Uint8Array(5000).fill(0xee);
      await source.read(4000, target.subarray(7, 4107));
      expect(Buffer.from(target.subarray(7, 4107)).equals(bytes.subarray(4000, 8100))).toBe(true);
      expect([...target.subarray(0, 7), ...target.subarray(4107)].every((byte) => byte === 0xee)).toBe(true);
    }
  });

  it('give the same checkpoint', async () => {
    const text = header(member('a', entry('F32', '[4]', '[0,16]')), member('b', entry('U8', '[3]', '[20,23]')));
    const bytes = fileBytes(text, pattern(30));
    const path = writeInto(folders.make(), bytes);
    const sources = [memorySource(bytes, 'm.safetensors'), ...ACCESS_KINDS.map((kind) => keep(openAs(kind, path)))];
    const [first, ...others] = await Promise.all(
      sources.map(async (source) => {
        const content = await readCheckpoint(source, {});
        return { rows: content.table.rows(), findings: content.findings.list() };
      }),
    );
    expect(others).toEqual(ACCESS_KINDS.map(() => first));
    expect(first?.rows).toHaveLength(2);
    expect(first?.findings.map(({ code }) => code)).toEqual(['gap', 'trailing-bytes']);
  });
});

describe.each(ACCESS_KINDS)('a %s source', (kind) => {
  it('knows its name, path and size', () => {
    const path = writeInto(folders.make(), pattern(77), 'ünï 😀.safetensors');
    expect(keep(openAs(kind, path))).toMatchObject({ name: 'ünï 😀.safetensors', path, size: 77, access: kind });
  });

  it('of an empty file has nothing to read', async () => {
    const source = keep(openAs(kind, writeInto(folders.make(), '')));
    expect(source.size).toBe(0);
    expect(await readBytes(source, 0, 0)).toHaveLength(0);
    await expect(readBytes(source, 0, 1)).rejects.toThrow(OutOfRangeError);
  });

  it('closed twice is closed, and every later read says so', async () => {
    const source = keep(openAs(kind, writeInto(folders.make(), pattern(10))));
    source.close();
    source.close();
    await expect(readBytes(source, 0, 10)).rejects.toThrow(ClosedError);
    await expect(readBytes(source, 0, 0)).rejects.toThrow('m.safetensors is closed');
  });

  it('gives its file descriptor back, also when opening fails', () => {
    const path = writeInto(folders.make(), pattern(10));
    const nextDescriptor = (): number => {
      const descriptor = openSync(path, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const before = nextDescriptor();
    const folder = folders.make();
    for (let round = 0; round < 100; round += 1) {
      openAs(kind, path).close();
      expect(() => openAs(kind, folder)).toThrow();
    }
    // Descriptors are handed out lowest first, so a leak shows as a higher number.
    expect(nextDescriptor()).toBeLessThan(before + 50);
  });

  it('follows symlinks to regular files', async (context) => {
    skipOnWindows(context, 'symlinks for everyone');
    const path = writeInto(folders.make(), pattern(10));
    const link = join(folders.make(), 'link.safetensors');
    symlinkSync(path, link);
    expect(await readBytes(keep(openAs(kind, link)), 0, 10)).toEqual(pattern(10));
  });

  const GIGA = 2 ** 30;
  it.for([5 * GIGA, 100 * GIGA])(
    'of a sparse file of %i bytes opens, and its tail reads exactly',
    async (size, context) => {
      skipOnWindows(context, 'files that are sparse by themselves');
      const path = join(folders.make(), 'sparse');
      const tail = pattern(10_000);
      const descriptor = openSync(path, 'w');
      ftruncateSync(descriptor, size);
      writeSync(descriptor, tail, 0, tail.length, size - tail.length);
      closeSync(descriptor);
      const source = keep(openAs(kind, path));
      expect(source.size).toBe(size);
      expect(Buffer.from(await readBytes(source, size - tail.length, tail.length)).equals(tail)).toBe(true);
      expect(await readBytes(source, size - 1, 1)).toEqual(tail.slice(-1));
      expect(await readBytes(source, size - tail.length - 3, 5)).toEqual(
        Uint8Array.of(0, 0, 0, ...tail.subarray(0, 2)),
      );
      expect(await readBytes(source, 0, 100)).toEqual(new Uint8Array(100));
      await expect(readBytes(source, size, 1)).rejects.toThrow(OutOfRangeError);
    },
  );

  it('reads many pieces at once, in order', async () => {
    const bytes = pattern(9 * 2 ** 20 + 5);
    const source = keep(openAs(kind, writeInto(folders.make(), bytes)));
    expect(Buffer.from(await readBytes(source, 1, bytes.length - 1)).equals(bytes.subarray(1))).toBe(true);
  });

  it('opens a checkpoint of 100 GB as it opens a small one', async (context) => {
    skipOnWindows(context, 'files that are sparse by themselves');
    const size = 100 * GIGA;
    const text = header(member('w', entry('U8', `[${size}]`, `[0,${size}]`)));
    const path = writeInto(folders.make(), fileBytes(text));
    const descriptor = openSync(path, 'r+');
    ftruncateSync(descriptor, 8 + text.length + size);
    writeSync(descriptor, Uint8Array.of(7), 0, 1, 8 + text.length + size - 1);
    closeSync(descriptor);
    const source = keep(openAs(kind, path));
    const { table, findings } = await readCheckpoint(source, {});
    expect(findings.list()).toEqual([]);
    const [begin = 0, end = 0] = table.range(0) ?? [];
    expect(end - begin).toBe(size);
    expect(await readBytes(source, end - 2, 2)).toEqual(Uint8Array.of(0, 7));
  });
});
