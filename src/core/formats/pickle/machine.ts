import { EventLog } from './event-log.ts';
import { MOST_KEPT_REMARKS, type PickleLimits } from './limits.ts';
import { Memo } from './memo.ts';
import type { CallNode, GlobalNode, ImportOpcode, ImportUse, PickleNode } from './nodes.ts';
import { type FrameReading, PickleReader } from './pickle-reader.ts';
import { broken, overLimit } from './pickle-stop.ts';

/** Something at a byte of the stream. */
export interface PickleRemark {
  readonly offset: number;
  readonly message: string;
}

/** What carries out one opcode, its own byte already passed. */
export type OpcodeHandler = (machine: PickleMachine) => void;

/** One opcode and what carries it out. */
export type OpcodeRow = readonly [code: number, handler: OpcodeHandler];

/**
 * The state of one run: a stack cut into segments by marks, the memo, and what was seen. Segments are as in CPython's
 * loader: nothing takes an object from below the last mark.
 *
 * Methods that fail throw PickleStop.
 */
export class PickleMachine {
  readonly reader: PickleReader;
  readonly limits: PickleLimits;
  readonly memo = new Memo();
  readonly events: EventLog;
  readonly imports = new Map<string, ImportUse>();
  /** Wrong frames, the first {@link MOST_KEPT_REMARKS}. */
  readonly framesWrong: PickleRemark[] = [];
  /** What a loader refuses or may refuse although the stream itself goes on; the first {@link MOST_KEPT_REMARKS}. */
  readonly misuses: PickleRemark[] = [];
  /** The protocol the last PROTO named; 0 without one. */
  protocol = 0;
  /** Where the opcode at hand begins. */
  opcodeAt: number;
  /** Tuples of one that the last opcodes put into one another. */
  #nesting = 0;
  #nestedAt = -1;
  /** Out-of-band buffers asked for. */
  buffers = 0;
  #nodes = 0;
  readonly #stack: PickleNode[] = [];
  readonly #marks: number[] = [];
  /** Where the segment above the last mark begins. */
  #floor = 0;

  constructor(bytes: Uint8Array, start: number, limits: PickleLimits, frames: FrameReading) {
    this.reader = new PickleReader(bytes, start, frames);
    this.events = new EventLog(bytes);
    this.limits = limits;
    this.opcodeAt = start;
  }

  get nodes(): number {
    return this.#nodes;
  }

  /** Objects on the stack, those below marks included. */
  get depth(): number {
    return this.#stack.length;
  }

  /** Pushes a new node. */
  add(node: PickleNode): void {
    this.count();
    this.push(node);
  }

  /** Counts a new node that does not go onto the stack by itself. */
  count(): void {
    this.#nodes += 1;
    if (this.#nodes > this.limits.nodes) {
      overLimit(`over ${this.limits.nodes} objects`);
    }
  }

  /** Pushes a node that is there already. */
  push(node: PickleNode): void {
    if (this.#stack.length >= this.limits.stack) {
      overLimit(`over ${this.limits.stack} objects on the stack`);
    }
    this.#stack.push(node);
  }

  pop(): PickleNode {
    return (this.#stack.length > this.#floor ? this.#stack.pop() : undefined) ?? broken('nothing on the stack to take');
  }

  top(): PickleNode {
    const { length } = this.#stack;
    return (length > this.#floor ? this.#stack[length - 1] : undefined) ?? broken('nothing on the stack to use');
  }

  mark(): void {
    if (this.#marks.length >= this.limits.marks) {
      overLimit(`over ${this.limits.marks} marks open at once`);
    }
    this.#floor = this.#stack.length;
    this.#marks.push(this.#floor);
  }

  /** POP: drops the topmost object, or the mark when there is none above it. */
  drop(): void {
    if (this.#marks.length > 0 && this.#stack.length === this.#floor) {
      this.#closeMark();
    } else {
      this.pop();
    }
  }

  /** Takes the objects since the last mark, and the mark. */
  sinceMark(): PickleNode[] {
    if (this.#marks.length === 0) {
      broken('no mark on the stack');
    }
    const start = this.#floor;
    this.#closeMark();
    return this.#stack.splice(start);
  }

  #closeMark(): void {
    this.#marks.pop();
    this.#floor = this.#marks.at(-1) ?? 0;
  }

  /** Notes what a loader may refuse. The run goes on: to stop would hide what follows from whoever reads the report. */
  misuse(message: string): void {
    if (this.misuses.length < MOST_KEPT_REMARKS) {
      this.misuses.push({ offset: this.opcodeAt, message });
    }
  }

  frameWrong(offset: number, message: string): void {
    if (this.framesWrong.length < MOST_KEPT_REMARKS) {
      this.framesWrong.push({ offset, message });
    }
  }

  /** Bounds what costs a byte a level: TUPLE1 over and over. Deeper containers of other kinds need open marks. */
  nest(): void {
    this.#nesting = this.#nestedAt === this.opcodeAt - 1 ? this.#nesting + 1 : 0;
    this.#nestedAt = this.opcodeAt;
    if (this.#nesting > this.limits.nesting) {
      overLimit(`tuples nested over ${this.limits.nesting} deep`);
    }
  }

  /** Makes the node of an imported name and records the import. */
  importName(module: string, name: string, opcode: ImportOpcode): GlobalNode {
    // The length keeps ("a", "b c") and ("a b", "c") apart whatever the names hold.
    const key = `${module.length} ${module}${name}`;
    let use = this.imports.get(key);
    if (use === undefined) {
      use = { module, name, opcode, firstOffset: this.opcodeAt, count: 0, calls: 0, firstCall: undefined };
      this.imports.set(key, use);
    }
    use.count += 1;
    const node: GlobalNode = { kind: 'global', offset: this.opcodeAt, use };
    this.count();
    this.events.made(node);
    return node;
  }

  /** Pushes the result of a call and records it, also with the import that is called. */
  call(node: CallNode): void {
    const use = calledImport(node.callee);
    if (use !== undefined) {
      use.calls += 1;
      use.firstCall ??= node;
    }
    const passed = calledByCallee(node);
    if (passed !== undefined) {
      passed.calls += 1;
    }
    this.events.made(node);
    this.add(node);
  }
}

/**
 * The import that a callee is: the name itself, or the class in a `("module", class, file, source)` id, with which
 * PyTorch's whole-model files wrap classes (FORMATS.md 2.4).
 */
export const calledImport = (callee: PickleNode): ImportUse | undefined => {
  if (callee.kind === 'global') {
    return callee.use;
  }
  if (callee.kind !== 'persistent' || callee.id.kind !== 'tuple') {
    return undefined;
  }
  const [tag, wrapped] = callee.id.items;
  const isModule =
    (tag?.kind === 'string' && tag.value === 'module') || (tag?.kind === 'byte-string' && tag.value.length === 6);
  return isModule && wrapped?.kind === 'global' ? wrapped.use : undefined;
};

/** Functions, by name in whatever module, that call their first argument. */
const CALLS_ITS_ARGUMENT: ReadonlySet<string> = new Set([
  '_rebuild_from_type_v2',
  '_rebuild_from_type',
  'partial',
  'reduce',
  'map',
  'filter',
  'apply',
]);

/** The import that a function calls which is handed one to call, as `functools.partial` is; undefined for other calls. */
export const calledByCallee = ({ callee, args }: CallNode): ImportUse | undefined => {
  if (callee.kind !== 'global' || args.kind !== 'tuple' || !CALLS_ITS_ARGUMENT.has(callee.use.name)) {
    return undefined;
  }
  const [first] = args.items;
  return first?.kind === 'global' ? first.use : undefined;
};
