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

/** One thing that running the pickle would do beyond making data. `argumentsInShort(node)` gives a call's arguments. */
export interface PickleEvent {
  readonly kind: PickleEventKind;
  /** Byte offset of the opcode. */
  readonly offset: number;
  readonly opcode: OpcodeName;
  readonly node: PickleNode;
}

/** Kind of event that the making of a node is. */
const MADE_BY: ReadonlyMap<PickleNode['kind'], PickleEventKind> = new Map([
  ['global', 'import'],
  ['computed-global', 'computed-import'],
  ['extension', 'extension'],
  ['call', 'call'],
  ['persistent', 'persistent-id'],
]);

/** Something done to an object that was there already. */
interface Change {
  readonly kind: 'build' | 'assign-to-global';
  readonly offset: number;
  readonly node: PickleNode;
}

/**
 * What running a pickle would do, in its order. Kept small, as a hostile stream has an event in every byte: of an event
 * that makes a node the node alone is kept, which knows its offset, and the opcode is read from the stream.
 */
export class EventLog {
  readonly #bytes: Uint8Array;
  readonly #entries: (PickleNode | Change)[] = [];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Records that a node was made by an import, a call or a persistent id. */
  made(node: PickleNode): void {
    this.#entries.push(node);
  }

  /** Records what was done to an object by the opcode at `offset`. */
  changed(kind: Change['kind'], offset: number, node: PickleNode): void {
    this.#entries.push({ kind, offset, node });
  }

  /** Event `index`; undefined past the end. */
  at(index: number): PickleEvent | undefined {
    const entry = this.#entries[index];
    if (entry === undefined) {
      return undefined;
    }
    const opcode = opcodeName(this.#bytes[entry.offset] ?? 0);
    if (opcode === undefined) {
      return undefined;
    }
    if ('node' in entry) {
      return { kind: entry.kind, offset: entry.offset, opcode, node: entry.node };
    }
    const kind = MADE_BY.get(entry.kind);
    return kind === undefined ? undefined : { kind, offset: entry.offset, opcode, node: entry };
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
