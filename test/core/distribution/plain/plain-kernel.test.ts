import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WideScanner } from '../../../../src/core/distribution/kernels.ts';
import { Float32Scanner } from '../../../../src/core/distribution/plain/float32-scanner.ts';
import { Float64Scanner } from '../../../../src/core/distribution/plain/float64-scanner.ts';
import { Int32Scanner } from '../../../../src/core/distribution/plain/int32-scanner.ts';
import { Int64Scanner } from '../../../../src/core/distribution/plain/int64-scanner.ts';
import { HalfCounter } from '../../../../src/core/distribution/plain/pattern-counter.ts';
import { PlainKernel } from '../../../../src/core/distribution/plain/plain-kernel.ts';
import type { WideEncoding, WideTotals } from '../../../../src/core/distribution/wide-totals.ts';
import { mergeTotals } from '../../../../src/core/distribution/wide-totals.ts';
import { bytesOf, seededRandom, shifted } from '../support/windows.ts';

const random = seededRandom(3);
/** More than any one chunk of the kernels, and no multiple of one. */
const BYTES = Uint8Array.from({ length: 8 * 300_001 }, () => Math.floor(random() * 256));

const countNaively = (patterns: Iterable<number>): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const pattern of patterns) {
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  return new Map([...counts].sort(([a], [b]) => a - b));
};

const nibbles = function* (bytes: Uint8Array): Generator<number> {
  for (const byte of bytes) {
    yield byte & 15;
    yield byte >>> 4;
  }
};

describe('pattern counters', () => {
  test.each([
    [4, () => nibbles(BYTES)],
    [8, () => BYTES],
    [16, () => new Uint16Array(BYTES.buffer)],
  ] as const)('of %i bits count every pattern, whatever the alignment', (bits, patterns) => {
    const expected = countNaively(patterns());
    const kernel = new PlainKernel();
    for (const bytes of [BYTES, shifted(BYTES, 1)]) {
      const counter = kernel.patternCounter(bits);
      counter.add(bytes);
      const { keys, counts } = counter.drain();
      expect([...keys]).toEqual([...expected.keys()]);
      expect([...counts]).toEqual([...expected.values()]);
      expect(counter.drain().keys).toHaveLength(0);
      counter.release();
    }
  });

  test('of 8 bits: windows of an odd length', () => {
    const counter = new PlainKernel().patternCounter(8);
    const bytes = Uint8Array.of(9, 1, 2, 3, 1);
    for (const [from, to] of [
      [0, 0],
      [0, 1],
      [1, 2],
      [1, 4],
      [0, 5],
    ]) {
      counter.add(bytes.subarray(from, to));
    }
    const { keys, counts } = counter.drain();
    expect([...keys]).toEqual([1, 2, 3, 9]);
    expect([...counts]).toEqual([4, 2, 2, 2]);
  });
});

/** Totals with their keys as one digest: a quarter million of them are slow to compare one by one. */
const digested = ({ keys: { keys, counts }, ...totals }: WideTotals) => ({
  ...totals,
  keys: createHash('sha256').update(keys).update(counts).digest('hex'),
});

const ENCODINGS = ['f32', 'f64', 'i32', 'u32', 'i64', 'u64'] as const;

describe('wide scanners', () => {
  test.each(ENCODINGS)('%s: one long window, unaligned, or many short ones', (encoding) => {
    const kernel = new PlainKernel();
    const scan = (windows: readonly Uint8Array[]): WideTotals => {
      const scanner = kernel.wideScanner(encoding);
      for (const window of windows) {
        scanner.add(window);
      }
      const totals = scanner.drain();
      scanner.release();
      return totals;
    };
    const short = Array.from({ length: Math.ceil(BYTES.length / 4096) }, (_, index) =>
      BYTES.subarray(index * 4096, (index + 1) * 4096),
    );
    const expected = digested(scan([BYTES]));
    expect(digested(scan([shifted(BYTES, 3)]))).toEqual(expected);
    expect(digested(scan(short))).toEqual(expected);
    // Parts drained one by one, as between spills.
    const half = BYTES.length / 2 - ((BYTES.length / 2) % 8);
    const parts = mergeTotals(scan([BYTES.subarray(half)]), scan([BYTES.subarray(0, half)]));
    expect(digested(parts)).toEqual(expected);
  });

  test.each(ENCODINGS)('%s: a drained scanner is empty', (encoding) => {
    const kernel = new PlainKernel();
    const fresh = kernel.wideScanner(encoding);
    const empty = fresh.drain();
    expect(empty).toMatchObject({ count: 0, min: undefined, max: undefined, moments: { sum: 0n, sumSquares: 0n } });
    fresh.add(BYTES.subarray(0, 8000));
    fresh.drain();
    expect(fresh.drain()).toEqual(empty);
  });
});

