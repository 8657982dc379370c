import type { CallNode, PickleNode } from '../pickle/nodes.ts';

/** `module.name` of a global, or undefined for any other node. */
export const globalName = (node: PickleNode | undefined): string | undefined =>
  node?.kind === 'global' ? `${node.use.module}.${node.use.name}` : undefined;

/** Items of a tuple or list. */
export const itemsOf = (node: PickleNode | undefined): readonly PickleNode[] | undefined =>
  node?.kind === 'tuple' || node?.kind === 'list' ? node.items : undefined;

/** Arguments of a call whose arguments are a plain tuple. */
export const argumentsOf = (node: CallNode): readonly PickleNode[] => itemsOf(node.args) ?? [];

/** Text of a string, of a Python-2 string read as UTF-8 (or latin-1), or of ASCII bytes. */
export const textOfNode = (node: PickleNode | undefined): string | undefined => {
  if (node?.kind === 'string') {
    return node.value;
  }
  if (node?.kind !== 'byte-string' && node?.kind !== 'bytes') {
    return undefined;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(node.value);
  } catch {
    return Array.from(node.value, (byte) => String.fromCharCode(byte)).join('');
  }
};

/** An integer; Python's bools count as integers there but not here. */
export const integerOf = (node: PickleNode | undefined): bigint | undefined =>
  node?.kind === 'int' ? BigInt(node.value) : undefined;

/**
 * Whether an object is what it was when the opcode at `at` used it. What is put into a list, a dict or the result of a call
 * afterwards does not count for whoever took its content before.
 */
export const isSettled = (node: PickleNode | undefined, at: number): boolean => {
  switch (node?.kind) {
    case 'list':
    case 'dict':
    case 'set':
    case 'bytearray':
      return node.changedAt < at;
    case 'call':
      return node.added === undefined || node.added.changedAt < at;
    default:
      return true;
  }
};

/** Whether bytes, or a call that makes bytes, are what they were made as: nothing was put into them afterwards. */
export const isUnchanged = (node: PickleNode | undefined): boolean => {
  if (node?.kind === 'call') {
    const [inner] = argumentsOf(node);
    return node.added === undefined && (inner?.kind !== 'call' || inner.added === undefined) && isPristine(inner);
  }
  return isPristine(node);
};

const isPristine = (node: PickleNode | undefined): boolean =>
  node?.kind !== 'bytearray' || node.changedAt === node.offset;

/** Most dimensions of a tensor (FORMATS.md 8); torch and numpy have 64. */
export const MOST_DIMENSIONS = 64;

/** A tuple, list or `torch.Size` of up to 64 integers, none negative, as the opcode at `at` saw it. */
export const sizesOf = (node: PickleNode | undefined, at = Number.POSITIVE_INFINITY): readonly bigint[] | undefined => {
  if (node?.kind === 'call' && globalName(node.callee) === 'torch.Size') {
    return isSettled(node, at) ? sizesIn(argumentsOf(node)[0], node.offset) : undefined;
  }
  return sizesIn(node, at);
};

const sizesIn = (node: PickleNode | undefined, at: number): readonly bigint[] | undefined => {
  const items = itemsOf(node);
  if (items === undefined || items.length > MOST_DIMENSIONS || !isSettled(node, at)) {
    return undefined;
  }
  const integers = items.map(integerOf);
  return integers.every((value): value is bigint => value !== undefined && value >= 0n) ? integers : undefined;
};

/** An entry of a mapping. */
export interface Entry {
  readonly key: PickleNode;
  readonly value: PickleNode;
}

/** What makes two keys the same to Python: 1, True and 1.0 are one key; text and bytes are not. Undefined for any other. */
const identityOf = (key: PickleNode): string | undefined => {
  switch (key.kind) {
    case 'string':
    case 'byte-string':
      return `text ${textOfNode(key)}`;
    case 'bytes':
      return `bytes ${textOfNode(key)}`;
    case 'int':
      return `number ${key.value}`;
    case 'bool':
      return `number ${key.value ? 1 : 0}`;
    default:
      return undefined;
  }
};

/** Entries as a Python dict keeps them: of a repeated key the last value, at the place of the first. */
export const lastWins = (entries: readonly Entry[]): readonly Entry[] => {
  const places = new Map<string, number>();
  const kept: Entry[] = [];
  for (const entry of entries) {
    const identity = identityOf(entry.key);
    const place = identity === undefined ? undefined : places.get(identity);
    if (place !== undefined) {
      kept[place] = entry;
      continue;
    }
    if (identity !== undefined) {
      places.set(identity, kept.length);
    }
    kept.push(entry);
  }
  return kept;
};

/** Keys and values that were put in one by one. */
export const zipEntries = (keys: readonly PickleNode[], values: readonly PickleNode[]): readonly Entry[] =>
  keys.flatMap((key, index) => {
    const value = values[index];
    return value === undefined ? [] : [{ key, value }];
  });

const MAPPINGS = new Set(['collections.OrderedDict', 'builtins.dict', '__builtin__.dict']);

/** Entries of the argument a mapping is made of: another mapping, or a list of pairs as Python 2 wrote them. */
const entriesOfArgument = (argument: PickleNode | undefined): readonly Entry[] => {
  if (argument?.kind === 'dict') {
    return zipEntries(argument.keys, argument.values);
  }
  return (itemsOf(argument) ?? []).flatMap((pair) => {
    const [key, value] = itemsOf(pair) ?? [];
    return key === undefined || value === undefined ? [] : [{ key, value }];
  });
};

/** Entries of a dict or an `OrderedDict`, in order, the last of a repeated key; undefined for what is neither. */
export const entriesOf = (node: PickleNode | undefined): readonly Entry[] | undefined => {
  if (node?.kind === 'dict') {
    return lastWins(zipEntries(node.keys, node.values));
  }
  if (node?.kind !== 'call' || !MAPPINGS.has(globalName(node.callee) ?? '')) {
    return undefined;
  }
  const made = entriesOfArgument(argumentsOf(node)[0]);
  const added = node.added === undefined ? [] : zipEntries(node.added.keys, node.added.values);
  return lastWins([...made, ...added]);
};
