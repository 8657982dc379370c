import { setImmediate } from 'node:timers/promises';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { EventRows } from '../../core/formats/pickle/event-rows.ts';
import { type LoggedPickle, PickleLog } from '../../core/formats/pickle/pickle-log.ts';
import { ValueTreeView } from '../../core/formats/pickle/value-tree-view.ts';
import { type Page, type Params, type Results, TEXT_LIMIT } from '../../shared/api.ts';
import { CancelledError, LoupeError } from '../../shared/errors.ts';
import type { PickleEventRow, PickleInfo, PickleOverview, ValueRow, ValueText } from '../../shared/pickle-types.ts';

type What<M extends 'pickleEvents' | 'findPickleEvent' | 'valueChildren' | 'valueText'> = Omit<Params<M>, 'sessionId'>;

const problemOf = ({ outcome: { outcome, problem } }: LoggedPickle): string | undefined => {
  if (problem === undefined) {
    return undefined;
  }
  const how = outcome === 'limit' ? 'not read further' : problem.cutOff ? 'ends too early' : 'broken';
  return `${how} at byte ${problem.offset}: ${problem.message}`;
};

/** What the pickles of an open checkpoint would run and build, by pages. */
export class PickleViews {
  readonly #checkpoint: Checkpoint;
  readonly #log: PickleLog;
  readonly #events: EventRows;
  readonly #trees: readonly ValueTreeView[];

  private constructor(checkpoint: Checkpoint, log: PickleLog, events: EventRows, trees: readonly ValueTreeView[]) {
    this.#checkpoint = checkpoint;
    this.#log = log;
    this.#events = events;
    this.#trees = trees;
  }

  /**
   * Grades all events and finds shared objects. Other work runs in between.
   *
   * @throws CancelledError when `closed` aborts.
   */
  static async of(checkpoint: Checkpoint, closed: AbortSignal): Promise<PickleViews> {
    const pause = async (): Promise<void> => {
      await setImmediate();
      if (closed.aborted) {
        throw new CancelledError('listing the pickles');
      }
    };
    const { pickleLog = new PickleLog(), pickles = [] } = checkpoint.content;
    const events = await EventRows.of(pickleLog, pause);
    const trees: ValueTreeView[] = [];
    for (const tree of pickles) {
      trees.push(await ValueTreeView.of(tree, pause));
    }
    return new PickleViews(checkpoint, pickleLog, events, trees);
  }

  overview(): PickleOverview {
    return {
      pickles: this.#log.pickles.map((pickle, place) => this.#info(pickle, place)),
      counts: this.#events.counts(),
      unlisted: this.#log.unlisted,
      trees: this.#trees.map((tree, place) => ({ name: tree.name, root: tree.rootRow(place) })),
    };
  }

  events({ grades, start, count }: What<'pickleEvents'>): Page<PickleEventRow> {
    return { total: this.#events.total(grades), rows: this.#events.rows(grades, start, count) };
  }

  find({ pickle, byte, grades }: What<'findPickleEvent'>): Results['findPickleEvent'] {
    return this.#events.find(pickle, byte, grades);
  }

  /** @throws LoupeError `no-such-value` */
  children({ tree, at, start, count }: What<'valueChildren'>): Page<ValueRow> {
    const view = this.#trees[tree];
    const total = view?.childCount(at);
    if (view === undefined || total === undefined) {
      throw noSuchValue(tree, at);
    }
    const nameOf = (id: number): string => this.#checkpoint.table.name(id);
    return { total, rows: view.children(at, start, count, nameOf) };
  }

  /** @throws LoupeError `no-such-value` */
  text({ tree, at }: What<'valueText'>): ValueText {
    const text = this.#trees[tree]?.text(at, TEXT_LIMIT);
    if (text === undefined) {
      throw noSuchValue(tree, at);
    }
    return text;
  }

  #info(pickle: LoggedPickle, place: number): PickleInfo {
    const { file, member, label, outcome } = pickle;
    return {
      file,
      member,
      label,
      protocol: outcome.protocol,
      bytes: outcome.end - outcome.start,
      counts: this.#events.counts(place),
      problem: problemOf(pickle),
    };
  }
}

const noSuchValue = (tree: number, at: readonly number[]): LoupeError =>
  new LoupeError('no-such-value', `value tree ${tree} has no value at [${at.slice(0, 20).join(', ')}]`, { tree });
