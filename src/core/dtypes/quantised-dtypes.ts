import { type DtypeInfo, dtypeInfo } from './dtype-table.ts';

/** Unsigned integers that share a byte, the first of them in its lowest bits (FORMATS.md 2.6). */
const packed = (name: string, bits: number): DtypeInfo => ({
  name,
  bits,
  rank: undefined,
  kind: 'uint',
  components: 1,
  encoding: 'u8',
  format: undefined,
});

const STORED: ReadonlyMap<string, DtypeInfo | undefined> = new Map([
  ['QI8', dtypeInfo('I8')],
  ['QU8', dtypeInfo('U8')],
  ['QI32', dtypeInfo('I32')],
  ['QU4', packed('U4', 4)],
  ['QU2', packed('U2', 2)],
]);

/**
 * What the elements of a quantised dtype of PyTorch are in the file: integers, which mean nothing without a scale and a zero
 * point. So the dtype is in no table of those that can be decoded by themselves. Undefined for any other dtype.
 */
export const storedOfQuantised = (dtype: string): DtypeInfo | undefined => STORED.get(dtype);

/** The integers a stored dtype holds, [least, greatest]. */
export const integerRange = ({ bits, kind }: DtypeInfo): readonly [least: number, greatest: number] =>
  kind === 'int' ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
