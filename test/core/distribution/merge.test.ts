import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompiledKernel } from '../../../src/core/distribution/compiled/compiled-kernel.ts';
import type { Distribution } from '../../../src/core/distribution/distribution.ts';
import { distributionFromData, newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { PlainKernel } from '../../../src/core/distribution/plain/plain-kernel.ts';
import { windowUnit } from '../../../src/core/distribution/whole-elements.ts';
import { noTotals } from '../../../src/core/distribution/wide-totals.ts';
import { DTYPES, dtypeInfo } from '../../../src/core/dtypes/dtype-table.ts';
import { requireDtype } from '../../../src/core/dtypes/require-dtype.ts';
import { loadLoops } from '../../../src/kernels/load-loops.ts';
import { bytesOf, codeOf, cutAt, seededRandom, shifted } from './support/windows.ts';

const random = seededRandom(1);
/** A few thousand bytes, a third of them zero, so that windows on both sides of the small-window limit occur. */
const TENSOR = Uint8Array.from({ length: 24 * 400 }, () => (random() < 0.33 ? 0 : Math.floor(random() * 256)));

/** Shared by all tensors here, as a worker's is by all that it scans. */
const KERNELS = [
  ['plain', new PlainKernel()],
  ['compiled', new CompiledKernel(loadLoops())],
] as const;

const optionsOf = (dtype: string) => (dtypeInfo(dtype)?.bits === 6 ? ({ f6Order: 'lsb' } as const) : {});

const whole = (dtype: string, bytes: Uint8Array): Distribution => {
  const distribution = newDistribution(dtype, optionsOf(dtype));
  distribution.add(bytes);
  return distribution;
};

describe.each([...DTYPES.keys()])('%s', (dtype) => {
  const unit = windowUnit(requireDtype(dtype));
  const expected = whole(dtype, TENSOR);

  test.each(KERNELS)('%s: windows of any size and alignment, merged in any order, give the same', (_, kernel) => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(20_000), { maxLength: 12 }),
        fc.array(fc.nat(7), { minLength: 13, maxLength: 13 }),
        fc.array(fc.nat(3), { minLength: 13, maxLength: 13 }),
        (places, shifts, owners) => {
          const parts = Array.from({ length: 4 }, () => newDistribution(dtype, { ...optionsOf(dtype), kernel }));
          cutAt(TENSOR, unit, places).forEach((window, index) => {
            parts[owners[index] ?? 0]?.add(shifted(window, shifts[index] ?? 0));
          });
          const [a, b, c, d] = parts;
          if (a === undefined || b === undefined || c === undefined || d === undefined) {
            return expect.fail('four parts');
          }
          // ((d + b) + (c + a))
          d.merge(b);
          c.merge(a);
          d.merge(c);
          expect(d.toData()).toEqual(expected.toData());
          expect(d.summarise('t')).toEqual(expected.summarise('t'));
        },
      ),
      { numRuns: 12 },
    );
  });

  test('survives a structured clone with nothing else in tow, and can be fed further', () => {
    const half = TENSOR.length / 2;
    const data = whole(dtype, TENSOR.subarray(0, half)).toData();
    const { keys, counts } = data.kind === 'patterns' ? data.patterns : data.totals.keys;
    expect(keys.buffer.byteLength).toBe(keys.byteLength);
    expect(counts.buffer.byteLength).toBe(counts.byteLength);
    expect([...keys]).toEqual([...new Set(keys)].sort((a, b) => a - b));
    const copy = distributionFromData(structuredClone(data));
    copy.add(TENSOR.subarray(half));
    expect(copy.toData()).toEqual(expected.toData());
    expect(copy.summarise('t', 7)).toEqual(expected.summarise('t', 7));
  });

  test('merging leaves the other one as it was; summarising in between changes nothing', () => {
    const half = TENSOR.length / 2;
    const first = whole(dtype, TENSOR.subarray(0, half));
    const second = whole(dtype, TENSOR.subarray(half));
    const before = second.toData();
    first.summarise('t');
    first.merge(second);
    first.merge(newDistribution(dtype, optionsOf(dtype)));
    expect(second.toData()).toEqual(before);
    expect(first.toData()).toEqual(expected.toData());
  });

  test('what is handed out does not change afterwards', () => {
    const distribution = whole(dtype, TENSOR);
    const data = distribution.toData();
    const before = structuredClone(data);
    distribution.add(TENSOR);
    distribution.summarise('t');
    expect(data).toEqual(before);
  });

  if (unit > 1) {
    test('refuses part of an element and takes nothing in', () => {
      const distribution = whole(dtype, TENSOR);
      expect(codeOf(() => distribution.add(TENSOR.subarray(0, unit * 5 + 1)))).toBe('bytes-not-whole-elements');
      expect(distribution.toData()).toEqual(expected.toData());
    });
  }
});

