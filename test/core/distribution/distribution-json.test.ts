import { describe, expect, test } from 'vitest';
import { distributionFromJson } from '../../../src/core/distribution/distribution-from-json.ts';
import { distributionJson } from '../../../src/core/distribution/distribution-json.ts';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { DTYPES } from '../../../src/core/dtypes/dtype-table.ts';
import { strictJson } from '../../../src/shared/strict-json.ts';
import { bytesOf, codeOf, seededRandom } from './support/windows.ts';

const random = seededRandom(9);
const BYTES = Uint8Array.from({ length: 48 * 50 }, () => (random() < 0.3 ? 0 : Math.floor(random() * 256)));

const throughText = (dtype: string, bytes: Uint8Array) => {
  const distribution = newDistribution(dtype, DTYPES.get(dtype)?.bits === 6 ? { f6Order: 'msb' } : {});
  distribution.add(bytes);
  const data = distribution.toData();
  const parsed: unknown = JSON.parse(strictJson(distributionJson(data)));
  return { data, parsed };
};

describe('the state of a distribution as JSON', () => {
  test.each([...DTYPES.keys()])('comes back without loss: %s', (dtype) => {
    for (const bytes of [BYTES, BYTES.subarray(0, 0), new Uint8Array(48)]) {
      const { data, parsed } = throughText(dtype, bytes);
      expect(distributionFromJson(parsed)).toEqual(data);
    }
  });

  test('extremes too', () => {
    for (const [dtype, values] of [
      ['F64', Float64Array.of(Number.MAX_VALUE, -Number.MAX_VALUE, 5e-324, Number.NaN, Number.NEGATIVE_INFINITY, -0)],
      ['I64', BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n, 0n, 2n ** 53n)],
      ['U64', BigUint64Array.of(2n ** 64n - 1n)],
    ] as const) {
      const { data, parsed } = throughText(dtype, bytesOf(values));
      expect(distributionFromJson(parsed)).toEqual(data);
    }
  });

  const wide = throughText('F32', bytesOf(Float32Array.of(1, 2, 3, 0))).parsed;
  const patterns = throughText('BF16', BYTES.subarray(0, 8)).parsed;
  const changed = (form: unknown, changes: object): unknown => ({ ...Object(form), ...changes });

  test.each([
    ['nothing', undefined],
    ['a list', []],
    ['another kind', changed(wide, { kind: 'narrow' })],
    ['an unknown dtype', changed(wide, { dtype: 'F31' })],
    ['a name of objects', changed(wide, { dtype: '__proto__' })],
    ['the other kind of dtype', changed(wide, { dtype: 'BF16' })],
    ['and the reverse', changed(patterns, { dtype: 'F32' })],
    ['an order where there is none', changed(patterns, { f6Order: 'lsb' })],
    ['a member too many', changed(wide, { more: 1 })],
    ['keys and no counts', changed(wide, { counts: [] })],
    ['a count of nothing', changed(patterns, { counts: [0, 1, 1, 1] })],
    ['half a count', changed(wide, { counts: [0.5, 1, 1] })],
    ['a step back', changed(patterns, { steps: [5, -1, 1, 1] })],
    ['a key too large', changed(patterns, { steps: [65_537], counts: [4] })],
    ['counts that do not add up', changed(wide, { count: 5 })],
    ['a sum that is no integer', changed(wide, { sum: '1.5' })],
    ['a sum without end', changed(wide, { sum: '9'.repeat(2000) })],
    ['no smallest number', changed(wide, { min: undefined })],
    ['no largest number', changed(wide, { max: undefined })],
    ['a number that is text', changed(wide, { min: 'NaN' })],
  ])('refuses %s', (_, json) => {
    expect(codeOf(() => distributionFromJson(json))).toBe('bad-state');
  });
});
