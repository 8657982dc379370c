/**
 * What a pickle would build, as inert data. Every node carries the byte offset of the opcode that made it. One object of
 * the pickle is one node: what is shared in the pickle is shared here, and a container can hold itself, so walkers must
 * watch where they have been. Arrays are filled by the machine; everybody else only reads them.
 */
export type PickleNode =
  | NoneNode
  | BoolNode
  | IntNode
  | FloatNode
  | StringNode
  | ByteStringNode
  | BytesNode
  | BytearrayNode
  | ListNode
  | TupleNode
  | DictNode
  | SetNode
  | FrozensetNode
  | GlobalNode
  | ComputedGlobalNode
  | ExtensionNode
  | CallNode
  | PersistentNode
  | BufferNode;

export interface NoneNode {
  readonly kind: 'none';
  readonly offset: number;
}

export interface BoolNode {
  readonly kind: 'bool';
  readonly offset: number;
  readonly value: boolean;
}

/** A number while it is exact (up to 2^53 − 1), a bigint beyond. */
export interface IntNode {
  readonly kind: 'int';
  readonly offset: number;
  readonly value: number | bigint;
}

export interface FloatNode {
  readonly kind: 'float';
  readonly offset: number;
  readonly value: number;
}

/** Text. May hold lone surrogates, as Python's may. */
export interface StringNode {
  readonly kind: 'string';
  readonly offset: number;
  readonly value: string;
}

/** A string of Python 2, of which nobody knows whether it is text: `textOf` reads it as text, `bytesOf` as bytes. */
export interface ByteStringNode {
  readonly kind: 'byte-string';
  readonly offset: number;
  readonly value: Uint8Array;
}

/** A view of the stream itself where the stream holds the bytes as they are. */
export interface BytesNode {
  readonly kind: 'bytes';
  readonly offset: number;
  readonly value: Uint8Array;
}

/** What it was made with: `changedAt` tells whether an opcode has changed it since. */
export interface BytearrayNode {
  readonly kind: 'bytearray';
  readonly offset: number;
  readonly value: Uint8Array;
  changedAt: number;
}

/**
 * `changedAt`, here and below: byte offset of the opcode that changed it last, that is, of the one that made it as long as
 * none has. Whoever used the object before saw something else.
 */
export interface ListNode {
  readonly kind: 'list';
  readonly offset: number;
  items: PickleNode[];
  changedAt: number;
}

export interface TupleNode {
  readonly kind: 'tuple';
  readonly offset: number;
  readonly items: readonly PickleNode[];
}

/** Pairs in the order they were set: `keys[i]` belongs to `values[i]`. A key set twice is there twice; Python keeps the last. */
export interface DictNode {
  readonly kind: 'dict';
  readonly offset: number;
  keys: PickleNode[];
  values: PickleNode[];
  changedAt: number;
}

/** Items in the order they were added, equal ones included. */
export interface SetNode {
  readonly kind: 'set';
  readonly offset: number;
  items: PickleNode[];
  changedAt: number;
}

export interface FrozensetNode {
  readonly kind: 'frozenset';
  readonly offset: number;
  readonly items: readonly PickleNode[];
}

/** How often one (module, name) pair was imported and called. */
export interface ImportUse {
  readonly module: string;
  readonly name: string;
  /** Opcode of the first import. */
  readonly opcode: ImportOpcode;
  /** Byte offset of the first import. */
  readonly firstOffset: number;
  /** Times it was imported. */
  count: number;
  /** Times it was called: REDUCE, OBJ, INST, NEWOBJ, NEWOBJ_EX, or through a function that calls its argument. */
  calls: number;
  /** Its first direct call. */
  firstCall: CallNode | undefined;
}

export type ImportOpcode = 'GLOBAL' | 'STACK_GLOBAL' | 'INST';

/** A name that a loader would import. Nothing is imported here. */
export interface GlobalNode {
  readonly kind: 'global';
  readonly offset: number;
  readonly use: ImportUse;
}

/** STACK_GLOBAL over operands that are no plain text: what it imports shows only when the pickle runs. */
export interface ComputedGlobalNode {
  readonly kind: 'computed-global';
  readonly offset: number;
  readonly module: PickleNode;
  readonly name: PickleNode;
}

/** EXT1, EXT2, EXT4: an import by number, out of a table that only the loading program has. */
export interface ExtensionNode {
  readonly kind: 'extension';
  readonly offset: number;
  readonly code: number;
}

export type CallOpcode = 'REDUCE' | 'OBJ' | 'INST' | 'NEWOBJ' | 'NEWOBJ_EX';

/** What a call would have returned, with everything put into it afterwards. */
export interface CallNode {
  readonly kind: 'call';
  readonly offset: number;
  readonly opcode: CallOpcode;
  readonly callee: PickleNode;
  /** A tuple, or whatever stood in its place. */
  readonly args: PickleNode;
  /** Of NEWOBJ_EX. */
  readonly kwargs: PickleNode | undefined;
  /** Undefined while nothing was put in. */
  added: Additions | undefined;
}

/** What later opcodes put into the result of a call, each kind in its order. */
export interface Additions {
  /** BUILD. */
  readonly states: PickleNode[];
  /** APPEND, APPENDS, ADDITEMS. */
  readonly items: PickleNode[];
  /** SETITEM, SETITEMS. */
  readonly keys: PickleNode[];
  readonly values: PickleNode[];
  changedAt: number;
}

/** An object that the loading program would supply: of PyTorch, a storage. */
export interface PersistentNode {
  readonly kind: 'persistent';
  readonly offset: number;
  readonly id: PickleNode;
}

/** NEXT_BUFFER: bytes that lie outside the stream, by their number. */
export interface BufferNode {
  readonly kind: 'buffer';
  readonly offset: number;
  readonly index: number;
}

const nothing: PickleNode[] = [];
Object.freeze(nothing);

/** What a container holds before something is put in: frozen, and shared by all, as a stream can be all empty lists. */
export const NOTHING: PickleNode[] = nothing;
