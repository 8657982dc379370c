import type { DtypeShare, Int } from '../../shared/checkpoint-types.ts';
import { addInts } from '../checked-arithmetic.ts';
import type { TensorTable } from './tensor-table.ts';

/** Sums over a whole table. */
export interface TableTotals {
  readonly parameters: Int;
  /** By descending bytes. */
  readonly dtypes: readonly DtypeShare[];
}

/** Sums a table by dtype. A shape that cannot be used counts 0 parameters; bytes that are not in the file count 0. */
export const tableTotals = (table: TensorTable): TableTotals => {
  const shares = new Map<string, { tensors: number; parameters: Int; bytes: number }>();
  let parameters: Int = 0;
  for (let id = 0; id < table.length; id += 1) {
    const dtype = table.dtype(id);
    const share = shares.get(dtype) ?? { tensors: 0, parameters: 0, bytes: 0 };
    const count = table.count(id) ?? 0;
    const [begin, end] = (table.isPresent(id) ? table.range(id) : undefined) ?? [0, 0];
    share.tensors += 1;
    share.parameters = addInts(share.parameters, count);
    share.bytes += end - begin;
    parameters = addInts(parameters, count);
    shares.set(dtype, share);
  }
  const dtypes = Array.from(shares, ([dtype, share]) => ({ dtype, ...share }));
  return { parameters, dtypes: dtypes.sort((a, b) => b.bytes - a.bytes || b.tensors - a.tensors) };
};
