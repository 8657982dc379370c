import type { TensorRow } from '../../src/shared/checkpoint-types.ts';

/** A row for tests; everything but id and name has a plain default. */
export const makeRow = (id: number, name: string, rest: Partial<TensorRow> = {}): TensorRow => ({
  id,
  name,
  dtype: 'F32',
  shape: [2],
  parameters: 2,
  bytes: 8,
  file: 'a.safetensors',
  offset: id * 8,
  layout: 'contiguous',
  readable: true,
  ...rest,
});

/** Rows with these names, numbered from 0. */
export const makeRows = (...names: readonly string[]): readonly TensorRow[] =>
  names.map((name, id) => makeRow(id, name));
