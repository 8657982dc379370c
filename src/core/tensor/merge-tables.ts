import type { TensorTableData } from './tensor-table.ts';

const joinBytes = (parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};

const joinFloats = (parts: readonly Float64Array[]): Float64Array<ArrayBuffer> => {
  const joined = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};

/** Joins index columns, moving each part's values by what came before it. */
const joinShifted = (
  parts: readonly { readonly column: Uint32Array; readonly shift: number }[],
): Uint32Array<ArrayBuffer> => {
  const joined = new Uint32Array(parts.reduce((sum, { column }) => sum + column.length, 0));
  let at = 0;
  for (const { column, shift } of parts) {
    for (let index = 0; index < column.length; index += 1) {
      joined[at + index] = (column[index] ?? 0) + shift;
    }
    at += column.length;
  }
  return joined;
};

const joinMaps = <V>(
  parts: readonly { readonly map: ReadonlyMap<number, V>; readonly shift: number }[],
): Map<number, V> =>
  new Map(parts.flatMap(({ map, shift }) => Array.from(map, ([key, value]) => [key + shift, value] as const)));

const runningTotals = (sizes: readonly number[]): number[] => {
  let total = 0;
  return sizes.map((size) => {
    total += size;
    return total - size;
  });
};

/**
 * One table of several, row after row; `files` follow each other too, so that every row keeps its file. Row ids of part k
 * move by the number of rows before it, which is returned as `firstIds[k]`.
 */
export const mergeTables = (
  tables: readonly TensorTableData[],
): { readonly table: TensorTableData; readonly firstIds: readonly number[] } => {
  const rows = runningTotals(tables.map(({ nameEnds }) => nameEnds.length));
  const names = runningTotals(tables.map((table) => table.names.length));
  const dtypes = runningTotals(tables.map(({ dtypeTexts }) => dtypeTexts.length));
  const dims = runningTotals(tables.map((table) => table.dims.length));
  const files = runningTotals(tables.map((table) => table.files.length));
  const shifted = (column: (table: TensorTableData) => Uint32Array, shifts: readonly number[]) =>
    joinShifted(tables.map((table, index) => ({ column: column(table), shift: shifts[index] ?? 0 })));
  const mapped = <V>(map: (table: TensorTableData) => ReadonlyMap<number, V>, shifts: readonly number[]) =>
    joinMaps(tables.map((table, index) => ({ map: map(table), shift: shifts[index] ?? 0 })));
  return {
    firstIds: rows,
    table: {
      names: joinBytes(tables.map((table) => table.names)),
      nameEnds: shifted(({ nameEnds }) => nameEnds, names),
      dtypeTexts: tables.flatMap(({ dtypeTexts }) => dtypeTexts),
      dtypes: shifted((table) => table.dtypes, dtypes),
      dims: joinFloats(tables.map((table) => table.dims)),
      dimEnds: shifted(({ dimEnds }) => dimEnds, dims),
      bigDims: mapped(({ bigDims }) => bigDims, dims),
      counts: joinFloats(tables.map(({ counts }) => counts)),
      bigCounts: mapped(({ bigCounts }) => bigCounts, rows),
      begins: joinFloats(tables.map(({ begins }) => begins)),
      ends: joinFloats(tables.map(({ ends }) => ends)),
      fileOf: shifted(({ fileOf }) => fileOf, files),
      files: tables.flatMap((table) => table.files),
      inside: new Set(
        tables.flatMap(({ inside }, index) => [...(inside ?? [])].map((file) => file + (files[index] ?? 0))),
      ),
      layouts: joinBytes(tables.map(({ layouts }) => layouts)),
      strided: mapped(({ strided }) => strided, rows),
      storages: mapped(({ storages }) => storages, rows),
      present: joinBytes(tables.map(({ present }) => present)),
      problems: mapped(({ problems }) => problems, rows),
    },
  };
};
