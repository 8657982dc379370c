import { describe, expect, it } from 'vitest';
import { FindingList } from '../../../../src/core/finding-list.ts';
import { F6_REASON, judgeEntry } from '../../../../src/core/formats/safetensors/judge-entry.ts';
import type { ScannedEntry } from '../../../../src/core/formats/safetensors/scan-header.ts';
import { TensorTable } from '../../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../../src/core/tensor/tensor-table-builder.ts';
import type { TensorRow } from '../../../../src/shared/checkpoint-types.ts';
import type { Finding } from '../../../../src/shared/findings.ts';

const FRAME = { file: 'm.safetensors', fileSize: 1000, dataStart: 100 };
const SOUND: ScannedEntry = { name: 't', at: 1, dtype: 'F32', shape: [2, 2], offsets: [0, 16], faults: [] };

interface Judged {
  readonly row: TensorRow;
  readonly findings: readonly Finding[];
  readonly present: boolean;
}

const judge = (changes: Partial<ScannedEntry>): Judged => {
  const builder = new TensorTableBuilder([FRAME.file]);
  const list = new FindingList();
  judgeEntry({ ...SOUND, ...changes }, FRAME, builder, list);
  const table = new TensorTable(builder.finish());
  return { row: table.row(0), findings: list.list(), present: table.isPresent(0) };
};

describe('a sound entry', () => {
  it('becomes a readable row at its absolute offset', () => {
    const { row, findings, present } = judge({});
    expect(findings).toEqual([]);
    expect(present).toBe(true);
    expect(row).toEqual({
      id: 0,
      name: 't',
      dtype: 'F32',
      shape: [2, 2],
      parameters: 4,
      bytes: 16,
      file: 'm.safetensors',
      offset: 100,
      layout: 'contiguous',
      readable: true,
    });
  });

  it.each([
    [[], 1],
    [[0], 0],
    [[0, 5], 0],
  ])('of shape %j has %i elements', (shape, parameters) => {
    const { row, findings } = judge({ shape, offsets: [8, 8 + 4 * parameters] });
    expect(findings).toEqual([]);
    expect(row.parameters).toBe(parameters);
  });

  it.each(['F6_E2M3', 'F6_E3M2'])('of %s is listed whole, but not decoded unasked', (dtype) => {
    const { row, findings, present } = judge({ dtype, shape: [4], offsets: [0, 3] });
    expect(findings).toEqual([]);
    expect(present).toBe(true);
    expect(row).toMatchObject({ readable: false, problem: F6_REASON, bytes: 3, parameters: 4 });
  });
});

