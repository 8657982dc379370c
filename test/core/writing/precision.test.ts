import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elementWindow } from '../../../src/core/dtypes/element-window.ts';
import { PrecisionCounter, precisionNote } from '../../../src/core/writing/precision.ts';
import type { PrecisionLoss } from '../../../src/shared/checkpoint-types.ts';

const lossOf = (dtype: string, values: ArrayBufferView): PrecisionLoss => {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const counter = new PrecisionCounter();
  const size = dtype.endsWith('64') ? 8 : 4;
  counter.add(elementWindow(dtype, bytes, bytes.length / size));
  return counter.loss;
};

describe('what float32 cannot hold', () => {
  it('of doubles: rounded, underflown, overflown; not NaN, infinities or zeros', () => {
    const values = Float64Array.of(1, 0.1, 1e300, -1e39, 1e-300, -0, Number.NaN, Infinity, -Infinity, 2 ** 24 + 1);
    expect(lossOf('F64', values)).toEqual({ values: 10, inexact: 5, overflowed: 2 });
  });

  it('of 32-bit integers', () => {
    expect(lossOf('I32', Int32Array.of(2 ** 24, 2 ** 24 + 1, -(2 ** 31), 2 ** 31 - 1, 0))).toMatchObject({
      inexact: 2,
    });
    expect(lossOf('U32', Uint32Array.of(2 ** 32 - 1, 2 ** 31, 7))).toEqual({ values: 3, inexact: 1, overflowed: 0 });
  });

  it('of 64-bit integers, as exact arithmetic has it', () => {
    const shifted = fc
      .tuple(fc.bigInt({ min: 0n, max: 2n ** 26n }), fc.integer({ min: 0, max: 63 }))
      .map(([value, shift]) => BigInt.asUintN(64, value << BigInt(shift)));
    const anyWord = fc.oneof(shifted, fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }));
    fc.assert(
      fc.property(fc.array(anyWord, { minLength: 1, maxLength: 20 }), (words) => {
        const unsigned = BigUint64Array.from(words);
        const signed = new BigInt64Array(unsigned.buffer);
        // Math.fround of a bigint's nearest double may round twice, but never back to the integer itself.
        const inexact = (values: Iterable<bigint>): number =>
          [...values].filter((value) => BigInt(Math.fround(Number(value))) !== value).length;
        expect(lossOf('U64', unsigned).inexact).toBe(inexact(unsigned));
        expect(lossOf('I64', signed).inexact).toBe(inexact(signed));
      }),
      { numRuns: 500 },
    );
  });

  it('is a sentence only where something was lost', () => {
    expect(precisionNote({ values: 3, inexact: 0, overflowed: 0 })).toBeUndefined();
    expect(precisionNote({ values: 3, inexact: 2, overflowed: 1 })).toBe(
      '2 of 3 numbers are not exact in float32; 1 of them became infinite',
    );
  });
});
