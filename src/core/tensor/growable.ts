/** A number array that grows by doubling; `finish` returns it at its exact size. */
class Growable<T extends Uint8Array | Uint32Array | Float64Array> {
  length = 0;
  #store: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T, expected: number) {
    this.#make = make;
    this.#store = make(Math.max(expected, 64));
  }

  #reserve(extra: number): void {
    if (this.length + extra > this.#store.length) {
      const larger = this.#make(Math.max(this.#store.length * 2, this.length + extra));
      larger.set(this.#store);
      this.#store = larger;
    }
  }

  push(value: number): void {
    this.#reserve(1);
    this.#store[this.length] = value;
    this.length += 1;
  }

  /** Room for `length` more items; returns the whole store and moves the end forward by what `fill` says it wrote. */
  append(length: number, fill: (room: T) => number): void {
    this.#reserve(length);
    this.length += fill(this.#store.subarray(this.length, this.length + length) as T);
  }

  /** Adds all of `items`, which are few: a loop beats a call of `set`. */
  appendAll(items: ArrayLike<number>): void {
    this.#reserve(items.length);
    for (let index = 0; index < items.length; index += 1) {
      this.#store[this.length + index] = items[index] ?? Number.NaN;
    }
    this.length += items.length;
  }

  get(index: number): number {
    return this.#store[index] ?? Number.NaN;
  }

  set(index: number, value: number): void {
    this.#store[index] = value;
  }

  /** Looks at what has been written so far; the view must not be kept. */
  read<R>(look: (written: T) => R): R {
    return look(this.#store.subarray(0, this.length) as T);
  }

  finish(): T {
    return this.#store.slice(0, this.length) as T;
  }
}

export type GrowableF64 = Growable<Float64Array<ArrayBuffer>>;
/** @param expected how many items there will probably be. */
export const growableF64 = (expected = 0): GrowableF64 => new Growable((length) => new Float64Array(length), expected);
export type GrowableU32 = Growable<Uint32Array<ArrayBuffer>>;
/** @param expected how many items there will probably be. */
export const growableU32 = (expected = 0): GrowableU32 => new Growable((length) => new Uint32Array(length), expected);
export type GrowableU8 = Growable<Uint8Array<ArrayBuffer>>;
/** @param expected how many items there will probably be. */
export const growableU8 = (expected = 0): GrowableU8 => new Growable((length) => new Uint8Array(length), expected);
