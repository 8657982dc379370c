import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canBeNonFinite, NonFiniteFinder } from '../../../src/core/audit/non-finite.ts';
import { DTYPES } from '../../../src/core/dtypes/dtype-table.ts';
import { elementValues } from '../../../src/core/dtypes/exact-values.ts';
import { requireDtype } from '../../../src/core/dtypes/require-dtype.ts';

/** Where the first NaN and infinity are, by decoding every element exactly. */
const naive = (dtype: string, bytes: Uint8Array, count: number): { nan?: number; infinity?: number } => {
  const first: { nan?: number; infinity?: number } = {};
  [...elementValues(dtype, bytes, count)].flat().forEach((value, at) => {
    const element = Math.floor(at / requireDtype(dtype).components);
    if (typeof value === 'number' && Number.isNaN(value)) {
      first.nan ??= element;
    } else if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) {
      first.infinity ??= element;
    }
  });
  return first;
};

const FLOATS = [...DTYPES.values()].filter((info) => canBeNonFinite(info));

describe('the first NaN and the first infinity', () => {
  it.each(FLOATS.map(({ name }) => name))('are where decoding finds them: %s', (dtype) => {
    const info = requireDtype(dtype);
    const size = info.bits / 8;
    // All ones and all zeros but for a few bits make NaN and infinities frequent.
    const byte = fc.oneof(fc.constantFrom(0, 0x7f, 0x80, 0xff, 0x7c, 0xfc, 0xf0), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 24 * size }), fc.nat(6), fc.nat(3), (raw, cut, shift) => {
        const count = Math.floor(raw.length / size);
        const bytes = new Uint8Array(count * size + shift).subarray(shift);
        bytes.set(raw.slice(0, count * size));
        const finder = new NonFiniteFinder(info, { nan: true, infinity: true });
        const middle = Math.min(cut, count);
        finder.add({ bytes: bytes.subarray(0, middle * size), firstElement: 0, count: middle });
        finder.add({ bytes: bytes.subarray(middle * size), firstElement: 0, count: count - middle });
        expect(finder.first).toEqual(naive(dtype, bytes, count));
      }),
    );
  });

  it('are done with when those wanted are found', () => {
    const finder = new NonFiniteFinder(requireDtype('F32'), { nan: true, infinity: false });
    expect(finder.done).toBe(false);
    finder.add({ bytes: new Uint8Array(Float32Array.of(1, Number.NaN).buffer), firstElement: 0, count: 2 });
    expect(finder.done).toBe(true);
  });

  it('cannot be in integers', () => {
    const finder = new NonFiniteFinder(requireDtype('I32'), { nan: true, infinity: true });
    finder.add({ bytes: new Uint8Array(8).fill(0xff), firstElement: 0, count: 2 });
    expect(finder.first).toEqual({});
  });
});
