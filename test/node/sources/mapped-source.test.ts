import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FileChangedError } from '../../../src/core/errors.ts';
import type { FileSource } from '../../../src/node/sources/file-source.ts';
import { mappedSource } from '../../../src/node/sources/mapped-source.ts';
import type { Mapper, Mapping } from '../../../src/node/sources/mapping.ts';
import { pattern, writeInto } from '../../support/file-sources.ts';
import { closeAfterEach, temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const keep = closeAfterEach();

const mapperOf = (mapping: Partial<Mapping>): Mapper => ({
  map: () => ({ faultsSafely: true, copy: () => true, unmap: () => undefined, ...mapping }),
});

const open = (mapper: Mapper, size = 100): FileSource => {
  const source = mappedSource(writeInto(folders.make(), pattern(size)), mapper);
  if (source === undefined) {
    throw new Error('not mapped');
  }
  return keep(source);
};

describe('a mapper that cannot map', () => {
  it('leaves the file to be read by position; one that fails passes its error on; neither leaks', () => {
    const path = writeInto(folders.make(), pattern(10));
    const refusing: Mapper = { map: () => undefined };
    const failing: Mapper = {
      map: () => {
        throw new Error('no library');
      },
    };
    const nextDescriptor = (): number => {
      const descriptor = openSync(path, 'r');
      closeSync(descriptor);
      return descriptor;
    };
    const before = nextDescriptor();
    for (let round = 0; round < 100; round += 1) {
      expect(() => mappedSource(path, failing)).toThrow('no library');
      expect(mappedSource(path, refusing)).toBeUndefined();
    }
    expect(nextDescriptor()).toBeLessThan(before + 50);
  });

  it('is not asked about an empty file', () => {
    const asked: Mapper = {
      map: () => {
        throw new Error('asked');
      },
    };
    expect(open(asked, 0).size).toBe(0);
  });
});

describe('a mapped file', () => {
  it('whose pages are gone though its size is the same: an error that names the byte', () => {
    const source = open(mapperOf({ copy: () => false }));
    expect(() => source.read(40, new Uint8Array(10))).toThrow(FileChangedError);
    expect(() => source.read(40, new Uint8Array(10))).toThrow(
      'm.safetensors cannot be read at byte 40: its disk failed or it was cut',
    );
  });

  it('is copied in pieces, each where it belongs', () => {
    const size = 9 * 2 ** 20;
    const copied: [number, number][] = [];
    const source = open(
      mapperOf({
        copy: (offset, target) => {
          copied.push([offset, target.byteLength]);
          return true;
        },
      }),
      size,
    );
    source.read(3, new Uint8Array(size - 3));
    let at = 3;
    for (const [offset, length] of copied) {
      expect(offset).toBe(at);
      expect(length).toBeLessThanOrEqual(4 * 2 ** 20);
      at += length;
    }
    expect(at).toBe(size);
    expect(copied.length).toBeGreaterThan(2);
  });

  it('is unmapped exactly once, and not touched after that', () => {
    let unmapped = 0;
    let copies = 0;
    const source = open(
      mapperOf({
        copy: () => {
          copies += 1;
          return true;
        },
        unmap: () => {
          unmapped += 1;
        },
      }),
    );
    source.close();
    source.close();
    expect(() => source.read(0, new Uint8Array(1))).toThrow('m.safetensors is closed');
    expect([unmapped, copies]).toEqual([1, 0]);
  });
});
