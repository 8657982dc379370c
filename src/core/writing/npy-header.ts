/** numpy's names for dtypes, little-endian. Dtypes that numpy has no name for are absent: never guess (FIELD-CASES B49). */
const NPY_NAMES: ReadonlyMap<string, string> = new Map([
  ['BOOL', '|b1'],
  ['U8', '|u1'],
  ['I8', '|i1'],
  ['U16', '<u2'],
  ['I16', '<i2'],
  ['F16', '<f2'],
  ['U32', '<u4'],
  ['I32', '<i4'],
  ['F32', '<f4'],
  ['U64', '<u8'],
  ['I64', '<i8'],
  ['F64', '<f8'],
  ['C64', '<c8'],
  ['C128', '<c16'],
]);

/** numpy's name for a dtype; undefined when it has none. */
export const npyName = (dtype: string): string | undefined => NPY_NAMES.get(dtype);

/** `10 + header` is a multiple of this in what numpy writes (FORMATS.md 5). */
const ALIGNMENT = 64;

/**
 * The bytes before the data of an npy file, version 1.0, row-major, as numpy itself writes them.
 *
 * @param name one of numpy's dtype names, such as `<f4`.
 */
export const npyHeader = (name: string, shape: readonly number[]): Uint8Array<ArrayBuffer> => {
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${name}', 'fortran_order': False, 'shape': (${dimensions}), }`;
  const length = Math.ceil((10 + text.length + 1) / ALIGNMENT) * ALIGNMENT;
  const header = new Uint8Array(length).fill(0x20);
  header.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0]);
  new DataView(header.buffer).setUint16(8, length - 10, true);
  header.set(new TextEncoder().encode(text), 10);
  header[length - 1] = 0x0a;
  return header;
};
