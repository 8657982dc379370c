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

/** A tuple, list or `torch.Size` of integers, none negative. */
export const sizesOf = (node: PickleNode | undefined): readonly bigint[] | undefined => {
  const inner = node?.kind === 'call' && globalName(node.callee) === 'torch.Size' ? argumentsOf(node)[0] : node;
  const items = itemsOf(inner);
  const integers = items?.map(integerOf);
  return integers?.every((value): value is bigint => value !== undefined && value >= 0n) ? integers : undefined;
};

/** The truth of an entry of a dict with text keys; false when it is not there. */
export const flagOf = (node: PickleNode | undefined, key: string): boolean => {
  if (node?.kind !== 'dict') {
    return false;
  }
  const at = node.keys.findLastIndex((own) => textOfNode(own) === key);
  const value = node.values[at];
  return value?.kind === 'bool' && value.value;
};
