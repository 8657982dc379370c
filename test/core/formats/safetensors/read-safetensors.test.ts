import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../../src/core/bytes/byte-source.ts';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { FileChangedError } from '../../../../src/core/errors.ts';
import { LONGEST_HEADER, REFERENCE_HEADER_CAP } from '../../../../src/core/formats/safetensors/limits.ts';
import { readSafetensors } from '../../../../src/core/formats/safetensors/read-safetensors.ts';
import { inspectBytes, onlyFinding } from '../../../support/inspect-bytes.ts';
import { dataStart, entry, fileBytes, floats, header, member } from '../../../support/safetensors-bytes.ts';

const ONE = header(floats('a', 0, 16));
const START = dataStart(ONE);

/** A source of `size` bytes that counts what is asked of it; bytes past those given are zeros. */
const countingSource = (bytes: Uint8Array, size: number): ByteSource & { readonly asked: () => number } => {
  let asked = 0;
  return {
    name: 'model.safetensors',
    size,
    asked: () => asked,
    read: (offset, target) => {
      asked += target.byteLength;
      target.set(bytes.subarray(offset, offset + target.byteLength));
    },
    close: () => undefined,
  };
};

describe('file-too-short', () => {
  it.each([0, 1, 7])('%i bytes', async (size) => {
    const { findings, rows, verdict, content } = await inspectBytes(new Uint8Array(size));
    expect(findings).toEqual([
      {
        code: 'file-too-short',
        severity: 'error',
        message: `the file has ${size} bytes, fewer than the 8 of its length field`,
        file: 'model.safetensors',
        offset: 0,
      },
    ]);
    expect(rows).toEqual([]);
    expect(verdict).toBe('damaged');
    expect(content.format).toBe('safetensors');
  });
});

describe('header-length-exceeds-file', () => {
  it.each([100_000_001n, 2n ** 31n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 8n, 2n ** 64n - 1n, 57n])(
    '%s bytes declared in a file of 64: refused, and only the head was read',
    async (declared) => {
      const bytes = fileBytes(ONE.padEnd(56), 0, declared);
      expect(bytes).toHaveLength(64);
      const source = countingSource(bytes, 64);
      const { findings, table } = await readSafetensors(source, {});
      expect(findings.list()).toMatchObject([
        {
          code: 'header-length-exceeds-file',
          message: `the header declares ${declared.toString().replace(/\B(?=(\d{3})+$)/g, ',')} bytes, 56 are available`,
          offset: 0,
        },
      ]);
      expect(table.length).toBe(0);
      expect(source.asked()).toBe(8);
    },
  );
});

describe('header-over-cap', () => {
  const withCap = (cap: number) => inspectBytes(fileBytes(ONE, 16), 'm.safetensors', { headerCap: cap });

  it('one byte over the cap: told, and read all the same', async () => {
    const { findings, readable } = await withCap(ONE.length - 1);
    expect(findings).toEqual([
      {
        code: 'header-over-cap',
        severity: 'error',
        message: `the header has ${ONE.length} bytes; reference loaders refuse headers over ${ONE.length - 1}`,
        file: 'm.safetensors',
        offset: 0,
      },
    ]);
    expect(readable).toEqual(['a']);
  });

  it('as long as the cap: nothing to tell', async () => {
    expect((await withCap(ONE.length)).codes).toEqual([]);
  });

  it('a whole header of 100,000,001 bytes opens, with a finding', async () => {
    const text = new Uint8Array(REFERENCE_HEADER_CAP + 1).fill(0x20);
    text.set(new TextEncoder().encode(ONE));
    const { codes, readable, findings } = await inspectBytes(fileBytes(text, 16));
    expect(codes).toEqual(['header-over-cap']);
    expect(onlyFinding(findings, 'header-over-cap').message).toBe(
      'the header has 100,000,001 bytes; reference loaders refuse headers over 100,000,000',
    );
    expect(readable).toEqual(['a']);
  });

  it('over 1 GiB in a file that is long enough: refused without reading it', async () => {
    const size = LONGEST_HEADER + 100;
    const source = countingSource(fileBytes(ONE, 0, BigInt(LONGEST_HEADER + 1)), size);
    const { findings, table } = await readSafetensors(source, {});
    expect(findings.list().map(({ code }) => code)).toEqual(['header-over-cap']);
    expect(table.length).toBe(0);
    expect(source.asked()).toBe(8);
  });

  it('does not lose count behind ten thousand other findings', async () => {
    const text = header(...Array.from({ length: 12_000 }, (_, index) => `"${index}":{}`));
    const { content, findings } = await inspectBytes(fileBytes(text), 'm.safetensors', { headerCap: 10 });
    expect(content.findings.counts()).toEqual({ danger: 0, error: 36_001, warning: 0, note: 0 });
    expect(findings[0]?.code).toBe('header-over-cap');
    expect(findings.filter(({ code }) => code === 'findings-omitted')).toHaveLength(1);
    expect(findings.at(-1)?.message).toBe(`${36_001 - (findings.length - 1)} more findings were counted but not kept`);
  });
});

