import { expect, it } from 'vitest';
import { typedArrayBytes } from '../../../src/core/writing/typed-array-bytes.ts';

it('takes the bytes of an array whose numbers are of the dtype, without a copy', () => {
  const values = new Float32Array(8).subarray(2, 4);
  const bytes = typedArrayBytes('w', 'F32', values);
  expect([bytes.buffer, bytes.byteOffset, bytes.byteLength]).toEqual([values.buffer, 8, 8]);
  expect(typedArrayBytes('w', 'BF16', Uint16Array.of(0x3f80))).toEqual(Uint8Array.of(0x80, 0x3f));
  expect(typedArrayBytes('w', 'I64', BigInt64Array.of(-1n))).toEqual(new Uint8Array(8).fill(255));
  for (const plain of [new Uint8Array(4), Buffer.alloc(4), new DataView(new ArrayBuffer(4))]) {
    expect(typedArrayBytes('w', 'F8_E4M3', plain)).toHaveLength(4);
  }
});

it('refuses numbers that would be written as other numbers', () => {
  for (const [dtype, array] of [
    ['F64', new Float32Array(1)],
    ['F16', new Float32Array(1)],
    ['I32', new Uint32Array(1)],
    ['BF16', new Int16Array(1)],
    ['U64', new BigInt64Array(1)],
  ] as const) {
    expect(() => typedArrayBytes('w', dtype, array)).toThrowError(expect.objectContaining({ code: 'dtype-mismatch' }));
  }
  expect(() => typedArrayBytes('w', 'f32', new Float32Array(1))).toThrowError(
    expect.objectContaining({ code: 'unknown-dtype' }),
  );
});
