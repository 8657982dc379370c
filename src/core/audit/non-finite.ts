import { componentBits, type DtypeInfo } from '../dtypes/dtype-table.ts';
import { elementWindow } from '../dtypes/element-window.ts';
import { SMALL_FLOAT_TABLES } from '../dtypes/small-floats.ts';
import type { ElementChunk } from '../tensor/element-chunks.ts';

/** Row-major indexes of elements; of complex dtypes the element whose real or imaginary part it is. */
export interface FirstNonFinite {
  readonly nan?: number;
  readonly infinity?: number;
}

/** 0 for a finite number, 1 for a NaN, 2 for an infinity, by its place. */
type Classify = (index: number) => 0 | 1 | 2;

const FINITE: Classify = () => 0;

/** By bits: an exponent of all ones is a NaN where the mantissa is not zero. */
const byBits = (exponent: number, mantissa: (index: number) => number, upper: (index: number) => number): Classify => {
  return (index) => ((upper(index) & exponent) !== exponent ? 0 : mantissa(index) === 0 ? 2 : 1);
};

const classifier = (info: DtypeInfo, bytes: Uint8Array, length: number): Classify => {
  const { buffer, byteOffset } = bytes;
  if (info.encoding === 'table') {
    const table = SMALL_FLOAT_TABLES.get(info.name) ?? new Float32Array(0);
    const classes = Uint8Array.from(table, (value) => (Number.isNaN(value) ? 1 : Number.isFinite(value) ? 0 : 2));
    return (index) => {
      const found = classes[bytes[index] ?? 0];
      return found === 1 ? 1 : found === 2 ? 2 : 0;
    };
  }
  switch (info.encoding) {
    case 'f16':
    case 'bf16': {
      const values = new Uint16Array(buffer, byteOffset, length);
      const exponent = info.encoding === 'f16' ? 0x7c00 : 0x7f80;
      const at = (index: number): number => values[index] ?? 0;
      return byBits(exponent, (index) => at(index) & ~exponent & 0x7fff, at);
    }
    case 'f32': {
      const values = new Uint32Array(buffer, byteOffset, length);
      const at = (index: number): number => values[index] ?? 0;
      return byBits(0x7f800000, (index) => at(index) & 0x7fffff, at);
    }
    case 'f64': {
      const words = new Uint32Array(buffer, byteOffset, length * 2);
      const upper = (index: number): number => words[index * 2 + 1] ?? 0;
      return byBits(0x7ff00000, (index) => (upper(index) & 0xfffff) | (words[index * 2] ?? 0), upper);
    }
    default:
      return FINITE;
  }
};

/** Whether numbers of this dtype can be NaN or infinite. */
export const canBeNonFinite = (info: DtypeInfo): boolean => info.format !== undefined && componentBits(info) >= 8;

/** Looks through a tensor's elements for the first NaN and the first infinity. */
export class NonFiniteFinder {
  readonly #info: DtypeInfo;
  readonly #wanted: { readonly nan: boolean; readonly infinity: boolean };
  #elements = 0;
  #nan: number | undefined;
  #infinity: number | undefined;

  /** @param wanted which of them there are; with both found nothing more needs to be looked at. */
  constructor(info: DtypeInfo, wanted: { readonly nan: boolean; readonly infinity: boolean }) {
    this.#info = info;
    this.#wanted = wanted;
  }

  /** Takes the next elements. */
  add({ bytes, firstElement, count }: ElementChunk): void {
    if (canBeNonFinite(this.#info) && !this.done) {
      const window = elementWindow(this.#info.name, bytes, count, { firstElement });
      const classify = classifier(this.#info, window.bytes, window.length);
      for (let index = 0; index < window.length && !this.done; index += 1) {
        const found = classify(index);
        if (found !== 0) {
          const element = this.#elements + Math.floor(index / this.#info.components);
          this.#nan ??= found === 1 ? element : undefined;
          this.#infinity ??= found === 2 ? element : undefined;
        }
      }
    }
    this.#elements += count;
  }

  get done(): boolean {
    return (!this.#wanted.nan || this.#nan !== undefined) && (!this.#wanted.infinity || this.#infinity !== undefined);
  }

  get first(): FirstNonFinite {
    return {
      ...(this.#nan === undefined ? {} : { nan: this.#nan }),
      ...(this.#infinity === undefined ? {} : { infinity: this.#infinity }),
    };
  }
}
