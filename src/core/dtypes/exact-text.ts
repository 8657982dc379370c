import { formatFloat32, formatFloat64 } from '../../shared/format-number.ts';
import { componentBits, type DtypeInfo } from './dtype-table.ts';
import { type ElementOptions, elementWindow } from './element-window.ts';
import { type ExactNumber, exactComponents } from './exact-values.ts';

const componentText = (info: DtypeInfo): ((value: ExactNumber) => string) => {
  switch (info.kind) {
    case 'bool':
      return (value) => (value === 0 ? 'false' : 'true');
    case 'int':
    case 'uint':
      return (value) => value.toString();
    default:
      return info.encoding === 'f64'
        ? (value) => formatFloat64(Number(value))
        : (value) => formatFloat32(Number(value));
  }
};

/** `1-2i`, `0.5+NaNi`, `-0-0i`: the real part, the imaginary part with its sign, `i`. */
const complexText = (real: string, imaginary: string): string =>
  `${real}${imaginary.startsWith('-') ? '' : '+'}${imaginary}i`;

/**
 * Each element as text that says exactly what is stored: floats of up to 32 bits in their shortest form that reads back as
 * the same float32 (`0.1`), F64 likewise as f64, integers in full, BOOL `true` or `false`, C64 `1-2i`; `NaN`, `Inf`,
 * `-Inf`, `-0` spelled out.
 *
 * @param bytes little-endian, at any alignment
 * @throws LoupeError `unknown-dtype`, `f6-bit-order`, `bytes-too-short` (see {@link elementWindow})
 */
export const elementTexts = (
  dtype: string,
  bytes: Uint8Array,
  count: number,
  options: ElementOptions = {},
): string[] => {
  const window = elementWindow(dtype, bytes, count, options);
  const text = componentText(window.info);
  const texts = Array.from<ExactNumber, string>(exactComponents(window), text);
  return window.info.components === 1
    ? texts
    : Array.from({ length: count }, (_, index) => complexText(texts[index * 2] ?? '', texts[index * 2 + 1] ?? ''));
};

const hex = (bytes: Uint8Array, digits: number): string =>
  Array.from(bytes)
    .reverse()
    .map((byte) => byte.toString(16).toUpperCase().padStart(digits, '0'))
    .join('');

/**
 * Each element's stored bits as upper-case hexadecimal, most significant digit first: one digit for 4-bit dtypes, two for
 * 6-bit ones (whose codes need an order to be told apart), else two a byte. C64: the real part's eight digits, a space, the
 * imaginary part's.
 *
 * @param bytes little-endian, at any alignment
 * @throws LoupeError `unknown-dtype`, `f6-bit-order`, `bytes-too-short` (see {@link elementWindow})
 */
export const elementBits = (
  dtype: string,
  bytes: Uint8Array,
  count: number,
  options: ElementOptions = {},
): string[] => {
  const { info, bytes: cut } = elementWindow(dtype, bytes, count, options);
  const size = Math.ceil(componentBits(info) / 8);
  const stride = size * info.components;
  const digits = info.bits === 4 ? 1 : 2;
  return Array.from({ length: count }, (_, element) =>
    Array.from({ length: info.components }, (_, part) => {
      const begin = element * stride + part * size;
      return hex(cut.subarray(begin, begin + size), digits);
    }).join(' '),
  );
};
