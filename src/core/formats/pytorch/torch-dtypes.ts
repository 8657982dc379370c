/** A storage class of `torch.save`: what its elements are. */
export interface StorageClass {
  /** This program's dtype name; undefined for raw bytes, whose dtype each tensor names itself. */
  readonly dtype: string | undefined;
  /** Bytes an element takes. */
  readonly bytes: number;
}

const typed = (dtype: string, bytes: number): StorageClass => ({ dtype, bytes });

/**
 * Storage classes by name (FORMATS.md 2.4). The name decides, whatever the module: `torch`, `torch.cuda`, `torch.storage`.
 * Packed quantised classes hold several values a byte, and count bytes.
 */
const STORAGE_CLASSES: ReadonlyMap<string, StorageClass> = new Map([
  ['DoubleStorage', typed('F64', 8)],
  ['FloatStorage', typed('F32', 4)],
  ['HalfStorage', typed('F16', 2)],
  ['LongStorage', typed('I64', 8)],
  ['IntStorage', typed('I32', 4)],
  ['ShortStorage', typed('I16', 2)],
  ['CharStorage', typed('I8', 1)],
  ['ByteStorage', typed('U8', 1)],
  ['BoolStorage', typed('BOOL', 1)],
  ['BFloat16Storage', typed('BF16', 2)],
  ['ComplexFloatStorage', typed('C64', 8)],
  ['ComplexDoubleStorage', typed('C128', 16)],
  ['QInt8Storage', typed('QI8', 1)],
  ['QInt32Storage', typed('QI32', 4)],
  ['QUInt8Storage', typed('QU8', 1)],
  ['QUInt4x2Storage', typed('QU4', 1)],
  ['QUInt2x4Storage', typed('QU2', 1)],
  ['UntypedStorage', { dtype: undefined, bytes: 1 }],
]);

/** The storage class of that name; undefined for one this program does not know. */
export const storageClass = (name: string): StorageClass | undefined => STORAGE_CLASSES.get(name);

/** Names of `torch.dtype` objects as pickles spell them, and this program's dtype of each. */
const TORCH_DTYPES: ReadonlyMap<string, string> = new Map([
  ['float64', 'F64'],
  ['double', 'F64'],
  ['float32', 'F32'],
  ['float', 'F32'],
  ['float16', 'F16'],
  ['half', 'F16'],
  ['bfloat16', 'BF16'],
  ['float8_e5m2', 'F8_E5M2'],
  ['float8_e4m3fn', 'F8_E4M3'],
  ['float8_e5m2fnuz', 'F8_E5M2FNUZ'],
  ['float8_e4m3fnuz', 'F8_E4M3FNUZ'],
  ['float8_e8m0fnu', 'F8_E8M0'],
  ['int64', 'I64'],
  ['long', 'I64'],
  ['int32', 'I32'],
  ['int', 'I32'],
  ['int16', 'I16'],
  ['short', 'I16'],
  ['int8', 'I8'],
  ['uint8', 'U8'],
  ['uint16', 'U16'],
  ['uint32', 'U32'],
  ['uint64', 'U64'],
  ['bool', 'BOOL'],
  ['complex64', 'C64'],
  ['cfloat', 'C64'],
  ['complex128', 'C128'],
  ['cdouble', 'C128'],
]);

/** This program's dtype for a `torch.dtype` by its name; undefined for one it cannot decode. */
export const torchDtype = (name: string): string | undefined => TORCH_DTYPES.get(name);