describe('counts beyond 2^32', () => {
  test('add up exactly, and so do the sums', () => {
    const values = Uint16Array.of(0x3f80, 0x4000, 0xbf80);
    let part = whole('BF16', bytesOf(values));
    for (let step = 0; step < 40; step += 1) {
      const twice = distributionFromData(part.toData());
      twice.merge(part);
      part = twice;
    }
    const stats = part.summarise('t', 2);
    expect(stats.count).toBe(3 * 2 ** 40);
    expect(stats.mean).toBe(2 / 3);
    expect(stats.std).toBe(Math.sqrt(14) / 3);
    expect([...(stats.histogram?.counts ?? [])]).toEqual([2 ** 40, 2 ** 41]);
  });

  test('of 32-bit floats too', () => {
    let part = whole('F32', bytesOf(Float32Array.of(0.5, -0.25, 1 / 3)));
    const one = part.summarise('t');
    for (let step = 0; step < 40; step += 1) {
      const twice = distributionFromData(part.toData());
      twice.merge(part);
      part = twice;
    }
    expect(part.summarise('t')).toMatchObject({ count: 3 * 2 ** 40, mean: one.mean, std: one.std });
  });
});

test('data whose arrays are parts of larger ones come out in their own size', () => {
  const large = { keys: Uint32Array.of(1, 2, 3), counts: Float64Array.of(4, 5, 6) };
  const patterns = { keys: large.keys.subarray(1, 2), counts: large.counts.subarray(1, 2) };
  const data = distributionFromData({ kind: 'patterns', dtype: 'U8', f6Order: undefined, patterns }).toData();
  expect(data.kind === 'patterns' && data.patterns.keys.buffer.byteLength).toBe(4);
  const totals = { ...noTotals(), keys: patterns };
  const wide = distributionFromData({ kind: 'wide', dtype: 'I32', totals }).toData();
  expect(wide.kind === 'wide' && wide.totals.keys.counts.buffer.byteLength).toBe(8);
});

describe('what does not belong together', () => {
  test.each([
    ['F16', 'BF16'],
    ['F32', 'C64'],
    ['F32', 'BF16'],
    ['U8', 'I64'],
  ])('%s and %s', (one, other) => {
    expect(codeOf(() => newDistribution(one).merge(newDistribution(other)))).toBe('dtype-mismatch');
  });

  test('6-bit floats read in different orders', () => {
    const lsb = newDistribution('F6_E2M3', { f6Order: 'lsb' });
    const msb = newDistribution('F6_E2M3', { f6Order: 'msb' });
    expect(codeOf(() => lsb.merge(msb))).toBe('dtype-mismatch');
    expect(() => lsb.merge(msb)).toThrow('of F6_E2M3 (msb) does not merge into one of F6_E2M3 (lsb)');
  });

  test('data under another kind of dtype', () => {
    const patterns = whole('U8', Uint8Array.of(1)).toData();
    const wide = whole('F32', new Uint8Array(4)).toData();
    expect(codeOf(() => distributionFromData({ ...patterns, dtype: 'F32' }))).toBe('dtype-mismatch');
    expect(codeOf(() => distributionFromData({ ...wide, dtype: 'U8' }))).toBe('dtype-mismatch');
    expect(codeOf(() => distributionFromData({ ...wide, dtype: 'X' }))).toBe('unknown-dtype');
  });
});

describe('newDistribution', () => {
  test('needs a dtype it knows, and an order for 6-bit ones', () => {
    expect(codeOf(() => newDistribution('Q8_0'))).toBe('unknown-dtype');
    expect(codeOf(() => newDistribution('F6_E3M2'))).toBe('f6-bit-order');
    expect(newDistribution('F6_E3M2', { f6Order: 'lsb' }).dtype).toBe('F6_E3M2');
  });
});