describe('gap', () => {
  const text = header(floats('a', 0, 16), floats('b', 24, 40));
  const data = new Uint8Array(40);
  data.set([1, 2, 3, 4, 5, 6, 7, 8], 16);

  it('names the bytes, shows them, and the tensors stay usable', async () => {
    const { findings, readable } = await inspectBytes(fileBytes(text, data));
    const at = dataStart(text) + 16;
    expect(findings).toEqual([
      {
        code: 'gap',
        severity: 'error',
        message: `8 bytes [${at}, ${at + 8}) before tensor "b" belong to no tensor; of no known kind, beginning 01 02 03 04 05 06 07 08`,
        file: 'model.safetensors',
        tensor: 'b',
        tensorId: 1,
        offset: at,
      },
    ]);
    expect(readable).toEqual(['a', 'b']);
  });

  it('is accepted on request, trailing bytes are not', async () => {
    expect((await inspectBytes(fileBytes(text, data), 'm.safetensors', { allowGaps: true })).codes).toEqual([]);
    const longer = fileBytes(text, 44);
    expect((await inspectBytes(longer, 'm.safetensors', { allowGaps: true })).codes).toEqual(['trailing-bytes']);
  });

  it('before the first tensor', async () => {
    const { findings } = await inspectBytes(fileBytes(header(floats('a', 4, 20)), 20));
    expect(onlyFinding(findings, 'gap').message).toMatch(/^4 bytes \[\d+, \d+\) before tensor "a" belong to no tensor/);
  });

  it('mentions tensors that may own the bytes', async () => {
    const { findings } = await inspectBytes(fileBytes(header(member('x', '{}'), floats('b', 4, 8)), 8));
    expect(onlyFinding(findings, 'gap').message).toContain('1 tensors have unusable ranges and may own some');
  });

  it('by the thousand are looked into a hundred times', async () => {
    const members = Array.from({ length: 300 }, (_, index) => floats(`${index}`, index * 8 + 4, index * 8 + 8));
    const many = header(...members);
    const source = countingSource(fileBytes(many, 2400), dataStart(many) + 2400);
    const { findings } = await readSafetensors(source, {});
    const gaps = findings.list().filter(({ code }) => code === 'gap');
    expect(gaps).toHaveLength(300);
    expect(gaps.filter(({ message }) => message.includes('beginning'))).toHaveLength(100);
    expect(source.asked()).toBe(dataStart(many) + 100 * 4);
  });
});