describe('a faulty entry', () => {
  interface Case {
    readonly code: string;
    readonly changes: Partial<ScannedEntry>;
    readonly message: string;
  }
  const MEGA = 2 ** 40;
  it.each<Case>([
    {
      code: 'unknown-dtype',
      changes: { dtype: 'F8_E3M4' },
      message: 'unknown dtype "F8_E3M4": only its raw bytes can be shown',
    },
    { code: 'unknown-dtype', changes: { dtype: '' }, message: 'unknown dtype "": only its raw bytes can be shown' },
    {
      code: 'shape-overflow',
      changes: { shape: [MEGA, MEGA, 0] },
      message: `its shape [${MEGA}, ${MEGA}, 0] has more elements than 64 bits can count`,
    },
    {
      code: 'shape-overflow',
      changes: { shape: [2 ** 32 + 1, 2 ** 32], dtype: 'U8' },
      message: 'its shape [4294967297, 4294967296] has more elements than 64 bits can count',
    },
    {
      code: 'shape-overflow',
      changes: { shape: [2n ** 61n], dtype: 'U8' },
      message: 'its shape [2305843009213693952] has more elements than 64 bits can count',
    },
    {
      code: 'size-not-whole-bytes',
      changes: { dtype: 'F4', shape: [3], offsets: [0, 2] },
      message: 'its shape needs 12 bits, which is no whole number of bytes',
    },
    {
      code: 'size-not-whole-bytes',
      changes: { dtype: 'F6_E2M3', shape: [5], offsets: [0, 4] },
      message: 'its shape needs 30 bits, which is no whole number of bytes',
    },
    {
      code: 'size-not-whole-bytes',
      changes: { dtype: 'F4', shape: [], offsets: [0, 1] },
      message: 'its shape needs 4 bits, which is no whole number of bytes',
    },
    {
      code: 'size-mismatch',
      changes: { shape: [1000, 1000], offsets: [0, 4] },
      message: 'its shape needs 4,000,000 bytes, its range has 4',
    },
    {
      code: 'size-mismatch',
      changes: { shape: [1], offsets: [0, 0] },
      message: 'its shape needs 4 bytes, its range has 0',
    },
    {
      code: 'size-mismatch',
      changes: { shape: [0], offsets: [0, 4] },
      message: 'its shape needs 0 bytes, its range has 4',
    },
    {
      code: 'offsets-reversed',
      changes: { offsets: [16, 0] },
      message: 'its range ends before it begins: [16, 0]',
    },
    {
      code: 'offsets-out-of-range',
      changes: { offsets: [2n ** 64n - 17n, 2n ** 64n - 1n] },
      message: `its range [${2n ** 64n - 17n}, ${2n ** 64n - 1n}] lies outside anything a file can hold`,
    },
    {
      code: 'offsets-out-of-range',
      changes: { offsets: [2 ** 53 - 1 - 16, 2 ** 53 - 1] },
      message: `its range [${2 ** 53 - 17}, ${2 ** 53 - 1}] lies outside anything a file can hold`,
    },
  ])('$code: $message', ({ code, changes, message }) => {
    const { row, findings } = judge(changes);
    expect(findings).toEqual([
      {
        code,
        severity: 'error',
        message: `tensor "t": ${message}`,
        file: 'm.safetensors',
        tensor: 't',
        tensorId: 0,
        offset: 9,
      },
    ]);
    expect(row).toMatchObject({ readable: false, problem: message });
  });

  it('of an unknown dtype keeps its raw bytes, with every other fault it does not', () => {
    expect(judge({ dtype: 'X' }).present).toBe(true);
    expect(judge({ shape: [3] }).present).toBe(false);
  });

  it('of an unknown dtype is still judged by its range', () => {
    const { findings } = judge({ dtype: 'F8_E3M4', offsets: [2 ** 40, 16] });
    expect(findings.map(({ code }) => code)).toEqual(['offsets-reversed', 'unknown-dtype']);
  });

  it('whose range is unusable shows none', () => {
    expect(judge({ offsets: [16, 0] }).row).toMatchObject({ bytes: undefined, offset: undefined });
    expect(judge({ offsets: [2n ** 60n, 2n ** 61n] }).row).toMatchObject({ bytes: undefined, offset: undefined });
    expect(judge({ offsets: undefined }).row).toMatchObject({ bytes: undefined, offset: undefined });
  });

  it('passes on the faults of its text, each where it stands, and keeps the first as its problem', () => {
    const { row, findings } = judge({
      shape: undefined,
      faults: [
        { code: 'field-missing', message: 'its entry has no "shape"', at: 1 },
        { code: 'duplicate-key', message: 'its entry has "dtype" twice', at: 30 },
      ],
    });
    expect(findings.map(({ code, offset }) => [code, offset])).toEqual([
      ['field-missing', 9],
      ['duplicate-key', 38],
    ]);
    expect(row).toMatchObject({
      readable: false,
      problem: 'its entry has no "shape"',
      parameters: undefined,
      shape: [],
    });
  });

  it('named __metadata__ is reported, and readable', () => {
    const { row, findings } = judge({ name: '__metadata__' });
    expect(findings).toMatchObject([{ code: 'reserved-name', severity: 'warning', offset: 9, tensor: '__metadata__' }]);
    expect(row.readable).toBe(true);
  });

  it('with a name of a million characters is shown short, and found by its whole name', () => {
    const name = `begin${'x'.repeat(1_000_000)}end`;
    const [first] = judge({ name, shape: [3] }).findings;
    expect(first?.tensor).toBe(name);
    expect(first?.message.length).toBeLessThan(400);
    expect(first?.message).toMatch(/^tensor "beginx+…x+end": its shape needs/);
  });
});
