import { Inflate } from 'fflate';
import { INFLATE_PIECE } from './limits.ts';

/** Inflates raw deflate data piece by piece and stops once more than a cap has come out. */
export class CappedInflater {
  readonly #cap: number;
  readonly #inflate: Inflate;
  #out: Uint8Array[] = [];
  #produced = 0;
  #over = false;
  #broken: string | undefined;

  /** @param cap Most bytes to give out. */
  constructor(cap: number) {
    this.#cap = cap;
    this.#inflate = new Inflate((chunk) => this.#take(chunk));
  }

  /** Bytes given out so far, never more than the cap. */
  get produced(): number {
    return this.#produced;
  }

  /** More came out than the cap lets through. */
  get over(): boolean {
    return this.#over;
  }

  /** Why the data cannot be inflated further, as the inflater says it. */
  get broken(): string | undefined {
    return this.#broken;
  }

  /** Nothing more will come. */
  get stopped(): boolean {
    return this.#over || this.#broken !== undefined;
  }

  /** What comes out of the next bytes; nothing once it has stopped. `last` with the last ones, which must complete the data. */
  push(bytes: Uint8Array, last: boolean): readonly Uint8Array[] {
    this.#out = [];
    // Small pieces: one push of the inflater cannot be stopped, and makes up to 1032 times as much.
    for (let at = 0; !this.stopped && at < bytes.length; at += INFLATE_PIECE) {
      const end = Math.min(at + INFLATE_PIECE, bytes.length);
      this.#pushPiece(bytes.subarray(at, end), last && end === bytes.length);
    }
    return this.#out;
  }

  #pushPiece(piece: Uint8Array, last: boolean): void {
    try {
      this.#inflate.push(piece, last);
    } catch (cause) {
      this.#broken = cause instanceof Error ? cause.message : String(cause);
    }
  }

  #take(chunk: Uint8Array): void {
    const room = this.#cap - this.#produced;
    this.#over ||= chunk.length > room;
    const taken = chunk.length > room ? chunk.subarray(0, room) : chunk;
    if (taken.length > 0) {
      this.#produced += taken.length;
      this.#out.push(taken);
    }
  }
}
