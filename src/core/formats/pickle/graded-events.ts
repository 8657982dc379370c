import { PICKLE_GRADES, type PickleEventRow, type PickleGrade } from '../../../shared/pickle-types.ts';
import { EventGrader, eventTexts, ROW_KINDS } from './grade-event.ts';
import type { LoggedPickle } from './pickle-log.ts';

/** Lets other work run; awaited between stretches of a long one. */
export type Pause = () => Promise<void>;

/** Events graded without a pause: a few milliseconds. */
const STRETCH = 10_000;
/** Events whose listed ones are counted together, so that a place is found without walking all of them. */
const BLOCK = 1024;
/** Code of an event that is not listed; listed ones have their grade's place. */
const NOT_LISTED = PICKLE_GRADES.length;

/** The events of one pickle with the grade of each, in few bytes: a hostile stream has millions. */
export class GradedEvents {
  readonly pickle: LoggedPickle;
  readonly #grader: EventGrader;
  /** A grade's place for each event. */
  readonly #codes: Uint8Array;
  /** For each block of events and each grade, how many events it has. */
  readonly #blocks: Uint32Array;

  private constructor(pickle: LoggedPickle, grader: EventGrader, codes: Uint8Array) {
    this.pickle = pickle;
    this.#grader = grader;
    this.#codes = codes;
    this.#blocks = new Uint32Array(Math.ceil(codes.length / BLOCK) * PICKLE_GRADES.length);
    codes.forEach((code, index) => {
      if (code < NOT_LISTED) {
        const at = Math.floor(index / BLOCK) * PICKLE_GRADES.length + code;
        this.#blocks[at] = (this.#blocks[at] ?? 0) + 1;
      }
    });
  }

  /** Grades all events of a pickle, in stretches of a few milliseconds. */
  static async of(pickle: LoggedPickle, pause: Pause): Promise<GradedEvents> {
    const { events } = pickle.outcome;
    const grader = new EventGrader(pickle);
    const codes = new Uint8Array(events.length).fill(NOT_LISTED);
    for (let index = 0; index < events.length; index += 1) {
      const event = events.at(index);
      const graded = event === undefined ? undefined : grader.grade(event);
      if (graded !== undefined) {
        codes[index] = PICKLE_GRADES.indexOf(graded.grade);
      }
      if (index % STRETCH === STRETCH - 1) {
        await pause();
      }
    }
    return new GradedEvents(pickle, grader, codes);
  }

  /** Events of these grades among the first `untilEvent`. */
  count(grades: readonly number[], untilEvent = this.#codes.length): number {
    let total = 0;
    const whole = Math.floor(untilEvent / BLOCK);
    for (let block = 0; block < whole; block += 1) {
      total += this.#inBlock(block, grades);
    }
    for (let index = whole * BLOCK; index < untilEvent; index += 1) {
      total += grades.includes(this.#codes[index] ?? NOT_LISTED) ? 1 : 0;
    }
    return total;
  }

  /** Numbers of the events of these grades, from the `skip`-th on, at most `most`. */
  select(grades: readonly number[], skip: number, most: number): readonly number[] {
    const found: number[] = [];
    let left = skip;
    for (let block = 0; block * BLOCK < this.#codes.length && found.length < most; block += 1) {
      const inBlock = this.#inBlock(block, grades);
      if (inBlock <= left) {
        left -= inBlock;
        continue;
      }
      for (let index = block * BLOCK; index < (block + 1) * BLOCK && found.length < most; index += 1) {
        if (grades.includes(this.#codes[index] ?? NOT_LISTED)) {
          if (left === 0) {
            found.push(index);
          } else {
            left -= 1;
          }
        }
      }
    }
    return found;
  }

  /** The listed event at a byte, or the last one before it: of equals the worst. Undefined when there is none. */
  eventAt(byte: number): number | undefined {
    const { events } = this.pickle.outcome;
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((events.at(middle)?.offset ?? Number.POSITIVE_INFINITY) <= byte) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    let best: number | undefined;
    for (let index = low - 1; index >= 0; index -= 1) {
      const code = this.#codes[index] ?? NOT_LISTED;
      if (best !== undefined && events.at(index)?.offset !== events.at(best)?.offset) {
        break;
      }
      if (code < (best === undefined ? NOT_LISTED : (this.#codes[best] ?? NOT_LISTED))) {
        best = index;
      }
    }
    return best;
  }

  /** Grade of a listed event. */
  grade(event: number): PickleGrade | undefined {
    return PICKLE_GRADES[this.#codes[event] ?? NOT_LISTED];
  }

  /** A listed event as a row of the pickle `pickle`. */
  row(event: number, pickle: number): PickleEventRow | undefined {
    const found = this.pickle.outcome.events.at(event);
    const graded = found === undefined ? undefined : this.#grader.grade(found);
    const kind = found === undefined ? undefined : ROW_KINDS[found.kind];
    if (found === undefined || graded === undefined || kind === undefined) {
      return undefined;
    }
    const { base } = this.pickle;
    return {
      pickle,
      kind,
      ...eventTexts(found),
      opcode: found.opcode,
      byte: found.offset,
      offset: base === undefined ? undefined : base + found.offset,
      ...graded,
    };
  }

  #inBlock(block: number, grades: readonly number[]): number {
    return grades.reduce((sum, grade) => sum + (this.#blocks[block * PICKLE_GRADES.length + grade] ?? 0), 0);
  }
}
