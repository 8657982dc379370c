/** What a dtype's values are. */
export type DtypeKind = 'bool' | 'uint' | 'int' | 'float' | 'complex';

/**
 * Which codes of a float format are no ordinary values (FORMATS.md 1.8).
 *
 * `ieee`: exponent all ones is infinity or NaN. `fn`: all ones but the sign is NaN, no infinity. `fnuz`: the code of −0 is
 * the only NaN, no infinity. `none`: every code is a value. `scale`: a bare exponent, value 2^(code − bias), all ones NaN.
 */
export type FloatSpecials = 'ieee' | 'fn' | 'fnuz' | 'none' | 'scale';

/** Layout of a binary float: sign (absent in `scale`), then exponent, then mantissa, from the most significant bit down. */
export interface FloatFormat {
  readonly exponentBits: number;
  readonly mantissaBits: number;
  readonly bias: number;
  readonly specials: FloatSpecials;
}

/**
 * How one component's little-endian bytes become a number. `table`: a float of at most 8 bits, looked up by its code
 * (see small-floats.ts).
 */
export type Encoding =
  | 'bool'
  | 'u8'
  | 'i8'
  | 'u16'
  | 'i16'
  | 'u32'
  | 'i32'
  | 'u64'
  | 'i64'
  | 'f16'
  | 'bf16'
  | 'f32'
  | 'f64'
  | 'table';

/** One dtype, by its safetensors name. */
export interface DtypeInfo {
  readonly name: string;
  /** Bits an element takes in the file: 4, 6 or a multiple of 8. */
  readonly bits: number;
  /**
   * Position in the safetensors reference's `enum Dtype`, which is the order its serializer writes in: 0 first. Undefined for
   * dtypes that safetensors does not have.
   */
  readonly rank: number | undefined;
  readonly kind: DtypeKind;
  /** Numbers an element is made of: 2 (real, then imaginary) for complex dtypes, else 1. */
  readonly components: 1 | 2;
  /** Of one component. */
  readonly encoding: Encoding;
  /** Of one component; undefined for integers and booleans. */
  readonly format: FloatFormat | undefined;
}

const float = (exponentBits: number, mantissaBits: number, bias: number, specials: FloatSpecials): FloatFormat => ({
  exponentBits,
  mantissaBits,
  bias,
  specials,
});

const row = (
  rank: number | undefined,
  name: string,
  bits: number,
  kind: DtypeKind,
  encoding: Encoding,
  format?: FloatFormat,
): DtypeInfo => ({ name, bits, rank, kind, components: kind === 'complex' ? 2 : 1, encoding, format });

const F32 = float(8, 23, 127, 'ieee');

/** The 22 dtypes of safetensors 0.8 in rank order (FORMATS.md 1.4, formats of 1.8), then others. A new dtype is a new row. */
const ROWS: readonly DtypeInfo[] = [
  row(0, 'BOOL', 8, 'bool', 'bool'),
  row(1, 'F4', 4, 'float', 'table', float(2, 1, 1, 'none')),
  row(2, 'F6_E2M3', 6, 'float', 'table', float(2, 3, 1, 'none')),
  row(3, 'F6_E3M2', 6, 'float', 'table', float(3, 2, 3, 'none')),
  row(4, 'U8', 8, 'uint', 'u8'),
  row(5, 'I8', 8, 'int', 'i8'),
  row(6, 'F8_E5M2', 8, 'float', 'table', float(5, 2, 15, 'ieee')),
  row(7, 'F8_E4M3', 8, 'float', 'table', float(4, 3, 7, 'fn')),
  row(8, 'F8_E8M0', 8, 'float', 'table', float(8, 0, 127, 'scale')),
  row(9, 'F8_E4M3FNUZ', 8, 'float', 'table', float(4, 3, 8, 'fnuz')),
  row(10, 'F8_E5M2FNUZ', 8, 'float', 'table', float(5, 2, 16, 'fnuz')),
  row(11, 'I16', 16, 'int', 'i16'),
  row(12, 'U16', 16, 'uint', 'u16'),
  row(13, 'F16', 16, 'float', 'f16', float(5, 10, 15, 'ieee')),
  row(14, 'BF16', 16, 'float', 'bf16', float(8, 7, 127, 'ieee')),
  row(15, 'I32', 32, 'int', 'i32'),
  row(16, 'U32', 32, 'uint', 'u32'),
  row(17, 'F32', 32, 'float', 'f32', F32),
  row(18, 'C64', 64, 'complex', 'f32', F32),
  row(19, 'F64', 64, 'float', 'f64', float(11, 52, 1023, 'ieee')),
  row(20, 'I64', 64, 'int', 'i64'),
  row(21, 'U64', 64, 'uint', 'u64'),
  // PyTorch's complex128.
  row(undefined, 'C128', 128, 'complex', 'f64', float(11, 52, 1023, 'ieee')),
];

/** Every dtype this program can decode, by name, in rank order. */
export const DTYPES: ReadonlyMap<string, DtypeInfo> = new Map(ROWS.map((info) => [info.name, info]));

/** Bits that one component takes: of C64 32, of every other dtype all of its bits. */
export const componentBits = ({ bits, components }: DtypeInfo): number => bits / components;

/** Numbers that an element of a dtype is made of: 2 of complex ones, else 1. */
export const componentsOf = (name: string): 1 | 2 => DTYPES.get(name)?.components ?? 1;

/** The dtype of that exact name (names are case-sensitive); undefined when there is none. */
export const dtypeInfo = (name: string): DtypeInfo | undefined => DTYPES.get(name);

/** A dtype that safetensors has, with its place in the reference's order. */
export type SafetensorsDtype = DtypeInfo & { readonly rank: number };

const inSafetensors = (info: DtypeInfo): info is SafetensorsDtype => info.rank !== undefined;

/** The dtypes that safetensors has, by name, in rank order. */
export const SAFETENSORS_DTYPES: ReadonlyMap<string, SafetensorsDtype> = new Map(
  ROWS.filter(inSafetensors).map((info) => [info.name, info]),
);