describe('trailing-bytes', () => {
  it('names how many and where, shows them, and never calls the file cut', async () => {
    const { findings, readable } = await inspectBytes(fileBytes(ONE, 22));
    expect(findings).toHaveLength(1);
    const { message, offset, code, severity } = onlyFinding(findings, 'trailing-bytes');
    expect({ code, severity, offset }).toEqual({ code: 'trailing-bytes', severity: 'error', offset: START + 16 });
    expect(message).toMatch(
      new RegExp(`^6 bytes after the last tensor, at offset ${START + 16}; strict loaders refuse this file; `),
    );
    expect(message).toContain('beginning 00 00 00 00 00 00');
    expect(message).not.toMatch(/truncated|cut|incomplete|missing/);
    expect(readable).toEqual(['a']);
  });

  it('one byte is one byte', async () => {
    const { findings } = await inspectBytes(fileBytes(ONE, 17));
    expect(findings[0]?.message).toMatch(/^1 byte after/);
  });

  it('are accepted on request, gaps are not', async () => {
    const options = { allowTrailingBytes: true };
    expect((await inspectBytes(fileBytes(ONE, 22), 'm.safetensors', options)).verdict).toBe('clean');
    const gappy = fileBytes(header(floats('a', 4, 20)), 22);
    expect((await inspectBytes(gappy, 'm.safetensors', options)).codes).toEqual(['gap']);
  });

  it.each([
    ['a zip archive (PyTorch checkpoints are one)', [0x50, 0x4b, 3, 4, 0, 0]],
    ['a pickle', [0x80, 4, 0x95, 1]],
    ['an ELF program', [0x7f, 0x45, 0x4c, 0x46]],
    ['a script', Array.from('#!/bin/sh\n', (letter) => letter.charCodeAt(0))],
  ])('that look like %s were not scanned, and say so', async (label, tail) => {
    const { findings, verdict, readable } = await inspectBytes(
      fileBytes(ONE, Uint8Array.from([...new Uint8Array(16), ...tail])),
    );
    expect(onlyFinding(findings, 'trailing-bytes').message).toContain(`they look like ${label}, beginning`);
    const unscanned = onlyFinding(findings, 'not-scanned');
    expect(unscanned.message).toBe(
      `${tail.length} bytes at offset ${START + 16} look like ${label}, which was not scanned`,
    );
    expect(unscanned).toMatchObject({ severity: 'warning', offset: START + 16 });
    expect(verdict).toBe('damaged');
    expect(readable).toEqual(['a']);
  });

  it('a mebibyte of them is not read whole', async () => {
    const source = countingSource(fileBytes(ONE, 16), START + 16 + 2 ** 20);
    const { findings } = await readSafetensors(source, {});
    expect(findings.list().map(({ code }) => code)).toEqual(['trailing-bytes']);
    expect(source.asked()).toBe(START + 4096);
  });
});

describe('reading', () => {
  it('costs what the header costs, whatever the file’s size', async () => {
    const size = 2 ** 50;
    const text = header(member('a', entry('U8', `[${size - 1000}]`, `[0,${size - 1000}]`)));
    const padded = text.padEnd(1000 - 8);
    const source = countingSource(fileBytes(padded), size);
    const { findings, table, claimedBytes } = await readSafetensors(source, {});
    expect(findings.list()).toEqual([]);
    expect(source.asked()).toBe(1000);
    expect(table.row(0)).toMatchObject({ bytes: size - 1000, offset: 1000, readable: true });
    expect(claimedBytes).toBe(size - 1000);
  });

  it('sums by dtype and counts bytes once', async () => {
    const text = header(floats('a', 0, 16), floats('tied', 0, 16), member('b', entry('BF16', '[2,3]', '[16,28]')));
    const { content } = await inspectBytes(fileBytes(text, 28));
    expect(content.claimedBytes).toBe(28);
    expect(content.totals).toEqual({
      parameters: 14,
      dtypes: [
        { dtype: 'F32', tensors: 2, parameters: 8, bytes: 32 },
        { dtype: 'BF16', tensors: 1, parameters: 6, bytes: 12 },
      ],
    });
  });

  it('passes on what the source throws, at every read', async () => {
    const bytes = fileBytes(header(floats('a', 4, 20)), 20);
    const whole = memorySource(bytes, 'm');
    let reads = 0;
    await readSafetensors(
      {
        ...whole,
        read: (offset, target) => {
          reads += 1;
          return whole.read(offset, target);
        },
      },
      {},
    );
    expect(reads).toBe(3);
    for (let failing = 0; failing < reads; failing += 1) {
      let at = 0;
      const source: ByteSource = {
        ...whole,
        read: async (offset, target) => {
          if (at === failing) {
            throw new FileChangedError('m shrank');
          }
          at += 1;
          await whole.read(offset, target);
        },
      };
      await expect(readSafetensors(source, {})).rejects.toThrow(FileChangedError);
    }
  });

  it('parses the header elsewhere when asked to', async () => {
    const asked: unknown[] = [];
    const { parseHeader } = await import('../../../../src/core/formats/safetensors/parse-header.ts');
    const bytes = fileBytes(ONE, 16);
    const { table } = await readSafetensors(memorySource(bytes, 'm'), {
      parseElsewhere: async (source, offset, length, frame) => {
        asked.push([source.name, offset, length, frame]);
        return structuredClone(parseHeader(bytes.subarray(offset, offset + length), frame));
      },
    });
    expect(asked).toEqual([['m', 8, ONE.length, { file: 'm', fileSize: bytes.length, dataStart: START }]]);
    expect(table.row(0)).toMatchObject({ name: 'a', readable: true });
  });
});
