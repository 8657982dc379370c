import type { WideScanner } from '../kernels.ts';
import { addMoments, type Moments, NO_MOMENTS } from '../moments.ts';
import { mergeTotals, noTotals, type WideTotals } from '../wide-totals.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { IntKeys, KEY_CHUNK } from './int-keys.ts';

/** Elements after which everything is drained, so that no count reaches 2^32. */
const SPILL = 2 ** 31;

/** Sums over one chunk: value = h·2^16 + l. Below 2^32 a term and {@link KEY_CHUNK} terms, so all exact. */
const chunkMoments = (words: Int32Array, signed: boolean): Moments => {
  let sum = 0;
  let hh = 0;
  let hl = 0;
  let ll = 0;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? 0;
    const h = signed ? word >> 16 : word >>> 16;
    const l = word & 0xffff;
    sum += h * 65536 + l;
    hh += h * h;
    hl += h * l;
    ll += l * l;
  }
  return { sum: BigInt(sum), sumSquares: (BigInt(hh) << 32n) + (BigInt(hl) << 17n) + BigInt(ll) };
};

/** {@link WideScanner} of 32-bit integers, signed or not. */
export class Int32Scanner implements WideScanner {
  readonly #signed: boolean;
  readonly #keys = new IntKeys();
  readonly #release: (scanner: Int32Scanner) => void;
  #count = 0;
  #zeros = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  #moments = NO_MOMENTS;
  #spilled = noTotals();

  constructor(signed: boolean, release: (scanner: Int32Scanner) => void) {
    this.#signed = signed;
    this.#release = release;
  }

  add(bytes: Uint8Array): void {
    forAlignedChunks(bytes, 4, 4 * KEY_CHUNK, ({ buffer, byteOffset, length }) => {
      const words = new Int32Array(buffer, byteOffset, length / 4);
      this.#addChunk(words, this.#signed ? words : new Uint32Array(buffer, byteOffset, length / 4));
    });
  }

  drain(): WideTotals {
    const totals = mergeTotals(this.#spilled, this.#take());
    this.#spilled = noTotals();
    return totals;
  }

  release(): void {
    this.#release(this);
  }

  #addChunk(words: Int32Array, values: Int32Array | Uint32Array): void {
    if (this.#count + words.length > SPILL) {
      this.#spilled = mergeTotals(this.#spilled, this.#take());
    }
    this.#count += words.length;
    this.#moments = addMoments(this.#moments, chunkMoments(words, this.#signed));
    for (const value of values) {
      if (value < this.#min) {
        this.#min = value;
      }
      if (value > this.#max) {
        this.#max = value;
      }
    }
    this.#keys.floats.set(values);
    this.#zeros += this.#keys.count(values.length);
  }

  #take(): WideTotals {
    const totals: WideTotals = {
      ...noTotals(),
      count: this.#count,
      zeros: this.#zeros,
      min: this.#count > 0 ? this.#min : undefined,
      max: this.#count > 0 ? this.#max : undefined,
      moments: this.#moments,
      keys: this.#keys.take(),
    };
    this.#count = 0;
    this.#zeros = 0;
    this.#min = Number.POSITIVE_INFINITY;
    this.#max = Number.NEGATIVE_INFINITY;
    this.#moments = NO_MOMENTS;
    return totals;
  }
}
