import { LoupeError } from '../../../../src/shared/errors.ts';

/** Random numbers that are the same in every run. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
  };
};

/** The bytes behind a typed array. */
export const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** A copy that starts `shift` bytes after an eight-byte boundary. */
export const shifted = (bytes: Uint8Array, shift: number): Uint8Array => {
  const copy = new Uint8Array(bytes.length + shift).subarray(shift);
  copy.set(bytes);
  return copy;
};

/** Cuts bytes at places given as numbers of `unit` bytes, each taken modulo what is there. */
export const cutAt = (bytes: Uint8Array, unit: number, places: readonly number[]): Uint8Array[] => {
  const elements = bytes.length / unit;
  const cuts = [0, ...places.map((place) => place % (elements + 1)), elements].sort((a, b) => a - b);
  return cuts.slice(1).map((cut, index) => bytes.subarray((cuts[index] ?? 0) * unit, cut * unit));
};

/** The code of the error that `act` throws; fails when it throws none of ours. */
export const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (fault) {
    if (fault instanceof LoupeError) {
      return fault.code;
    }
    throw fault;
  }
  throw new Error('nothing was thrown');
};
