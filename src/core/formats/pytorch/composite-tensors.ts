import type { PickleNode } from '../pickle/nodes.ts';
import { argumentsOf, isSettled, itemsOf, textOfNode } from './read-node.ts';
import { faulty, refused, type TensorReading } from './tensor-reading.ts';

const named = (names: readonly string[], nodes: readonly PickleNode[]): TensorReading => ({
  kind: 'parts',
  parts: names.flatMap((name, index) => {
    const content = nodes[index];
    return content === undefined ? [] : [{ name, content }];
  }),
});

/** Names of a sparse layout's parts, in the order of its data (FORMATS.md 2.6). */
const SPARSE_PARTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['torch.sparse_coo', ['indices', 'values']],
  ['torch.sparse_csr', ['crow_indices', 'col_indices', 'values']],
  ['torch.sparse_bsr', ['crow_indices', 'col_indices', 'values']],
  ['torch.sparse_csc', ['ccol_indices', 'row_indices', 'values']],
  ['torch.sparse_bsc', ['ccol_indices', 'row_indices', 'values']],
]);

/** `_rebuild_sparse_tensor(layout, data)`; see {@link readDense} for `at`. */
export const readSparse = ([layout, data]: readonly PickleNode[], at: number): TensorReading => {
  const spelled = layout?.kind === 'call' ? textOfNode(argumentsOf(layout)[0]) : undefined;
  const names = spelled === undefined ? undefined : SPARSE_PARTS.get(spelled);
  const parts = itemsOf(data);
  if (!isSettled(data, at)) {
    return faulty('not-scanned', 'the pickle changes its parts after it is made');
  }
  return names === undefined || parts === undefined
    ? refused('a sparse tensor of a layout that is not known')
    : named(names, parts);
};

/** `_rebuild_nested_tensor(buffer, sizes, strides, storage_offsets)`. */
export const readNested = (args: readonly PickleNode[]): TensorReading =>
  named(['buffer', 'sizes', 'strides', 'storage_offsets'], args);
