/** The recipes of FIELD-CASES.md B07 to B13 and B56: files that people really had, or were attacked with. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../../src/core/checkpoint.ts';
import { UnreadableTensorError } from '../../../../src/core/errors.ts';
import { summariseCheckpoint } from '../../../../src/core/summarise-checkpoint.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';
import { dataStart, entry, fileBytes, floats, header, member } from '../../../support/safetensors-bytes.ts';

const fixture = (path: string): Uint8Array => readFileSync(new URL(`../../../fixtures/${path}`, import.meta.url));

const open = (bytes: Uint8Array, name = 'model.safetensors'): Promise<Checkpoint> =>
  inspectSource(memorySource(bytes, name));

const counted = (size: number): Uint8Array => Uint8Array.from({ length: size }, (_, index) => index + 1);

describe('B07: empty tensors', () => {
  it('are legal, wherever they lie between others, and read as nothing', async () => {
    const text = header(
      member('e1', entry('F8_E4M3', '[0]', '[0,0]')),
      floats('a', 0, 16),
      member('e2', entry('F32', '[0,5]', '[16,16]')),
      member('e3', entry('I64', '[3,0,2]', '[16,16]')),
      member('s', entry('F32', '[]', '[16,20]')),
      member('e4', entry('BF16', '[0]', '[20,20]')),
    );
    const checkpoint = await open(fileBytes(text, 20));
    expect(checkpoint.findings).toEqual([]);
    for (const [id, shape] of [
      [0, [0]],
      [2, [0, 5]],
      [3, [3, 0, 2]],
      [5, [0]],
    ] as const) {
      const tensor = checkpoint.tensor(id);
      expect(tensor.shape).toEqual(shape);
      expect(await tensor.toFloat32()).toHaveLength(0);
      expect(await tensor.bytes()).toHaveLength(0);
      expect(tensor.select().shape).toEqual(shape);
    }
    expect(checkpoint.tensor(4).row).toMatchObject({ shape: [], parameters: 1, bytes: 4 });
  });

  it('one element without bytes is not one', async () => {
    const { findings } = await inspectBytes(fileBytes(header(member('a', entry('F32', '[1]', '[0,0]')))));
    expect(findings).toMatchObject([{ code: 'size-mismatch' }]);
    expect(findings[0]?.message).toBe('tensor "a": its shape needs 4 bytes, its range has 0');
  });
});

describe('B08: shape and range disagree', () => {
  it('neither is believed: the tensor is refused, the others are not', async () => {
    const text = header(member('big', entry('F32', '[1000,1000]', '[0,4]')), floats('b', 4, 8));
    const checkpoint = await open(fileBytes(text, counted(8)));
    expect(checkpoint.findings.map(({ message }) => message)).toEqual([
      'tensor "big": its shape needs 4,000,000 bytes, its range has 4',
    ]);
    await expect(checkpoint.tensor(0).toFloat32()).rejects.toThrow(UnreadableTensorError);
    await expect(checkpoint.tensor(0).bytes()).rejects.toThrow(UnreadableTensorError);
    expect(await checkpoint.tensor(1).bytes()).toEqual(Uint8Array.of(5, 6, 7, 8));
  });

  const OFFSETS = [
    '[16,0]',
    '[-4,4]',
    '[0.5,4]',
    '[0,1.6e1]',
    '[0,4,8]',
    '[4]',
    '[]',
    '["0","4"]',
    'null',
    '{}',
    '"0,4"',
  ];
  const SHAPES = ['[-1]', '[1.5]', '[true]', '[null]', '["4"]', '[[1]]', '{}', '4', 'null', '[1e999]'];
  it.each([
    ...OFFSETS.map((offsets) => entry('F32', '[1]', offsets)),
    ...SHAPES.map((shape) => entry('F32', shape, '[0,4]')),
    entry('F64', '[4]', '[0,16]'),
    '{"dtype":"F32","data_offsets":[0,4]}',
    '{"dtype":7,"shape":[1],"data_offsets":[0,4]}',
  ])('%s: an error that names the tensor, which alone is unusable', async (value) => {
    const { findings, readable, rows, verdict } = await inspectBytes(
      fileBytes(header(floats('good', 16, 32), member('bad', value)), 32),
    );
    expect(readable).toEqual(['good']);
    expect(rows).toHaveLength(2);
    const named = findings.filter(({ tensor }) => tensor === 'bad');
    expect(named.length).toBeGreaterThan(0);
    expect(named.every(({ severity, tensorId }) => severity === 'error' && tensorId === 1)).toBe(true);
    expect(verdict).toBe('damaged');
  });
});

describe('B10: an unknown dtype', () => {
  it('with a wild range: the range is found too', async () => {
    const text = header(floats('a', 0, 16), member('x', entry('F8_E3M4', '[4]', '[1099511627776,16]')));
    const { codes, readable } = await inspectBytes(fileBytes(text, 16));
    expect(codes).toEqual(['offsets-reversed', 'unknown-dtype']);
    expect(readable).toEqual(['a']);
  });

  it('far outside the file', async () => {
    const text = header(floats('a', 0, 16), member('x', entry('F8_E3M4', '[4]', '[1099511627776,1099511627780]')));
    expect((await inspectBytes(fileBytes(text, 16))).codes).toEqual(['unknown-dtype', 'offsets-out-of-range']);
  });

  it('with a sane range: size from its range, raw bytes and nothing else', async () => {
    const text = header(floats('a', 0, 16), member('x', entry('F8_E3M4', '[4]', '[16,20]')));
    const checkpoint = await open(fileBytes(text, counted(20)));
    expect(checkpoint.findings.map(({ code }) => code)).toEqual(['unknown-dtype']);
    const tensor = checkpoint.get('x');
    expect(tensor.row).toMatchObject({ dtype: 'F8_E3M4', bytes: 4, readable: false, parameters: 4 });
    expect(await tensor.bytes()).toEqual(Uint8Array.of(17, 18, 19, 20));
    await expect(tensor.toFloat32()).rejects.toThrow(UnreadableTensorError);
  });

  it('takes part in coverage and overlap', async () => {
    const text = header(floats('a', 0, 16), member('x', entry('ODD', '[4]', '[8,24]')));
    expect((await inspectBytes(fileBytes(text, 24))).codes).toEqual(['unknown-dtype', 'overlap']);
  });

  it.each(['""', '7', '"f32"', 'null'])('%s leaves the rest usable', async (dtype) => {
    const value = `{"dtype":${dtype},"shape":[1],"data_offsets":[16,20]}`;
    const { readable, verdict, rows } = await inspectBytes(
      fileBytes(header(floats('a', 0, 16), member('x', value)), 20),
    );
    expect(readable).toEqual(['a']);
    expect(rows).toHaveLength(2);
    expect(verdict).toBe('damaged');
  });
});

describe('B12: sub-byte and scale dtypes', () => {
  it('the fixture: 16 F4 in 8 bytes, low nibble first; E8M0 down to 2^-127', async () => {
    const checkpoint = await open(fixture('good/b12_f4.safetensors'));
    expect(checkpoint.verdict).toBe('clean');
    const f4 = [...checkpoint.tensors].find(({ dtype }) => dtype === 'F4');
    const scale = [...checkpoint.tensors].find(({ dtype }) => dtype === 'F8_E8M0');
    expect(f4?.row).toMatchObject({ shape: [2, 8], parameters: 16, bytes: 8 });
    expect([...((await f4?.toFloat32()) ?? [])]).toEqual([
      0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6,
    ]);
    const values = (await scale?.toFloat32()) ?? new Float32Array();
    expect([...values]).toEqual([5.877471754111438e-39, 1, 1.7014118346046923e38, Number.NaN]);
    expect(new Uint32Array(values.buffer)[0]).toBe(0x00400000);
  });

  it.each([
    ['F4', '[3]', 2, ['size-not-whole-bytes']],
    ['F6_E2M3', '[5]', 4, ['size-not-whole-bytes']],
    ['F4', '[2,7]', 7, []],
    ['F4', '[]', 1, ['size-not-whole-bytes']],
    ['F6_E3M2', '[4]', 3, []],
    ['F6_E3M2', '[4]', 4, ['size-mismatch']],
  ])('%s %s in %i bytes: %j', async (dtype, shape, size, expected) => {
    const text = header(member('a', entry(dtype, shape, `[0,${size}]`)));
    expect((await inspectBytes(fileBytes(text, size))).codes).toEqual(expected);
  });
});

describe('B13: shared, overlapping and missing ranges', () => {
  const CASES: readonly (readonly [
    what: string,
    ranges: readonly (readonly [number, number])[],
    size: number,
    codes: readonly string[],
  ])[] = [
    [
      'the same range twice',
      [
        [0, 16],
        [0, 16],
      ],
      16,
      ['shared-range'],
    ],
    [
      'half of each',
      [
        [0, 16],
        [8, 24],
      ],
      24,
      ['overlap'],
    ],
    [
      'a hole',
      [
        [0, 16],
        [24, 40],
      ],
      40,
      ['gap'],
    ],
    [
      'one inside another',
      [
        [0, 32],
        [8, 16],
      ],
      32,
      ['overlap'],
    ],
    [
      'the first and the third of a chain',
      [
        [0, 24],
        [24, 28],
        [20, 24],
      ],
      28,
      ['overlap'],
    ],
    [
      'three on one range',
      [
        [0, 16],
        [0, 16],
        [0, 16],
      ],
      16,
      ['shared-range'],
    ],
    [
      'a shared range that overlaps a third',
      [
        [0, 16],
        [8, 24],
        [8, 24],
      ],
      24,
      ['overlap', 'shared-range'],
    ],
  ];

  it.each(CASES)(
    '%s: every order of the header gives the same findings, all stay usable',
    async (_what, ranges, size, codes) => {
      const members = ranges.map(([begin, end], index) => floats(`t${index}`, begin, end));
      await fc.assert(
        fc.asyncProperty(fc.shuffledSubarray(members, { minLength: members.length }), async (order) => {
          const { findings, verdict, readable } = await inspectBytes(fileBytes(header(...order), size));
          expect(findings.map(({ code }) => code).toSorted()).toEqual(codes);
          expect(verdict).toBe('damaged');
          expect(readable).toHaveLength(ranges.length);
        }),
        { numRuns: 12 },
      );
    },
  );

  it('shared bytes are counted once; a tied weight that is simply absent is no finding', async () => {
    const text = header(floats('embed', 0, 16), floats('lm_head', 0, 16));
    const { content } = await inspectBytes(fileBytes(text, 16));
    const summary = summariseCheckpoint(content, []);
    expect(summary.dataBytes).toBe(16);
    expect(summary.parameters).toBe(8);
    expect((await inspectBytes(fileBytes(header(floats('embed', 0, 16)), 16))).findings).toEqual([]);
  });

  it('names both tensors and the shared bytes; a hole is shown', async () => {
    const overlap = header(floats('a', 0, 16), floats('b', 8, 24));
    const at = dataStart(overlap);
    expect((await inspectBytes(fileBytes(overlap, 24))).findings[0]?.message).toBe(
      `tensor "b" shares 8 bytes [${at + 8}, ${at + 16}) with tensor "a"`,
    );
    const hole = header(floats('a', 0, 16), floats('b', 24, 40));
    expect((await inspectBytes(fileBytes(hole, counted(40)))).findings[0]?.message).toContain(
      'beginning 11 12 13 14 15 16 17 18',
    );
  });
});

describe('B56: hostile text in names and metadata', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '\u001b]8;;http://x\u0007',
    '\u001b]52;c;eA==\u0007',
    '\u001b[2J',
    'a\rb',
    '\u202e',
    '\u2066x',
    '\u200b',
    '\u2028',
    'nul\0',
    'javascript:alert(1)',
    '=cmd',
    `m${'\u0301'.repeat(10_000)}`,
    'x'.repeat(1_000_000),
  ];

  it('is kept exactly, as the name and as metadata', async () => {
    const metadata = Object.fromEntries(HOSTILE.map((text) => [text, text]));
    const members = HOSTILE.map((name, index) => floats(name, index * 4, index * 4 + 4));
    const text = header(member('__metadata__', JSON.stringify(metadata)), ...members);
    const { rows, codes, content } = await inspectBytes(fileBytes(text, HOSTILE.length * 4));
    expect(codes).toEqual([]);
    expect(rows.map((row) => row.name)).toEqual(HOSTILE);
    expect(content.metadata.map(({ key, value }) => [key, value])).toEqual(HOSTILE.map((value) => [value, value]));
  });

  it.each(['"\\ud800"', '"a\\udc00b"'])('half a surrogate pair %s is refused, as the reference does', async (name) => {
    const { codes } = await inspectBytes(fileBytes(`{${name}:${entry('F32', '[1]', '[0,4]')}}`, 4));
    expect(codes).toEqual(['header-not-json']);
  });

  it('invalid UTF-8 is refused with its place', async () => {
    const bytes = fileBytes(header(floats('a?', 0, 4)), 4);
    bytes[8 + 3] = 0xff;
    const { findings } = await inspectBytes(bytes);
    expect(findings).toMatchObject([{ code: 'header-not-utf8', offset: 11 }]);
  });
});
