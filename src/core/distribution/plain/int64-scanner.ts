import type { WideScanner } from '../kernels.ts';
import { addMoments, NO_MOMENTS, shiftMoments } from '../moments.ts';
import { mergeTotals, NO_EXTREMES, noTotals, type WideTotals } from '../wide-totals.ts';
import { forAlignedChunks } from './aligned-chunks.ts';
import { IntKeys, KEY_CHUNK, nearZero } from './int-keys.ts';
import { extremesOf, noExtremes, scanExtremes, scanMoments, scanNearZero, wantsNearZero } from './int64-loop.ts';

/** Elements after which everything is drained, so that no count reaches 2^32. */
const SPILL = 2 ** 31;

/**
 * {@link WideScanner} of 64-bit integers. Unsigned ones are scanned as signed ones 2^63 lower, which takes no more than
 * inverting their top bit, and shifted back when drained.
 */
export class Int64Scanner implements WideScanner {
  readonly #signed: boolean;
  readonly #keys = new IntKeys();
  readonly #release: (scanner: Int64Scanner) => void;
  readonly #spill: number;
  #count = 0;
  #zeros = 0;
  #extremes = noExtremes();
  #moments = NO_MOMENTS;
  #spilled = noTotals();

  /** @param spill elements after which sums and counts move to where they cannot overflow; smaller in tests */
  constructor(signed: boolean, release: (scanner: Int64Scanner) => void, spill = SPILL) {
    this.#signed = signed;
    this.#release = release;
    this.#spill = spill;
  }

  add(bytes: Uint8Array): void {
    // Read word by word, so that four-byte alignment is enough.
    forAlignedChunks(bytes, 4, 8 * KEY_CHUNK, ({ buffer, byteOffset, length }) => {
      this.#addChunk(new Int32Array(buffer, byteOffset, length / 4));
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

  #addChunk(words: Int32Array): void {
    const length = words.length / 2;
    if (this.#count + length > this.#spill) {
      this.#spilled = mergeTotals(this.#spilled, this.#take());
    }
    this.#count += length;
    const flip = this.#signed ? 0 : -0x80000000;
    scanExtremes(words, flip, this.#extremes);
    if (wantsNearZero(this.#extremes)) {
      scanNearZero(words, this.#extremes);
    }
    const moments = scanMoments(words, flip, this.#signed ? 0 : 2 ** 31, this.#keys.floats);
    this.#moments = addMoments(this.#moments, moments);
    this.#zeros += this.#keys.count(length);
  }

  #take(): WideTotals {
    const keys = this.#keys.take();
    const extremes = this.#count > 0 ? extremesOf(this.#extremes, this.#signed) : NO_EXTREMES;
    const totals: WideTotals = {
      ...noTotals(),
      count: this.#count,
      zeros: this.#zeros,
      ...extremes,
      ...nearZero(keys, extremes),
      moments: shiftMoments(this.#moments, this.#count, this.#signed ? 0n : 1n << 63n),
      keys,
    };
    this.#count = 0;
    this.#zeros = 0;
    this.#extremes = noExtremes();
    this.#moments = NO_MOMENTS;
    return totals;
  }
}
