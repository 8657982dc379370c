import type { Loop } from './compiled-loops.ts';

/** Who holds something in the loops' table. */
interface Holder {
  /** Takes it home: somebody else is next. */
  makeRoom(): void;
}

/** Whose turn it is to use the loops, which share one table. */
export class Turn {
  #holder: Holder | undefined;

  take(holder: Holder): void {
    if (this.#holder !== holder) {
      this.#holder?.makeRoom();
      this.#holder = holder;
    }
  }

  leave(holder: Holder): void {
    if (this.#holder === holder) {
      this.#holder = undefined;
    }
  }
}

/** How a loop's totals become what the tool gives. */
export interface LoopKind<Raw, Total> {
  /** Bits of an element. */
  readonly bits: number;
  none(): Total;
  /** @param count elements that were scanned */
  of(raw: Raw, count: number): Total;
  merge(a: Total, b: Total): Total;
}

/**
 * A counter or scanner over one of the loops. Any number of them may be in use: when another one's turn comes, or when the
 * loop has all it can take, what it holds is merged into what was kept so far.
 */
export class LoopTool<Raw, Total> implements Holder {
  readonly #loop: Loop<Raw>;
  readonly #kind: LoopKind<Raw, Total>;
  readonly #turn: Turn;
  readonly #limit: number;
  #bytes = 0;
  #kept: Total;

  /** @param limit bytes that the loop takes between two drains, a multiple of an element's */
  constructor(loop: Loop<Raw>, kind: LoopKind<Raw, Total>, turn: Turn, limit: number) {
    this.#loop = loop;
    this.#kind = kind;
    this.#turn = turn;
    this.#limit = limit;
    this.#kept = kind.none();
  }

  add(bytes: Uint8Array): void {
    this.#turn.take(this);
    for (let begin = 0; begin < bytes.length; ) {
      if (this.#bytes === this.#limit) {
        this.makeRoom();
      }
      const part = bytes.subarray(begin, begin + this.#limit - this.#bytes);
      this.#loop.scan(part);
      this.#bytes += part.length;
      begin += part.length;
    }
  }

  drain(): Total {
    this.makeRoom();
    const total = this.#kept;
    this.#kept = this.#kind.none();
    return total;
  }

  release(): void {
    this.makeRoom();
    this.#turn.leave(this);
  }

  makeRoom(): void {
    if (this.#bytes > 0) {
      const total = this.#kind.of(this.#loop.drain(), (this.#bytes * 8) / this.#kind.bits);
      this.#kept = this.#kind.merge(this.#kept, total);
      this.#bytes = 0;
    }
  }
}