describe('the numbers next to zero', () => {
  const cases: readonly (readonly [WideEncoding, (values: readonly bigint[]) => ArrayBufferView, boolean])[] = [
    ['f32', (values) => Float32Array.from(values, Number), true],
    ['f64', (values) => Float64Array.from(values, Number), true],
    ['i32', (values) => Int32Array.from(values, Number), true],
    ['u32', (values) => Uint32Array.from(values, Number), false],
    ['i64', (values) => BigInt64Array.from(values), true],
    ['u64', (values) => BigUint64Array.from(values), false],
  ];

  describe.each(cases)('%s', (encoding, arrayOf, hasNegatives) => {
    const nearest = (...windows: readonly (readonly bigint[])[]) => {
      const scanner = new PlainKernel().wideScanner(encoding);
      for (const window of windows) {
        scanner.add(bytesOf(arrayOf(window)));
      }
      const { maxNegative, minPositive } = scanner.drain();
      return [maxNegative, minPositive];
    };

    test('are found in whichever window they are', () => {
      expect(nearest([4000n], [1000n], [2000n, 0n])).toEqual([undefined, 1000]);
      expect(nearest([70_000n], [65_536n])).toEqual([undefined, 65_536]);
      expect(nearest([4000n], [0n, 3n], [1000n, 2n])).toEqual([undefined, 2]);
      expect(nearest([0n], [])).toEqual([undefined, undefined]);
    });

    if (!hasNegatives) {
      test('large ones are no negative ones', () => {
        const [most = 0] = encoding === 'u32' ? [2 ** 32 - 1] : [2n ** 64n - 1n];
        expect(nearest([BigInt(most)])).toEqual([undefined, most]);
      });
    } else {
      test('on either side', () => {
        expect(nearest([-4000n], [-1000n], [-2000n, 0n])).toEqual([-1000, undefined]);
        expect(nearest([4000n, -4000n], [1000n], [-1000n], [2000n, -2000n])).toEqual([-1000, 1000]);
        expect(nearest([-70_000n, 256n], [-65_536n, 255n])).toEqual([-65_536, 255]);
        expect(nearest([-200n, 5n], [-3n], [-4n])).toEqual([-3, 5]);
        expect(nearest([5n], [-4000n], [-1000n], [-2000n])).toEqual([-1000, 5]);
        expect(nearest([-(2n ** 31n)])).toEqual([-(2 ** 31), undefined]);
      });
    }
  });
});

describe('sums that fill the hot tables', () => {
  test.each([
    ['f32', Uint32Array.of(0x3f9fffff), 149n, Math.fround(1.25 - 2 ** -23)],
    ['f64', BigUint64Array.of(0x3fffffffffffffffn), 1074n, 2 - 2 ** -52],
  ] as const)('%s: 400,000 times the longest mantissa', (encoding, element, unit, value) => {
    const scanner = new PlainKernel().wideScanner(encoding);
    const size = element.byteLength;
    const window = Uint8Array.from({ length: 50_000 * size }, (_, at) => bytesOf(element)[at % size] ?? 0);
    for (let count = 0; count < 400_000; count += 50_000) {
      scanner.add(window);
    }
    const { count, keys, moments } = scanner.drain();
    const one = BigInt(value * 2 ** 52) << (unit - 52n);
    expect(count).toBe(400_000);
    expect([...keys.counts]).toEqual([400_000]);
    expect(moments).toEqual({ sum: 400_000n * one, sumSquares: 400_000n * one * one });
  });
});

describe('spilling', () => {
  const nothing = (): void => undefined;
  const windows = Array.from({ length: 50 }, (_, index) => BYTES.subarray(index * 808, (index + 1) * 808));

  test('changes no count', () => {
    const [often, never] = [new HalfCounter(nothing, 1000), new HalfCounter(nothing)];
    for (const window of windows) {
      often.add(window);
      never.add(window);
    }
    expect(often.drain()).toEqual(never.drain());
    expect(often.drain().keys).toHaveLength(0);
  });

  test.each<readonly [string, (spill?: number) => WideScanner]>([
    ['f32', (spill) => new Float32Scanner(nothing, spill)],
    ['f64', (spill) => new Float64Scanner(nothing, spill)],
    ['i32', (spill) => new Int32Scanner(true, nothing, spill)],
    ['u32', (spill) => new Int32Scanner(false, nothing, spill)],
    ['i64', (spill) => new Int64Scanner(true, nothing, spill)],
    ['u64', (spill) => new Int64Scanner(false, nothing, spill)],
  ])('changes no total of %s', (_, make) => {
    const [often, never] = [make(500), make()];
    for (const window of windows) {
      often.add(window);
      never.add(window);
    }
    expect(often.drain()).toEqual(never.drain());
    expect(often.drain().count).toBe(0);
  });
});

describe('released tools', () => {
  test('serve the next tensor, and never two at once', () => {
    const kernel = new PlainKernel();
    const first = kernel.wideScanner('f32');
    expect(kernel.wideScanner('f32')).not.toBe(first);
    first.release();
    first.release();
    expect(kernel.wideScanner('f32')).toBe(first);
    expect(kernel.wideScanner('f32')).not.toBe(first);
    const counter = kernel.patternCounter(16);
    counter.add(bytesOf(Uint16Array.of(1)));
    counter.drain();
    counter.release();
    expect(kernel.patternCounter(16)).toBe(counter);
  });
});
