import type { ElementRun } from './slice.ts';

/** Bytes read at once. Large enough for the memory's speed, small enough that decoding one takes a few milliseconds. */
export const CHUNK_BYTES = 1024 * 1024;

/** Runs at most this many bytes apart are read together: a mapping brings in whole pages anyway. */
const NEAR_BYTES = 4096;

/** Elements that fill whole bytes together: 1 for whole-byte dtypes, 2 for 4 bits, 4 for 6 bits. */
export const elementsPerGroup = (bits: number): number => (bits % 8 === 0 ? 1 : bits === 6 ? 4 : 8 / bits);

/** One read: elements `[low, high)`, of which the picks are wanted, in this order. */
export interface PlannedRead {
  readonly low: number;
  readonly high: number;
  /** By the tensor's own element indexes. */
  readonly picks: readonly ElementRun[];
}

/** The elements a run touches, as `[low, high)`. */
const reachOf = ({ start, step, count }: ElementRun): readonly [low: number, high: number] => {
  const last = start + (count - 1) * step;
  return [Math.min(start, last), Math.max(start, last) + 1];
};

/** Cuts a run into pieces that fit one read; elements too far apart to be read together become runs of their own. */
function* piecesOf(run: ElementRun, bits: number): Generator<ElementRun> {
  const stride = Math.abs(run.step);
  const group = elementsPerGroup(bits);
  const most = Math.floor((CHUNK_BYTES * 8) / bits / group) * group;
  const far = stride > 1 && (stride * bits) / 8 > NEAR_BYTES;
  for (let done = 0; done < run.count; ) {
    const start = run.start + done * run.step;
    // Pieces of neighbours begin at a whole byte, but for the first.
    const room = run.step === 1 ? most - (start % group) : Math.max(Math.floor(most / Math.max(stride, 1)), 1);
    const count = Math.min(run.count - done, far ? 1 : room);
    yield { start, step: count === 1 ? 1 : run.step, count };
    done += count;
  }
}

/**
 * Plans the reads for runs of elements, in order: what lies near together is read together, what lies far apart is not, and
 * no read is longer than {@link CHUNK_BYTES}. Reads nothing itself.
 */
export function* planReads(runs: Iterable<ElementRun>, bits: number): Generator<PlannedRead> {
  const most = Math.floor((CHUNK_BYTES * 8) / bits);
  const near = (NEAR_BYTES * 8) / bits;
  let low = 0;
  let high = 0;
  let wanted = 0;
  let picks: ElementRun[] = [];
  for (const run of runs) {
    for (const piece of piecesOf(run, bits)) {
      const [from, to] = reachOf(piece);
      const gap = Math.max(from - high, low - to, 0);
      // Repeated elements (step 0) make a result larger than what is read, so that is bounded too.
      const fits = Math.max(to, high) - Math.min(from, low) <= most && wanted + piece.count <= most;
      const together = picks.length > 0 && gap <= near && fits;
      if (picks.length > 0 && !together) {
        yield { low, high, picks };
      }
      low = together ? Math.min(from, low) : from;
      high = together ? Math.max(to, high) : to;
      picks = together ? joinPick(picks, piece) : [piece];
      wanted = together ? wanted + piece.count : piece.count;
    }
  }
  if (picks.length > 0) {
    yield { low, high, picks };
  }
}

/** Adds a pick, lengthening the last one where the new one goes on where it ends. */
const joinPick = (picks: ElementRun[], piece: ElementRun): ElementRun[] => {
  const last = picks.at(-1);
  if (last !== undefined && last.step === 1 && piece.step === 1 && last.start + last.count === piece.start) {
    picks[picks.length - 1] = { start: last.start, step: 1, count: last.count + piece.count };
  } else {
    picks.push(piece);
  }
  return picks;
};
