import type { PickleNode } from './nodes.ts';
import { type OpcodeName, opcodeName } from './opcodes.ts';

/**
 * - `import`, `computed-import`, `extension`: a name is looked up; the node is what it would be.
 * - `call`: the node is the call.
 * - `build`: state is given to an object, whose `__setstate__` runs; the node is that object.
 * - `assign-to-global`: BUILD, SETITEM(S), APPEND(S) or ADDITEMS change an imported object itself, which is the node.
 * - `persistent-id`: the loading program is asked for an object.
 */
export type PickleEventKind =
  | 'import'
  | 'computed-import'
  | 'extension'
  | 'call'
  | 'build'
  | 'assign-to-global'
  | 'persistent-id';

/** One thing that running the pickle would do beyond making data. */
export interface PickleEvent {
  readonly kind: PickleEventKind;
  /** Byte offset of the opcode. */
  readonly offset: number;
  readonly opcode: OpcodeName;
  readonly node: PickleNode;
}

const KINDS: readonly PickleEventKind[] = [
  'import',
  'computed-import',
  'extension',
  'call',
  'build',
  'assign-to-global',
  'persistent-id',
];

/** What running a pickle would do, in its order. Kept in columns: a hostile stream has an event in every second byte. */
export class EventLog {
  readonly #nodes: PickleNode[] = [];
  readonly #offsets: number[] = [];
  /** Kind times 256 plus opcode. */
  readonly #whats: number[] = [];

  get length(): number {
    return this.#nodes.length;
  }

  add(kind: PickleEventKind, offset: number, opcode: number, node: PickleNode): void {
    this.#nodes.push(node);
    this.#offsets.push(offset);
    this.#whats.push(KINDS.indexOf(kind) * 256 + opcode);
  }

  /** Event `index`; undefined past the end. */
  at(index: number): PickleEvent | undefined {
    const node = this.#nodes[index];
    const what = this.#whats[index] ?? 0;
    const kind = KINDS[what >> 8];
    const opcode = opcodeName(what & 255);
    return node === undefined || kind === undefined || opcode === undefined
      ? undefined
      : { kind, offset: this.#offsets[index] ?? 0, opcode, node };
  }

  *[Symbol.iterator](): Generator<PickleEvent> {
    for (let index = 0; index < this.length; index += 1) {
      const event = this.at(index);
      if (event !== undefined) {
        yield event;
      }
    }
  }
}
