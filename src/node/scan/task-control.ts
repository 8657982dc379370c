/**
 * What a job and its workers share while it runs: a flag that asks them to stop, and the bytes they have scanned.
 * Shared memory rather than messages, so that a worker deep in a loop sees a cancel within one window.
 */
export class TaskControl {
  readonly memory: SharedArrayBuffer;
  readonly #flag: Int32Array;
  readonly #bytes: BigInt64Array;

  /** @param memory of the control to join; left out, a new one is made. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.memory = memory;
    this.#flag = new Int32Array(memory, 8, 1);
    this.#bytes = new BigInt64Array(memory, 0, 1);
  }

  cancel(): void {
    Atomics.store(this.#flag, 0, 1);
  }

  get cancelled(): boolean {
    return Atomics.load(this.#flag, 0) !== 0;
  }

  /** Adds to the bytes done. */
  advance(bytes: number): void {
    Atomics.add(this.#bytes, 0, BigInt(bytes));
  }

  get bytesDone(): number {
    return Number(Atomics.load(this.#bytes, 0));
  }
}
