import type { TensorRow, TensorView } from '../../../shared/checkpoint-types.ts';
import { formatBytes, formatInt } from '../../../shared/format-number.ts';

/** `view`: it does not simply fill its storage. `shared`: it does, but others use the storage too. */
export type ViewWord = 'view' | 'shared';

const isPlain = ({ layout, bytes }: TensorRow, { offset, storage }: TensorView): boolean =>
  layout === 'contiguous' && offset === 0 && bytes === storage.bytes;

const isChanged = ({ bigEndian, negated, conjugated }: TensorView): boolean =>
  bigEndian === true || negated === true || conjugated === true;

/** The word on a row's badge; undefined for a tensor that has its storage for itself. */
export const viewWord = (row: TensorRow): ViewWord | undefined => {
  const { view } = row;
  if (view === undefined) {
    return undefined;
  }
  return isPlain(row, view) && !isChanged(view) ? 'shared' : 'view';
};

/** One fact about a view: what it is about, and what it is. */
export type ViewFact = readonly [term: string, description: string];

const sharers = (tensors: number): string => (tensors > 1 ? `, shared by ${formatInt(tensors)} tensors` : '');

const placed = (offset: number | undefined): string =>
  offset === undefined ? ', compressed' : ` @ ${formatInt(offset)}`;

/** What the integers of a quantised tensor stand for. */
export const quantisedText = (quantised: NonNullable<TensorRow['quantised']>): string =>
  quantised.scheme === 'tensor'
    ? `(q − ${quantised.zeroPoint}) × ${quantised.scale}`
    : `(q − zero point) × scale, of each index of dimension ${quantised.axis}`;

/** How a tensor lies in its storage, and what its integers stand for, in words. */
export const viewFacts = ({ view, quantised }: TensorRow): readonly ViewFact[] => {
  const meaning = quantised === undefined ? [] : [['Values', quantisedText(quantised)] as const];
  if (view === undefined) {
    return meaning;
  }
  const { strides, offset, storage } = view;
  const read = [
    ...(view.bigEndian === true ? ['big-endian'] : []),
    ...(view.negated === true ? ['negated'] : []),
    ...(view.conjugated === true ? ['conjugated'] : []),
  ];
  return [
    ...meaning,
    ...(strides.length === 0 ? [] : [['Strides', `[${strides.map(formatInt).join(', ')}] elements`] as const]),
    ['Starts', `${formatInt(offset)} ${offset === 1 ? 'byte' : 'bytes'} into its storage`],
    ['Storage', `${formatBytes(storage.bytes)}${placed(storage.offset)}${sharers(storage.tensors)}`],
    ...(read.length === 0 ? [] : [['Stored', read.join(', ')] as const]),
  ];
};

/** The same on hover, a line each. */
export const viewHover = (row: TensorRow): string =>
  viewFacts(row)
    .map(([term, description]) => `${term}: ${description}`)
    .join('\n');
