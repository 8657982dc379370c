/** From worst to mildest. `allowed`: ordinary checkpoints make it and it only builds data. Never "safe". */
export const PICKLE_GRADES = ['dangerous', 'unknown', 'allowed'] as const;
export type PickleGrade = (typeof PICKLE_GRADES)[number];

/** How many events there are of each grade. */
export type GradeCounts = Readonly<Record<PickleGrade, number>>;

/**
 * - `import`: a name is imported; `computed-import`: one that shows only when the pickle runs; `extension`: one by number.
 * - `call`: something imported is called. `state`: an object is given its state, by code of its class.
 * - `changed-import`: what was imported is changed itself.
 */
export type PickleEventRowKind = 'import' | 'computed-import' | 'extension' | 'call' | 'state' | 'changed-import';

/** One thing that running a pickle would do. Texts out of the file are raw. */
export interface PickleEventRow {
  /** Which pickle: its place in {@link PickleOverview.pickles}. */
  readonly pickle: number;
  readonly kind: PickleEventRowKind;
  /** The import, such as `torch._utils._rebuild_tensor_v2`; of what is no plain import, the object in one line. */
  readonly what: string;
  /** Arguments or state in one line; empty where there are none to show. */
  readonly args: string;
  readonly opcode: string;
  /** Byte of the opcode, counted from the pickle's own bytes. */
  readonly byte: number;
  /** Absolute byte in the file; undefined where the file has the pickle compressed. */
  readonly offset: number | undefined;
  readonly grade: PickleGrade;
  /** A clause that goes on from `what`. */
  readonly why: string;
}

/** One pickle of a file: the file itself, a member of an archive, one behind another, or one inside another. */
export interface PickleInfo {
  /** Base name of the file. */
  readonly file: string;
  /** Member of the archive, as the archive spells it. */
  readonly member: string | undefined;
  /** Which nested or following pickle it is, such as `in the pickle handed to "pickle.loads" at byte 7`; else empty. */
  readonly label: string;
  readonly protocol: number;
  /** Bytes it takes, as far as it was read. */
  readonly bytes: number;
  readonly counts: GradeCounts;
  /** Why it was not read to its end, as a clause with the byte; undefined when it was. */
  readonly problem: string | undefined;
}

/** A value tree: what a pickle would build. */
export interface ValueTreeInfo {
  /** Name of the record; the file's own name for a pickle by itself. */
  readonly name: string;
  /** Its root, as a row whose `index` is the tree's place. */
  readonly root: ValueRow;
}

/** The pickles of a file and what they would build. */
export interface PickleOverview {
  readonly pickles: readonly PickleInfo[];
  /** Over all listed pickles. */
  readonly counts: GradeCounts;
  /** Pickles that were graded, but are too many or too large to be listed. */
  readonly unlisted: number;
  readonly trees: readonly ValueTreeInfo[];
}

/** What a value is to what holds it. `root` is held by nothing. */
export type ValueRole =
  | 'root'
  | 'item'
  | 'entry'
  | 'callee'
  | 'argument'
  | 'keyword'
  | 'state'
  | 'persistent-id'
  | 'module'
  | 'name';

/** Kinds of values; `call` is an object that only running the pickle would make. */
export type ValueKind =
  | 'none'
  | 'bool'
  | 'int'
  | 'float'
  | 'string'
  | 'byte-string'
  | 'bytes'
  | 'bytearray'
  | 'list'
  | 'tuple'
  | 'dict'
  | 'set'
  | 'frozenset'
  | 'global'
  | 'computed-global'
  | 'extension'
  | 'call'
  | 'persistent'
  | 'buffer';

/** Another place of the same object. */
export interface SamePlace {
  /** `inside`: it is one of the value's own ancestors, a cycle; `elsewhere`: the object is shared. */
  readonly kind: 'inside' | 'elsewhere';
  /** Child indices from the root. */
  readonly path: readonly number[];
  /** The way there in words: `optimizer.param_groups[0]`. Raw text. */
  readonly label: string;
}

/** One value of a tree, as a row. Texts out of the file are raw. */
export interface ValueRow {
  /** Its place among its siblings. */
  readonly index: number;
  readonly role: ValueRole;
  /** Its key, or its number among those of its role. */
  readonly label: string;
  readonly kind: ValueKind;
  /** The value in one line; of an object, its import and arguments. */
  readonly text: string;
  /** How many children can be listed; 0 for what is shown elsewhere and for tensors of the table. */
  readonly children: number;
  /** Where the same object is shown with its children. */
  readonly same: SamePlace | undefined;
  /** The row of the tensor table that it is. */
  readonly tensorId: number | undefined;
  /** Byte of the opcode that made it, counted from the pickle's own bytes. */
  readonly byte: number;
}

/** A value's whole text. */
export interface ValueText {
  /** As much as is sent at once, from the start. */
  readonly text: string;
  /** UTF-16 units of the whole. */
  readonly length: number;
}
