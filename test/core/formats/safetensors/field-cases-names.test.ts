/** The recipes of FIELD-CASES.md B01 to B06: files that people really had, or were attacked with. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../../src/core/checkpoint.ts';
import { TensorLookupError, UnreadableTensorError } from '../../../../src/core/errors.ts';
import { inspectBytes, onlyFinding } from '../../../support/inspect-bytes.ts';
import { dataStart, entry, fileBytes, floats, header, member } from '../../../support/safetensors-bytes.ts';

const fixture = (path: string): Uint8Array => readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url));

const open = (bytes: Uint8Array, name = 'model.safetensors'): Promise<Checkpoint> =>
  inspectSource(memorySource(bytes, name));

const counted = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => index + 1);

describe('B01: one name twice', () => {
  it('both entries are listed with their own range; no gap is invented', async () => {
    const { rows, findings, content } = await inspectBytes(fixture('bad/b01_dup.safetensors'));
    expect(findings.map(({ code }) => code)).toEqual(['duplicate-name']);
    expect(findings[0]?.message).toBe('the name "a" occurs 2 times; other readers keep only the last');
    const at = rows[0]?.offset ?? 0;
    expect(rows.map(({ id, name, shape, offset, readable }) => ({ id, name, shape, offset, readable }))).toEqual([
      { id: 0, name: 'a', shape: [4], offset: at, readable: true },
      { id: 1, name: 'a', shape: [2, 2], offset: at + 16, readable: true },
    ]);
    expect(content.table.idsOf('a')).toEqual([0, 1]);
    expect(() => content.table.idOf('a')).toThrow(TensorLookupError);
  });

  it('an identical duplicate, and one that is spelled with an escape', async () => {
    const same = await inspectBytes(fileBytes(header(floats('a', 0, 16), floats('a', 0, 16)), 16));
    expect(same.codes).toEqual(['duplicate-name', 'shared-range']);
    const escaped = header(floats('a', 0, 16), `"\\u0061":${entry('F32', '[4]', '[16,32]')}`);
    expect((await inspectBytes(fileBytes(escaped, 32))).codes).toEqual(['duplicate-name']);
  });

  it('an inner key twice makes the entry unusable, and no other', async () => {
    const twice = member('a', '{"dtype":"F32","dtype":"I32","shape":[4],"data_offsets":[0,16]}');
    const { codes, readable } = await inspectBytes(fileBytes(header(twice, floats('b', 16, 32)), 32));
    expect(codes).toEqual(['duplicate-key']);
    expect(readable).toEqual(['b']);
  });
});

describe('B02: bytes after the last tensor', () => {
  it('the fixture: 6 bytes at offset 79', async () => {
    const { findings, readable } = await inspectBytes(fixture('bad/b02_trailing.safetensors'));
    expect(onlyFinding(findings, 'trailing-bytes').message).toMatch(
      /^6 bytes after the last tensor, at offset 79; strict loaders refuse this file/,
    );
    expect(readable).toHaveLength(1);
  });
});

describe('B03: a download that stopped', () => {
  it('the fixture: one tensor whole, one of 7 bytes of 16', async () => {
    const checkpoint = await open(fixture('bad/b03_trunc.safetensors'));
    const [first] = checkpoint.findings;
    expect(checkpoint.findings).toHaveLength(1);
    expect(first?.code).toBe('truncated');
    expect(first?.message).toContain('7 of its 16 bytes are present; expected 150 bytes, file has 141, 9 missing');
    expect(checkpoint.summary.sentence).toBe('Damaged: 1 of 2 tensors cut off, 9 bytes missing');
    const whole = checkpoint.tensor(0);
    expect(await whole.toFloat32()).toHaveLength(4);
    const cut = checkpoint.tensor(1);
    await expect(cut.toFloat32()).rejects.toThrow(UnreadableTensorError);
    await expect(cut.bytes()).rejects.toThrow('cut off: 7 of its 16 bytes are present');
    await expect(cut.exactValues({ range: { start: 0, count: 1 } })).rejects.toThrow(UnreadableTensorError);
  });

  it('wherever it stops, nothing that is missing is handed out', async () => {
    const text = header(floats('a', 0, 16), floats('b', 16, 32));
    const file = fileBytes(text, counted(32));
    const start = dataStart(text);
    for (let size = 0; size < file.length; size += 1) {
      const { codes, rows, verdict } = await inspectBytes(file.subarray(0, size));
      expect(verdict).toBe('damaged');
      if (size < 8) {
        expect(codes).toEqual(['file-too-short']);
      } else if (size < start) {
        expect(codes).toEqual(['header-length-exceeds-file']);
      } else {
        const whole = size >= start + 16 ? 1 : 0;
        expect(codes).toEqual(new Array(2 - whole).fill('truncated'));
        expect(rows.map(({ readable }) => readable)).toEqual([whole === 1, false]);
      }
    }
  });
});

describe('B05: header lengths', () => {
  it.each([4096, 65_536, 2 ** 20])('about a buffer of %i bytes all parse alike', async (buffer) => {
    for (let length = buffer - 9; length <= buffer + 1; length += 1) {
      for (const pad of [(text: string) => text.padEnd(length), (text: string) => text.padStart(length)]) {
        const { codes, rows } = await inspectBytes(fileBytes(pad(header(floats('a', 0, 16))), 16));
        expect(codes).toEqual([]);
        expect(rows).toMatchObject([{ name: 'a', offset: 8 + length, readable: true }]);
      }
    }
  });

  it.each([0n, 1n])('of %s: refused', async (declared) => {
    const { codes, verdict } = await inspectBytes(fileBytes(header(floats('a', 0, 16)), 16, declared));
    expect(codes).toEqual(['header-not-json']);
    expect(verdict).toBe('damaged');
  });
});

describe('B06: metadata and reserved names', () => {
  it('the fixture of an old writer names the first character too many and the fault', async () => {
    const { findings } = await inspectBytes(fixture('bad/b06_meta_only.safetensors'));
    expect(findings).toMatchObject([{ code: 'header-not-json', offset: 10 }]);
    expect(findings[0]?.message).toContain('a known fault of old writers when there are no tensors');
  });

  it.each([
    ['{"n":0}', 'warnings', [{ key: 'n', type: 'number', value: '0' }]],
    ['null', 'clean', []],
    ['{}', 'clean', []],
    ['[]', 'warnings', [{ key: '__metadata__', type: 'array', value: '[]' }]],
    ['"x"', 'warnings', [{ key: '__metadata__', type: 'string', value: 'x' }]],
    ['{"o":{"p":"q"}}', 'warnings', [{ key: 'o', type: 'object', value: '{"p":"q"}' }]],
  ])('%s: the file opens, %s, and it is shown with its type', async (value, expected, metadata) => {
    const { verdict, content, readable } = await inspectBytes(
      fileBytes(header(member('__metadata__', value), floats('a', 0, 16)), 16),
    );
    expect(verdict).toBe(expected);
    expect(content.metadata).toEqual(metadata);
    expect(readable).toEqual(['a']);
  });

  it('a tensor called __metadata__ is listed, readable, and told', async () => {
    const text = header(member('__metadata__', entry('F32', '[1]', '[0,4]')), floats('b', 4, 8));
    const { codes, readable, verdict } = await inspectBytes(fileBytes(text, 8));
    expect(codes).toEqual(['reserved-name']);
    expect(readable).toEqual(['__metadata__', 'b']);
    expect(verdict).toBe('warnings');
  });

  it('names of object members and names like integers are ordinary, in file order', async () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', '', '10', '2', 'toString'];
    const text = header(...names.map((name, index) => floats(name, index * 4, index * 4 + 4)));
    const { rows, codes, content } = await inspectBytes(fileBytes(text, 28));
    expect(codes).toEqual([]);
    expect(rows.map((row) => row.name)).toEqual(names);
    expect(rows.every(({ dtype, readable }) => dtype === 'F32' && readable)).toBe(true);
    expect(names.map((name) => content.table.idOf(name))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});
