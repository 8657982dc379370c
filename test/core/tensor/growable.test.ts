import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growableF64, growableU8, growableU32 } from '../../../src/core/tensor/growable.ts';

describe.each([
  ['u8', growableU8, 255],
  ['u32', growableU32, 2 ** 32 - 1],
  ['f64', growableF64, Number.MAX_VALUE],
] as const)('a growing %s array', (_name, make, most) => {
  it('holds what was pushed, at its exact size', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 255 }), { maxLength: 500 }), (values) => {
        const array = make();
        for (const value of values) {
          array.push(value);
        }
        expect(array.length).toBe(values.length);
        expect(values.map((_, index) => array.get(index))).toEqual(values);
        const finished = array.finish();
        expect(Array.from(finished)).toEqual(values);
        expect(finished.buffer.byteLength).toBe(finished.byteLength);
      }),
    );
  });

  it('keeps the largest value, and changes one in place', () => {
    const array = make();
    for (let index = 0; index < 100; index += 1) {
      array.push(most);
    }
    array.set(70, 1);
    expect(Array.from(array.finish())).toEqual(Array.from({ length: 100 }, (_, index) => (index === 70 ? 1 : most)));
  });

  it('is empty at first', () => {
    expect(make().length).toBe(0);
    expect(make().finish()).toHaveLength(0);
    expect(make().read((written) => written.length)).toBe(0);
  });

  it('is finished by a copy that later pushes do not reach', () => {
    const array = make();
    array.push(1);
    const first = array.finish();
    array.set(0, 2);
    expect(Array.from(first)).toEqual([1]);
  });
});

describe('appending', () => {
  it('moves the end by what was written, however much room there was', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 30 }), (texts) => {
        const array = growableU8();
        const encoder = new TextEncoder();
        for (const text of texts) {
          array.append(text.length * 3, (room) => encoder.encodeInto(text, room).written);
        }
        const expected = Buffer.from(texts.join(''), 'utf8');
        expect(Buffer.from(array.finish()).equals(expected)).toBe(true);
        expect(array.read((written) => Buffer.from(written).equals(expected))).toBe(true);
      }),
    );
  });

  it('of more than twice the size fits at once', () => {
    const array = growableU8();
    array.push(7);
    array.append(100_000, (room) => {
      room.fill(9);
      return 100_000;
    });
    expect(array.length).toBe(100_001);
    expect(array.get(0)).toBe(7);
    expect(array.get(100_000)).toBe(9);
  });
});
