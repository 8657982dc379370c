import type { MetadataEntry } from '../../../shared/checkpoint-types.ts';
import { dtypeInfo } from '../../dtypes/dtype-table.ts';
import { elementTexts } from '../../dtypes/exact-text.ts';
import { latin1Bytes } from '../pickle/node-values.ts';
import type { CallNode, PickleNode } from '../pickle/nodes.ts';
import { readNumpy } from './numpy-array.ts';
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
    case 'call':
      return numpyNumber(key, node);
    default:
      return undefined;
  }
};

/** A number of numpy, such as a best accuracy, exactly. */
const numpyNumber = (key: string, node: CallNode): MetadataEntry | undefined => {
  const reading = readNumpy(node);
  const array = reading?.kind === 'array' && reading.array.shape.length === 0 ? reading.array : undefined;
  const bytes = typeof array?.data === 'string' ? latin1Bytes(array.data) : array?.data.slice();
  if (array === undefined || bytes?.length !== array.size) {
    return undefined;
  }
  if (array.bigEndian) {
    bytes.reverse();
  }
  const [value] = dtypeInfo(array.dtype)?.components === 1 ? elementTexts(array.dtype, bytes, 1) : [];
  return value === undefined ? undefined : { key, type: array.dtype === 'BOOL' ? 'boolean' : 'number', value };
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
