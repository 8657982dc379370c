import { BIGINT_DIGITS, badFrame, type Extra, JSON_LIMIT, LENGTH_BYTES, type Path, TYPED } from './frame-format.ts';

const SPECIAL_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
]);
const INTEGER = /^-?\d+$/;

/** Hands out the bytes behind the text, one array after the other. */
type TakeBlob = (bytes: number) => Uint8Array;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const isPath = (value: unknown): value is Path =>
  Array.isArray(value) && value.every((step) => typeof step === 'string' || typeof step === 'number');

const isTypedKind = (kind: unknown): kind is keyof typeof TYPED =>
  typeof kind === 'string' && Object.hasOwn(TYPED, kind);

const parseExtra = (value: unknown): Extra => {
  if (isRecord(value) && isPath(value.path)) {
    const { path, kind, bytes, text } = value;
    if (isTypedKind(kind) && typeof bytes === 'number') {
      return { path, kind, bytes };
    }
    if ((kind === 'number' || kind === 'bigint' || kind === 'undefined') && typeof text === 'string') {
      return { path, kind, text };
    }
  }
  throw badFrame('an extra of unknown form');
};

const restoreNumber = (text: string): number => {
  const value = SPECIAL_NUMBERS.get(text);
  if (value === undefined) {
    throw badFrame('an unknown special number');
  }
  return value;
};

const restoreBigint = (text: string): bigint => {
  if (text.length > BIGINT_DIGITS || !INTEGER.test(text)) {
    throw badFrame('not an integer');
  }
  return BigInt(text);
};

const restoreExtra = (extra: Extra, take: TakeBlob): unknown => {
  switch (extra.kind) {
    case 'number':
      return restoreNumber(extra.text);
    case 'bigint':
      return restoreBigint(extra.text);
    case 'undefined':
      return undefined;
    default: {
      const ArrayOf = TYPED[extra.kind];
      if (extra.bytes % ArrayOf.BYTES_PER_ELEMENT !== 0) {
        throw badFrame('an array of a fractional length');
      }
      // A copy, so that the array is aligned and owns exactly its bytes.
      const copy = new Uint8Array(take(extra.bytes));
      return extra.kind === 'u8' ? copy : new ArrayOf(copy.buffer);
    }
  }
};

/** Whether `key` is a member that an extra may stand for: never an array's `length`, never anything inherited. */
const holds = (holder: Record<string, unknown>, key: string | number): boolean =>
  Object.hasOwn(holder, key) && (!Array.isArray(holder) || typeof key === 'number');

const place = (root: Record<string, unknown>, path: Path, value: unknown): void => {
  let holder = root;
  let key: string | number = 'value';
  for (const step of path) {
    const next: unknown = holds(holder, key) ? holder[key] : undefined;
    if (!isRecord(next) || ArrayBuffer.isView(next)) {
      throw badFrame('an extra points nowhere');
    }
    holder = next;
    key = step;
  }
  if (!holds(holder, key) || holder[key] !== null) {
    throw badFrame('an extra points nowhere');
  }
  // The member is the holder's own, so this never reaches a setter such as __proto__.
  holder[key] = value;
};

const parseText = (text: Uint8Array): Record<string, unknown> & { extras: unknown[] } => {
  let root: unknown;
  try {
    root = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text));
  } catch (cause) {
    throw badFrame(cause instanceof Error ? cause.message : 'not JSON');
  }
  if (!isRecord(root) || !Object.hasOwn(root, 'value') || !Object.hasOwn(root, 'extras')) {
    throw badFrame('not a value with extras');
  }
  const { extras } = root;
  if (!Array.isArray(extras)) {
    throw badFrame('extras are no list');
  }
  return { value: root.value, extras };
};

/**
 * Decodes a frame made by `encodeFrame`. Arrays in the result own their buffers.
 *
 * @throws LoupeError `bad-frame` when the bytes are not such a frame.
 */
export const decodeFrame = (frame: Uint8Array): unknown => {
  if (frame.byteLength < LENGTH_BYTES) {
    throw badFrame('shorter than its length field');
  }
  const length = new DataView(frame.buffer, frame.byteOffset, LENGTH_BYTES).getUint32(0, true);
  if (length > JSON_LIMIT || length > frame.byteLength - LENGTH_BYTES) {
    throw badFrame('its text is longer than the frame');
  }
  let at = LENGTH_BYTES + length;
  const root = parseText(frame.subarray(LENGTH_BYTES, at));
  const take: TakeBlob = (bytes) => {
    if (!Number.isSafeInteger(bytes) || bytes < 0 || bytes > frame.byteLength - at) {
      throw badFrame('an array runs past its end');
    }
    at += bytes;
    return frame.subarray(at - bytes, at);
  };
  for (const value of root.extras) {
    const extra = parseExtra(value);
    place(root, extra.path, restoreExtra(extra, take));
  }
  if (at !== frame.byteLength) {
    throw badFrame('bytes left over after its last array');
  }
  return root.value;
};
