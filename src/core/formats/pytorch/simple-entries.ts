import type { MetadataEntry } from '../../../shared/checkpoint-types.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import { textOfNode } from './read-node.ts';

/** Entries shown at the most; the value tree has all of them. */
const MOST_ENTRIES = 200;
/** Longest value shown, in UTF-16 units. */
const LONGEST_VALUE = 10_000;

const simple = (key: string, node: PickleNode): MetadataEntry | undefined => {
  switch (node.kind) {
    case 'string':
    case 'byte-string':
      return { key, type: 'string', value: (textOfNode(node) ?? '').slice(0, LONGEST_VALUE) };
    case 'int':
      return { key, type: 'number', value: node.value.toString() };
    case 'float':
      return { key, type: 'number', value: Object.is(node.value, -0) ? '-0' : node.value.toString() };
    case 'bool':
      return { key, type: 'boolean', value: String(node.value) };
    case 'none':
      return { key, type: 'null', value: 'None' };
    default:
      return undefined;
  }
};

/** The plain values right under a pickle's root, such as epoch counters and names, in their order. */
export const simpleEntries = (root: PickleNode): readonly MetadataEntry[] => {
  const holder = root.kind === 'dict' ? root : root.kind === 'call' ? root.added : undefined;
  const entries: MetadataEntry[] = [];
  for (const [index, keyNode] of (holder?.keys ?? []).entries()) {
    const value = holder?.values[index];
    const key = textOfNode(keyNode);
    const entry = value === undefined || key === undefined ? undefined : simple(key, value);
    if (entry !== undefined && entries.length < MOST_ENTRIES) {
      entries.push(entry);
    }
  }
  return entries;
};
