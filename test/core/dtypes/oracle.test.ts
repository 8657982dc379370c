import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decodeFloat32 } from '../../../src/core/dtypes/decode.ts';
import { dtypeInfo } from '../../../src/core/dtypes/dtype-table.ts';
import { type ExactValue, elementValues } from '../../../src/core/dtypes/exact-values.ts';
import { SMALL_FLOAT_TABLES } from '../../../src/core/dtypes/small-floats.ts';

// What numpy, ml_dtypes and torch answered: see test/fixtures/oracle/README.md.
const read = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../fixtures/oracle/${name}`, import.meta.url)));
const readJson = <T>(name: string): T => JSON.parse(new TextDecoder().decode(read(name)));

const CANONICAL_NAN = 0x7fc00000;
/** Float32 bits with every NaN made the canonical one, as the answers have it. */
const canonical = (values: Float32Array): Uint32Array =>
  new Uint32Array(values.slice().buffer).map((bits) => ((bits & 0x7fffffff) > 0x7f800000 ? CANONICAL_NAN : bits));

describe('every code of the small floats', () => {
  const tables = readJson<Record<string, string[]>>('dtype-tables.json');

  test('covers every table there is', () => {
    expect(Object.keys(tables).sort()).toEqual([...SMALL_FLOAT_TABLES.keys()].sort());
  });

  test.each(Object.entries(tables))('%s', (dtype, expected) => {
    const bits = Array.from(canonical(SMALL_FLOAT_TABLES.get(dtype) ?? new Float32Array()), (pattern) =>
      pattern === CANONICAL_NAN ? 'nan' : pattern.toString(16).padStart(8, '0'),
    );
    expect(bits).toEqual(expected);
  });
});

describe('every code of the half floats', () => {
  test.each([
    ['F16', 'f16.f32bits.bin'],
    ['BF16', 'bf16.f32bits.bin'],
  ])('%s', (dtype, file) => {
    const codes = Uint16Array.from({ length: 65536 }, (_, code) => code);
    const values = new Float32Array(65536);
    decodeFloat32(dtype, new Uint8Array(codes.buffer), values.length, values);
    const expected = new Uint32Array(read(file).slice().buffer);
    const wrong = canonical(values).findIndex((bits, code) => bits !== expected[code]);
    expect(wrong).toBe(-1);
  });
});

describe('a thousand tensors that the reference wrote', () => {
  type Row = [
    name: string,
    dtype: string,
    shape: number[],
    offset: number,
    bytes: number,
    values: unknown[],
    sha: string,
  ];
  const { file, rows } = readJson<{ file: string; rows: Row[] }>('mixed-1000.expected.json');
  const bytes = read(file);

  /** How the answers spell a value. */
  const form = (value: ExactValue): unknown => {
    if (typeof value === 'object') {
      return value.map(form);
    }
    if (typeof value === 'bigint') {
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    }
    if (Object.is(value, -0)) {
      return '-0';
    }
    return Number.isFinite(value) ? value : value.toString();
  };

  test.each([...new Set(rows.map(([, dtype]) => dtype))])('%s', (dtype) => {
    const info = dtypeInfo(dtype);
    for (const [name, , , offset, length, values, sha] of rows.filter(([, of]) => of === dtype)) {
      const data = bytes.subarray(offset, offset + length);
      const count = (length * 8) / (info?.bits ?? Number.NaN);
      expect(elementValues(dtype, data, values.length).map(form), name).toEqual(values);
      const floats = new Float32Array(count * (info?.components ?? Number.NaN));
      decodeFloat32(dtype, data, count, floats);
      expect(createHash('sha256').update(canonical(floats)).digest('hex'), name).toBe(sha);
    }
  });
});
