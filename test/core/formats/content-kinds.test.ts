import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CONTENT_KINDS, contentKind } from '../../../src/core/formats/content-kinds.ts';

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));
const labelOf = (bytes: readonly number[] | Uint8Array): string | undefined => {
  const head = Uint8Array.from(bytes);
  return contentKind(head, head.length)?.label;
};

/** A tar header of one empty file, with its checksum. */
const tarHeader = (magic: string): Uint8Array => {
  const block = new Uint8Array(512);
  block.set(ascii('storages'));
  block.set(ascii('0000644\0'), 100);
  block.set(ascii(magic), 257);
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(ascii(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
  return block;
};

const at = (offset: number, bytes: readonly number[], before = 0xaa): Uint8Array =>
  Uint8Array.from([...new Array<number>(offset).fill(before), ...bytes, 0x00, 0xff]);

describe('kinds by their first bytes (FORMATS.md 7)', () => {
  it.each<readonly [string, readonly number[] | Uint8Array]>([
    ['zero bytes only', new Uint8Array(4096)],
    ['a GGUF file', ascii('GGUF\x03\0\0\0')],
    ['a big-endian GGUF file', ascii('FUGG\0\0\0\x03')],
    ['a file of the old GGML family', ascii('lmgg\x01\0')],
    ['a file of the old GGML family', ascii('tjgg\x01\0')],
    ['a zip archive (PyTorch checkpoints are one)', [...ascii('PK'), 3, 4, 0, 0]],
    ['an empty zip archive', [...ascii('PK'), 5, 6, 0]],
    ['a part of a spanned zip archive', [...ascii('PK'), 7, 8, 0]],
    ['gzip data', [0x1f, 0x8b, 8, 0]],
    ['a 7z archive', [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
    ['zstandard data', [0x28, 0xb5, 0x2f, 0xfd]],
    ['xz data', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
    ['bzip2 data', ascii('BZh9')],
    ['lz4 data', [4, 0x22, 0x4d, 0x18]],
    ['a rar archive', ascii('Rar!\x1a\x07')],
    ['a tar archive', tarHeader('ustar\0')],
    ['a tar archive', tarHeader('')],
    ['an HDF5 file (Keras)', at(0, [0x89, ...ascii('HDF\r\n\x1a\n')])],
    ['an HDF5 file (Keras)', at(512, [0x89, ...ascii('HDF\r\n\x1a\n')])],
    ['a numpy file', [0x93, ...ascii('NUMPY'), 1, 0]],
    [
      'a PyTorch file of the old stacked-pickle format',
      [0x80, 2, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a],
    ],
    ['a PyTorch preview container', ascii('PYTORCH1')],
    ['a pickle', [0x80, 0, 0x2e]],
    ['a pickle', [0x80, 5, 0x95]],
    ['a TensorFlow Lite file', at(4, ascii('TFL3'))],
    ['an ONNX Runtime file', at(4, ascii('ORTM'))],
    ['a PNG picture', [0x89, ...ascii('PNG\r\n')]],
    ['a JPEG picture', [0xff, 0xd8, 0xff]],
    ['a PDF document', ascii('%PDF-1.7')],
    ['an ELF program', [0x7f, ...ascii('ELF')]],
    ['a Windows program', ascii('MZ\x90\0')],
    ['a script', ascii('#!/bin/sh\n')],
    ['an SQLite database', ascii('SQLite format 3\0')],
    ['a text file', ascii('hello\tworld\r\n')],
    ['a text file', new TextEncoder().encode('größer 😀')],
  ])('%s', (label, bytes) => {
    expect(labelOf(bytes)).toBe(label);
  });

  it.each([
    ['nothing', []],
    ['a pickle of an unknown protocol', [0x80, 6, 0]],
    ['text with a NUL', [...ascii('hello'), 0]],
    ['bfloat16 weights of no zero byte', [0x3d, 0xbc, 0x21, 0x3d, 0xc4, 0xbc, 0x9a, 0x3c]],
    ['a tar header with a wrong checksum', tarHeader('').map((byte, index) => (index === 150 ? byte ^ 1 : byte))],
  ])('%s has no kind', (_what, bytes) => {
    expect(labelOf(bytes)).toBeUndefined();
  });

  it('text may end inside a character only where the head is not the whole', () => {
    const head = new TextEncoder().encode('aé😀').subarray(0, 6);
    expect(contentKind(head, 7)?.label).toBe('a text file');
    expect(contentKind(head, 6)).toBeUndefined();
  });

  it('tells which may hold code', () => {
    const code = CONTENT_KINDS.filter(({ mayHoldCode }) => mayHoldCode).map(({ label }) => label);
    expect(code).toEqual(
      expect.arrayContaining(['a pickle', 'an ELF program', 'a script', 'gzip data', 'a tar archive']),
    );
    expect(code).toContain('a zip archive (PyTorch checkpoints are one)');
    expect(code).not.toContain('a text file');
    expect(code).not.toContain('zero bytes only');
  });

  it('takes any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (head) => {
        const kind = contentKind(head, head.length);
        expect(kind === undefined || CONTENT_KINDS.includes(kind)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
