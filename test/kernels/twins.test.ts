import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompiledKernel } from '../../src/core/distribution/compiled/compiled-kernel.ts';
import type { DistributionKernel } from '../../src/core/distribution/kernels.ts';
import { PlainKernel } from '../../src/core/distribution/plain/plain-kernel.ts';
import { loadLoops } from '../../src/kernels/load-loops.ts';
import { bytesOf, cutAt, seededRandom, shifted } from '../core/distribution/support/windows.ts';

/** Both kernels give the same: every total and every count, to the last bit. */

const ENCODINGS = ['f32', 'f64', 'i32', 'u32', 'i64', 'u64'] as const;
const TOOLS = [4, 8, 16, ...ENCODINGS] as const;
type Tool = (typeof TOOLS)[number];

const plain = new PlainKernel();
const compiled = new CompiledKernel(loadLoops());

const elementBytes = (tool: Tool): number =>
  tool === 4 || tool === 8 ? 1 : tool === 16 ? 2 : tool.endsWith('32') ? 4 : 8;

const take = (kernel: DistributionKernel, tool: Tool, windows: Iterable<Uint8Array>): unknown => {
  const used = typeof tool === 'number' ? kernel.patternCounter(tool) : kernel.wideScanner(tool);
  for (const window of windows) {
    used.add(window);
  }
  const totals = used.drain();
  used.release();
  return totals;
};

/** Typed arrays as digests, which compare quickly however long they are. */
const comparable = (value: unknown): unknown => {
  if (value instanceof Uint32Array || value instanceof Float64Array) {
    return [value.constructor.name, value.length, createHash('sha256').update(bytesOf(value)).digest('hex')];
  }
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner)]))
    : value;
};

const expectTwins = (tool: Tool, ...windows: readonly Uint8Array[]): void => {
  expect(comparable(take(compiled, tool, windows))).toStrictEqual(comparable(take(plain, tool, windows)));
};

const random = seededRandom(11);
const randomBytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => Math.floor(random() * 256));
const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Longer than a window, and than everything the loops take at once; no multiple of any of it. */
const LONG = 8 * (131_072 + 8_191);
const NOISE = randomBytes(LONG + 24);

