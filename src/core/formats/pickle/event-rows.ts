import {
  type GradeCounts,
  PICKLE_GRADES,
  type PickleEventRow,
  type PickleGrade,
} from '../../../shared/pickle-types.ts';
import { GradedEvents, type Pause } from './graded-events.ts';
import type { PickleLog } from './pickle-log.ts';

const codesOf = (grades: readonly PickleGrade[]): readonly number[] =>
  [...new Set(grades)].map((grade) => PICKLE_GRADES.indexOf(grade));

/** Every import and call of a file's pickles, in the order of the pickles and of their bytes, to be read by pages. */
export class EventRows {
  readonly #parts: readonly GradedEvents[];

  private constructor(parts: readonly GradedEvents[]) {
    this.#parts = parts;
  }

  /** Grades all events. Takes time with their number, in stretches of a few milliseconds. */
  static async of(log: PickleLog, pause: Pause): Promise<EventRows> {
    const parts: GradedEvents[] = [];
    for (const pickle of log.pickles) {
      parts.push(await GradedEvents.of(pickle, pause));
      await pause();
    }
    return new EventRows(parts);
  }

  /** Events of each grade: of one pickle, or of all. */
  counts(pickle?: number): GradeCounts {
    const parts = pickle === undefined ? this.#parts : this.#parts.slice(pickle, pickle + 1);
    const count = (grade: PickleGrade): number => parts.reduce((sum, part) => sum + part.count(codesOf([grade])), 0);
    return { dangerous: count('dangerous'), unknown: count('unknown'), allowed: count('allowed') };
  }

  total(grades: readonly PickleGrade[]): number {
    const codes = codesOf(grades);
    return this.#parts.reduce((sum, part) => sum + part.count(codes), 0);
  }

  /** Rows `[start, start + count)` among those of these grades. */
  rows(grades: readonly PickleGrade[], start: number, count: number): readonly PickleEventRow[] {
    const codes = codesOf(grades);
    const rows: PickleEventRow[] = [];
    let skip = start;
    for (const [pickle, part] of this.#parts.entries()) {
      if (rows.length >= count) {
        break;
      }
      const inPart = part.count(codes);
      if (inPart <= skip) {
        skip -= inPart;
        continue;
      }
      for (const event of part.select(codes, skip, count - rows.length)) {
        const row = part.row(event, pickle);
        if (row !== undefined) {
          rows.push(row);
        }
      }
      skip = 0;
    }
    return rows;
  }

  /**
   * Where the event at a byte of a pickle, or the last one before it, stands among the rows of these grades.
   *
   * @returns undefined when there is no such event; no index when it is of another grade.
   */
  find(
    pickle: number,
    byte: number,
    grades: readonly PickleGrade[],
  ): { readonly index: number | undefined; readonly grade: PickleGrade } | undefined {
    const part = this.#parts[pickle];
    const event = part?.eventAt(byte);
    const grade = event === undefined ? undefined : part?.grade(event);
    if (part === undefined || event === undefined || grade === undefined) {
      return undefined;
    }
    if (!grades.includes(grade)) {
      return { index: undefined, grade };
    }
    const codes = codesOf(grades);
    const before = this.#parts.slice(0, pickle).reduce((sum, earlier) => sum + earlier.count(codes), 0);
    return { index: before + part.count(codes, event), grade };
  }
}
