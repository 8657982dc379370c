import type { EventLog } from './event-log.ts';
import { PICKLE_LIMITS, type PickleLimits } from './limits.ts';
import { type OpcodeHandler, PickleMachine, type PickleRemark } from './machine.ts';
import type { ImportUse, PickleNode } from './nodes.ts';
import { OPCODES } from './opcodes.ts';
import { CONTAINER_ROWS } from './ops-containers.ts';
import { OBJECT_ROWS } from './ops-objects.ts';
import { SCALAR_ROWS } from './ops-scalars.ts';
import { STACK_ROWS } from './ops-stack.ts';
import type { FrameReading } from './pickle-reader.ts';
import { broken, cutOff, overLimit, PickleStop } from './pickle-stop.ts';

export interface PickleOptions {
  /** Where the pickle begins in the bytes; 0 by default. Offsets of the outcome count from the first byte all the same. */
  readonly start?: number;
  /** What the ends of frames do; `ignored` by default. */
  readonly frames?: FrameReading;
  /** Bounds that differ from {@link PICKLE_LIMITS}. */
  readonly limits?: Partial<PickleLimits>;
}

/** Why a run ended before STOP. */
export interface PickleProblem extends PickleRemark {
  /** Whether the stream merely ends too early: all of it up to its end could be carried out. */
  readonly cutOff: boolean;
}

/** All that is known of one pickle. */
export interface PickleOutcome {
  /** The bytes that were read, of which byte nodes are views. */
  readonly bytes: Uint8Array;
  /** Where the pickle begins in them. */
  readonly start: number;
  /** What the pickle would build; undefined unless the run reached STOP. */
  readonly root: PickleNode | undefined;
  /** What running it would do, in order, whatever became of the results. */
  readonly events: EventLog;
  /** Every distinct import, in order. */
  readonly imports: readonly ImportUse[];
  /** The byte after STOP; without STOP, the opcode at which the run ended. */
  readonly end: number;
  readonly outcome: 'complete' | 'broken' | 'limit';
  /** Set unless complete. */
  readonly problem: PickleProblem | undefined;
  /** The protocol the last PROTO named; 0 without one. */
  readonly protocol: number;
  /** Frames whose length fits neither the stream nor its opcodes; the first 100. Loaders may refuse these. */
  readonly framesWrong: readonly PickleRemark[];
  /** What a loader refuses or may refuse although the stream itself goes on; the first 100. */
  readonly misuses: readonly PickleRemark[];
  /**
   * How frames were read. Where the other way would give another outcome, `framesWrong` is not empty.
   */
  readonly frames: FrameReading;
  /**
   * The end of a frame that goes on beyond STOP; undefined where none does. CPython's loaders have then read the frame
   * whole, and a second load from the same file begins there and not at `end`.
   */
  readonly frameEnd: number | undefined;
  /** Objects left on the stack below the result, which loaders ignore. */
  readonly leftover: number;
  /** Opcodes carried out. */
  readonly steps: number;
  /** Nodes made. */
  readonly nodes: number;
}

/** What carries out each opcode but STOP, by its byte. */
const HANDLERS: readonly (OpcodeHandler | undefined)[] = (() => {
  const handlers = new Array<OpcodeHandler | undefined>(256).fill(undefined);
  for (const [code, handler] of [...SCALAR_ROWS, ...CONTAINER_ROWS, ...OBJECT_ROWS, ...STACK_ROWS]) {
    handlers[code] = handler;
  }
  return handlers;
})();

/**
 * Carries out one pickle symbolically: names stay names, calls become nodes and events, nothing is imported or executed
 * (FORMATS.md 3). Ends exactly after STOP, so that a caller can go on with the next pickle.
 *
 * Never throws for what the bytes hold: what was seen before a broken place or a bound is in the outcome.
 */
export const runPickle = (bytes: Uint8Array, options: PickleOptions = {}): PickleOutcome => {
  const { start = 0, frames = 'ignored' } = options;
  const machine = new PickleMachine(bytes, start, { ...PICKLE_LIMITS, ...options.limits }, frames);
  const run = new Run(machine);
  let root: PickleNode | undefined;
  let problem: PickleProblem | undefined;
  let outcome: PickleOutcome['outcome'] = 'complete';
  try {
    root = run.untilStop();
  } catch (error) {
    if (!(error instanceof PickleStop)) {
      throw error;
    }
    outcome = error.outcome;
    problem = { offset: machine.opcodeAt, message: error.message, cutOff: error.cutOff };
  }
  return {
    bytes,
    start,
    root,
    events: machine.events,
    imports: [...machine.imports.values()],
    end: problem === undefined ? machine.reader.at : problem.offset,
    outcome,
    problem,
    protocol: machine.protocol,
    framesWrong: machine.framesWrong,
    misuses: machine.misuses,
    frames,
    frameEnd:
      outcome === 'complete' && machine.reader.frameEnd > machine.reader.at ? machine.reader.frameEnd : undefined,
    leftover: machine.depth,
    steps: run.steps,
    nodes: machine.nodes,
  };
};

class Run {
  readonly #machine: PickleMachine;
  steps = 0;

  constructor(machine: PickleMachine) {
    this.#machine = machine;
  }

  /** @throws PickleStop */
  untilStop(): PickleNode {
    const machine = this.#machine;
    const { reader } = machine;
    const { bytes } = reader;
    const most = machine.limits.steps;
    for (;;) {
      const { at } = reader;
      machine.opcodeAt = at;
      if (reader.frameEnd >= 0 && at >= reader.frameEnd) {
        this.#leaveFrame(at);
      }
      const code = bytes[at];
      if (code === undefined) {
        return cutOff('the stream ends without STOP');
      }
      reader.at = at + 1;
      this.steps += 1;
      if (this.steps > most) {
        overLimit(`over ${most} opcodes`);
      }
      if (code === OPCODES.STOP) {
        return this.#stop();
      }
      const handler = HANDLERS[code] ?? broken(`0x${code.toString(16).padStart(2, '0')} is no opcode`);
      handler(machine);
    }
  }

  #leaveFrame(at: number): void {
    const { reader } = this.#machine;
    if (at > reader.frameEnd) {
      this.#machine.frameWrong(at, `a frame that ends at byte ${reader.frameEnd}, inside an opcode`);
    }
    reader.frameEnd = -1;
  }

  #stop(): PickleNode {
    const machine = this.#machine;
    const { reader } = machine;
    if (reader.frameEnd > reader.at) {
      machine.frameWrong(machine.opcodeAt, `a frame that goes on to byte ${reader.frameEnd}, beyond STOP`);
    } else if (reader.frameEnd >= 0 && reader.frameEnd < reader.at) {
      this.#leaveFrame(reader.at);
    }
    return machine.pop();
  }
}