const patterns32 = (...bits: readonly number[]): Uint8Array => bytesOf(Uint32Array.from(bits));
const patterns64 = (...bits: readonly bigint[]): Uint8Array => bytesOf(BigUint64Array.from(bits));
const repeated = (bytes: Uint8Array, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => bytes[index % bytes.length] ?? 0);
const mixed = (count: number, ...choices: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(
    Buffer.concat(
      Array.from({ length: count }, () => choices[Math.floor(random() * choices.length)] ?? new Uint8Array()),
    ),
  );

const F32_SPECIALS = [
  0, 0x80000000, 1, 0x80000001, 0xffff, 0x8000ffff, 0x10000, 0x80010000, 0x7fffff, 0x807fffff, 0x800000, 0x80800000,
  0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0xff800001, 0x7fbfffff,
  0x7fc00000, 0xffc00000, 0x7fffffff, 0xffffffff,
];
const F64_SPECIALS = [
  0n,
  1n << 63n,
  1n,
  (1n << 63n) | 1n,
  (1n << 45n) - 1n,
  1n << 45n,
  (1n << 63n) | (1n << 45n),
  (1n << 63n) | ((1n << 45n) - 1n),
  (1n << 52n) - 1n,
  1n << 52n,
  0x800fffffffffffffn,
  0x8010000000000000n,
  0x3ff0000000000000n,
  0xbff0000000000000n,
  0x7fefffffffffffffn,
  0xffefffffffffffffn,
  0x7ff0000000000000n,
  0xfff0000000000000n,
  0x7ff0000000000001n,
  0x7ff8000000000000n,
  0xfff7ffffffffffffn,
  0xffffffffffffffffn,
];
const I32_SPECIALS = [
  0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 0x80000001, 255, 256, 0xff, 0xffffff00, 0x1000000, 0x1ffffff,
];
const I64_SPECIALS = [
  0n,
  1n,
  2n ** 64n - 1n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 63n + 1n,
  2n ** 31n,
  2n ** 31n - 1n,
  2n ** 32n,
  2n ** 32n - 1n,
  2n ** 64n - 2n ** 31n,
  2n ** 64n - 2n ** 31n - 1n,
  2n ** 53n + 1n,
  2n ** 64n - 2n ** 53n - 1n,
  255n,
  256n,
  2n ** 64n - 256n,
];

/** One element each. */
const specials = (tool: Tool): Uint8Array[] => {
  switch (tool) {
    case 'f32':
      return F32_SPECIALS.map((bits) => patterns32(bits));
    case 'f64':
      return F64_SPECIALS.map((bits) => patterns64(bits));
    case 'i32':
    case 'u32':
      return I32_SPECIALS.map((bits) => patterns32(bits));
    case 'i64':
    case 'u64':
      return I64_SPECIALS.map((bits) => patterns64(bits));
    case 16:
      return [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x3f80].map((bits) => bytesOf(Uint16Array.of(bits)));
    default:
      return [0, 1, 0x0f, 0xf0, 0x7f, 0x80, 0xff].map((byte) => Uint8Array.of(byte));
  }
};

describe.each(TOOLS)('%s', (tool) => {
  const size = elementBytes(tool);
  const elements = specials(tool);

  test('nothing, and every element by itself', () => {
    expectTwins(tool);
    expectTwins(tool, new Uint8Array());
    for (const element of elements) {
      expectTwins(tool, element);
    }
  });

  test('any two elements, alternating', () => {
    for (const one of elements) {
      for (const other of elements) {
        expectTwins(tool, repeated(Buffer.concat([one, other]), 37 * size));
      }
    }
  });

  test('random bytes at any alignment', () => {
    for (let shift = 0; shift < 8; shift += 1) {
      expectTwins(tool, shifted(NOISE.subarray(0, 20_000 * size), shift));
    }
    expectTwins(tool, NOISE.subarray(0, LONG));
  });

  test('any number of elements', () => {
    const values = mixed(5000, ...elements);
    for (const count of [...Array.from({ length: 70 }, (_, index) => index), 1023, 1025, 2047, 2048, 2049, 4099]) {
      expectTwins(tool, values.subarray(0, count * size));
    }
  });

  test('runs of one element', () => {
    for (const element of elements) {
      expectTwins(tool, repeated(element, 20_011 * size));
    }
  });

  test('special elements mixed with ordinary ones', () => {
    const ordinary = Array.from({ length: 64 }, (_, index) => NOISE.subarray(index * 8, index * 8 + size));
    expectTwins(tool, mixed(30_000, ...elements));
    expectTwins(tool, mixed(30_000, ...elements, ...ordinary));
  });

  test('windows of any content, cut anywhere, at any alignment, in the memory of the loops or not', () => {
    const element = fc.oneof(
      fc.constantFrom(...elements),
      fc.uint8Array({ minLength: size, maxLength: size }),
      fc.nat(300).map((value) => repeated(Uint8Array.of(value, 0, 0, 0, 0, 0, 0, 0).subarray(0, size), size)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(element, fc.integer({ min: 1, max: 40 })), { maxLength: 60 }),
        fc.array(fc.nat(100_000), { maxLength: 6 }),
        fc.array(fc.nat(8), { minLength: 7, maxLength: 7 }),
        (runs, places, shifts) => {
          const values = Uint8Array.from(Buffer.concat(runs.map(([value, times]) => repeated(value, times * size))));
          const windows = cutAt(values, size, places).map((window, index) => {
            const shift = shifts[index] ?? 0;
            if (shift < 8) {
              return shifted(window, shift);
            }
            const target = compiled.window.subarray(1 + index * 20_000).subarray(0, window.length);
            target.set(window);
            return target;
          });
          expectTwins(tool, ...windows);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('numbers as models have them', () => {
  const normal = Float64Array.from({ length: 70_001 }, () => gauss() * 0.02);
  test.each<readonly [Tool, ArrayBufferView]>([
    ['f32', Float32Array.from(normal)],
    ['f64', normal],
    [16, Uint16Array.from(new Uint32Array(Float32Array.from(normal).buffer), (bits) => bits >>> 16)],
    [8, Int8Array.from(normal, (value) => value * 2000)],
    [4, Int8Array.from(normal, (value) => value * 2000)],
    ['i32', Int32Array.from(normal, (value) => value * 1e9)],
    ['u32', Uint32Array.from(normal, (value) => Math.abs(value) * 1e10)],
    ['i64', BigInt64Array.from(normal, (value) => BigInt(Math.round(value * 1e6)))],
    ['u64', BigUint64Array.from(normal, (value) => BigInt(Math.round(Math.abs(value) * 1e20)))],
  ])('%s', (tool, values) => {
    expectTwins(tool, bytesOf(values));
  });

  test.each([1e-39, 1e-44, 1e38])('float32 around %s: subnormal or next to infinity', (scale) => {
    expectTwins('f32', bytesOf(Float32Array.from(normal, (value) => value * 50 * scale)));
  });

  test.each([1e-308, 1e-311, 1e-322, 1e308])('float64 around %s', (scale) => {
    expectTwins('f64', bytesOf(normal.map((value) => value * 50 * scale)));
  });

  test('a few NaN and infinities among them', () => {
    const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const values = normal.map((value, index) => (index % 997 === 0 ? (odd[(index / 997) % 3] ?? 0) : value));
    expectTwins('f32', bytesOf(Float32Array.from(values)));
    expectTwins('f64', bytesOf(values));
  });
});

describe('as much as a loop takes between two drains, and more', () => {
  test.each<readonly [Tool, Uint8Array]>([
    ['f32', patterns32(0x7f7fffff)],
    ['f32', patterns32(0x0000ffff, 0x8000ffff)],
    ['f64', patterns64(0x7fefffffffffffffn)],
    ['i32', patterns32(0x80000000)],
    ['u32', patterns32(0xffffffff)],
    ['i64', patterns64(1n << 63n)],
    ['u64', patterns64(2n ** 64n - 1n)],
    [16, bytesOf(Uint16Array.of(0xffff))],
    [8, Uint8Array.of(0xff)],
    [4, Uint8Array.of(0x5f)],
  ])('%s: 40 MiB of the largest', (tool, element) => {
    const window = repeated(element, 1 << 20);
    expectTwins(tool, ...Array.from({ length: 40 }, () => window));
  });
});
