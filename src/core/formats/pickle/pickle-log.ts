import { PICKLE_LIMITS } from './limits.ts';
import type { CallNode } from './nodes.ts';
import type { PickleOutcome } from './run-pickle.ts';

/** Pickles of one file that are kept. */
const MOST_PICKLES = 1000;
/** Objects and bytes of all of them together: what one pickle alone may have (FORMATS.md 8). */
const MOST_NODES = PICKLE_LIMITS.nodes;
const MOST_BYTES = 512 * 1024 * 1024;

/** A pickle that was graded. */
export interface LoggedPickle {
  /** Base name of the file. */
  readonly file: string;
  /** The member of an archive that it is. */
  readonly member: string | undefined;
  /** Absolute byte of the file at which `outcome.bytes` begins; undefined where the file has them compressed. */
  readonly base: number | undefined;
  /** Which nested or following pickle it is: `in the pickle handed to "pickle.loads" at byte 7`. */
  readonly label: string;
  /** Whether `__torch__.…` are classes of the archive itself. */
  readonly torchScript: boolean;
  readonly outcome: PickleOutcome;
  /** Calls of loaders that load what shows only when the pickle runs. */
  readonly blind: ReadonlySet<CallNode>;
}

/**
 * The pickles of a file, kept after grading so that what each would do can be listed. Bounded: those that no longer fit are
 * counted. The first one always fits.
 */
export class PickleLog {
  readonly #kept: LoggedPickle[] = [];
  #unlisted = 0;
  #nodes = 0;
  #bytes = 0;

  get pickles(): readonly LoggedPickle[] {
    return this.#kept;
  }

  /** Pickles that did not fit. */
  get unlisted(): number {
    return this.#unlisted;
  }

  /** Keeps a pickle. @returns its place; undefined when it did not fit. */
  add(pickle: LoggedPickle): number | undefined {
    const { nodes, bytes } = pickle.outcome;
    const isShared = this.#kept.some(({ outcome }) => outcome.bytes.buffer === bytes.buffer);
    const moreBytes = isShared ? 0 : bytes.byteLength;
    const fits =
      this.#kept.length < MOST_PICKLES && this.#nodes + nodes <= MOST_NODES && this.#bytes + moreBytes <= MOST_BYTES;
    if (this.#kept.length > 0 && !fits) {
      this.#unlisted += 1;
      return undefined;
    }
    this.#nodes += nodes;
    this.#bytes += moreBytes;
    return this.#kept.push(pickle) - 1;
  }

  /** Adds the pickles of another file. @returns the new place of each; undefined for those that did not fit. */
  addAll(other: PickleLog): readonly (number | undefined)[] {
    this.#unlisted += other.#unlisted;
    return other.#kept.map((pickle) => this.add(pickle));
  }
}
