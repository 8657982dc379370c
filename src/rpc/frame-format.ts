import { LoupeError } from '../shared/errors.ts';

/*
 * Frame layout: u32 LE length of the JSON text, the JSON text (UTF-8), then the typed arrays' bytes one after the other.
 *
 * JSON holds `{value, extras}`. What JSON cannot carry is null in `value` and listed in `extras` with the path to it, so
 * no key or string out of a file can be mistaken for a marker: typed arrays travel as bytes, NaN, infinities, −0, bigint
 * and undefined as text.
 */

/** Keys and indices that lead from the value to one of its parts. */
export type Path = readonly (string | number)[];

/** The typed arrays that may cross, by the name they have in a frame. */
export const TYPED = { u8: Uint8Array, f32: Float32Array, f64: Float64Array, u32: Uint32Array } as const;
export type TypedKind = keyof typeof TYPED;
export type Typed = Uint8Array | Float32Array | Float64Array | Uint32Array;

/** One part of a value that JSON cannot carry, in the order of the bytes after the text. */
export type Extra =
  | { readonly path: Path; readonly kind: TypedKind; readonly bytes: number }
  | { readonly path: Path; readonly kind: 'number' | 'bigint' | 'undefined'; readonly text: string };

/** Bytes of the length field. */
export const LENGTH_BYTES = 4;
/** Longest JSON text in a received frame, in bytes: larger ones would not fit a JavaScript string comfortably. */
export const JSON_LIMIT = 256 * 1024 * 1024;
/** Deepest nesting of a value that is sent. Metadata and messages are a handful of levels deep. */
export const DEPTH_LIMIT = 64;
/** Most decimal digits of a bigint in a received frame: parsing takes quadratic time, and 64-bit values need 20. */
export const BIGINT_DIGITS = 100;

/** The error for bytes that are no frame. */
export const badFrame = (why: string): LoupeError => new LoupeError('bad-frame', `a message could not be read: ${why}`);
