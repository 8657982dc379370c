/**
 * Memory for pieces that are written out one after the other while the next one is made: two buffers taken in turn, so that
 * a piece stays as it is until the next but one is taken. Fresh memory for each would cost more than what is done with it:
 * the system clears every page of it first.
 */
export class AlternatingBuffers {
  #current = new Uint8Array(0);
  #other = new Uint8Array(0);

  /** Room for `length` bytes, aligned to 8; what was in it before is still there. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const next = this.#other.byteLength < length ? new Uint8Array(length) : this.#other;
    this.#other = this.#current;
    this.#current = next;
    return next.subarray(0, length);
  }
}
