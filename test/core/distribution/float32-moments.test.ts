import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Float32Moments } from '../../../src/core/distribution/float32-moments.ts';
import { exactUnits } from './support/reference.ts';

const patternOf = (value: number): number => new Uint32Array(Float32Array.of(value).buffer)[0] ?? 0;

const floats = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { maxLength: 20 });

test('sums and sums of squares are exact, subnormals and both signs included', () => {
  fc.assert(
    fc.property(floats, (values) => {
      const moments = new Float32Moments();
      for (const value of values) {
        const pattern = patternOf(value);
        const low = pattern & 0xffff;
        // The squares of lower bits may come either way.
        if (low % 2 === 0) {
          moments.add(pattern >>> 16, 1, low, low * low);
        } else {
          moments.add(pattern >>> 16, 1, low);
          moments.addLowSquares((pattern >>> 23) & 0xff, BigInt(low * low));
        }
      }
      const units = values.map((value) => exactUnits(value) >> (1074n - 149n));
      expect(moments.moments()).toEqual({
        sum: units.reduce((sum, unit) => sum + unit, 0n),
        sumSquares: units.reduce((sum, unit) => sum + unit * unit, 0n),
      });
    }),
  );
});
