import type { ElementRun } from './slice.ts';

/** Elements of up to 64 bits side by side. */
export interface PackedElements {
  readonly bytes: Uint8Array;
  readonly bits: number;
  /** Of elements that share bytes, the first lies in a byte's highest bits; otherwise in its lowest. */
  readonly highestFirst: boolean;
}

/** Where a value of `bits` bits at bit `at` lies in the 16 bits made of its byte and the next. */
const shiftOf = (at: number, { bits, highestFirst }: PackedElements): number =>
  highestFirst ? 16 - bits - (at & 7) : at & 7;

const pairAt = ({ bytes, highestFirst }: PackedElements, at: number): number => {
  const byte = bytes[at >> 3] ?? 0;
  const next = bytes[(at >> 3) + 1] ?? 0;
  return highestFirst ? (byte << 8) | next : byte | (next << 8);
};

const packBytes = (from: PackedElements, { start, step, count }: ElementRun, into: Uint8Array, at: number): void => {
  const size = from.bits / 8;
  if (step === 1) {
    into.set(from.bytes.subarray(start * size, (start + count) * size), at * size);
    return;
  }
  for (let k = 0; k < count; k += 1) {
    const source = (start + k * step) * size;
    const target = (at + k) * size;
    for (let byte = 0; byte < size; byte += 1) {
      into[target + byte] = from.bytes[source + byte] ?? 0;
    }
  }
};

/**
 * Copies every `step`-th element of `from`, `count` of them from element `start`, to element `at` of `into` and on. `step`
 * may be negative. `into` has `from`'s layout; its bits must be zero where elements share bytes.
 */
export const packElements = (from: PackedElements, run: ElementRun, into: Uint8Array, at: number): void => {
  if (from.bits % 8 === 0) {
    packBytes(from, run, into, at);
    return;
  }
  const target: PackedElements = { ...from, bytes: into };
  const mask = (1 << from.bits) - 1;
  for (let k = 0; k < run.count; k += 1) {
    const source = (run.start + k * run.step) * from.bits;
    const value = (pairAt(from, source) >> shiftOf(source, from)) & mask;
    const to = (at + k) * from.bits;
    const pair = pairAt(target, to) | (value << shiftOf(to, target));
    into[to >> 3] = from.highestFirst ? pair >> 8 : pair & 0xff;
    into[(to >> 3) + 1] = from.highestFirst ? pair & 0xff : pair >> 8;
  }
};
