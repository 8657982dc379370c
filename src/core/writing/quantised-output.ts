import type { MetadataEntry } from '../../shared/checkpoint-types.ts';
import { storedOfQuantised } from '../dtypes/quantised-dtypes.ts';
import { quoteName } from '../quote-name.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';

/** The dtype that a row's bytes have: of a quantised tensor that of its integers. */
export const writtenDtype = (table: TensorTable, id: number): string =>
  storedOfQuantised(table.strided(id)?.quantised?.dtype ?? '')?.name ?? table.dtype(id);

/** A quantised tensor is written as its integers, under a name that says so: nobody may take them for the values. */
export const writtenName = (table: TensorTable, id: number): string =>
  table.strided(id)?.quantised === undefined ? table.name(id) : `${table.name(id)}.int_repr`;

/**
 * What is to be said, and kept, of the quantised among some tensors: one scale and zero point become metadata; those of
 * channels are tensors of the checkpoint.
 */
export const quantisedNotes = (
  table: TensorTable,
  ids: readonly number[],
): { readonly notes: readonly string[]; readonly metadata: readonly MetadataEntry[] } => {
  const notes: string[] = [];
  const metadata: MetadataEntry[] = [];
  for (const id of ids) {
    const quantised = table.strided(id)?.quantised;
    const name = table.name(id);
    if (quantised === undefined) {
      continue;
    }
    const kept =
      quantised.scheme === 'tensor'
        ? 'their scale and zero point as metadata'
        : table.idsOf(`${name}.scales`).length > 0
          ? 'their scales and zero points are tensors of their own'
          : 'their scales are not in the output';
    notes.push(
      `${quoteName(name)} is quantised: its integers were written as ${quoteName(writtenName(table, id))}, ${kept}`,
    );
    if (quantised.scheme === 'tensor') {
      metadata.push({ key: `${name}.scale`, type: 'string', value: String(quantised.scales[0]) });
      metadata.push({ key: `${name}.zero_point`, type: 'string', value: String(quantised.zeroPoints[0]) });
    }
  }
  return { notes, metadata };
};
