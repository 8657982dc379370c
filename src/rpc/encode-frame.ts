import { LoupeError } from '../shared/errors.ts';
import { BIGINT_DIGITS, DEPTH_LIMIT, type Extra, JSON_LIMIT, LENGTH_BYTES, type TypedKind } from './frame-format.ts';

const notSendable = (what: string): LoupeError => new LoupeError('not-sendable', `${what} cannot cross a wire`);

const typedKind = (value: ArrayBufferView): TypedKind => {
  if (value instanceof Uint8Array) {
    return 'u8';
  }
  if (value instanceof Float64Array) {
    return 'f64';
  }
  if (value instanceof Float32Array) {
    return 'f32';
  }
  if (value instanceof Uint32Array) {
    return 'u32';
  }
  throw notSendable(`a ${value.constructor.name}`);
};

const needsExtra = (value: number): boolean => !Number.isFinite(value) || Object.is(value, -0);

class Packer {
  readonly extras: Extra[] = [];
  readonly blobs: Uint8Array[] = [];
  /** The path to the value in hand; copied only for the few values that are noted. */
  readonly #path: (string | number)[] = [];

  pack(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return needsExtra(value) ? this.#note('number', Object.is(value, -0) ? '-0' : `${value}`) : value;
      case 'bigint':
        return this.#packBigint(value);
      case 'undefined':
        return this.#note('undefined', '');
      case 'object':
        return value === null ? null : this.#packObject(value);
      default:
        throw notSendable(`a ${typeof value}`);
    }
  }

  #note(kind: 'number' | 'bigint' | 'undefined', text: string): null {
    this.extras.push({ path: [...this.#path], kind, text });
    return null;
  }

  #packBigint(value: bigint): null {
    const text = value.toString();
    if (text.length > BIGINT_DIGITS) {
      throw notSendable(`an integer of ${text.length} digits`);
    }
    return this.#note('bigint', text);
  }

  #packObject(value: object): unknown {
    if (ArrayBuffer.isView(value)) {
      const kind = typedKind(value);
      this.blobs.push(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
      this.extras.push({ path: [...this.#path], kind, bytes: value.byteLength });
      return null;
    }
    if (value instanceof ArrayBuffer || value instanceof Map || value instanceof Set) {
      throw notSendable(`a ${value.constructor.name}`);
    }
    if (this.#path.length >= DEPTH_LIMIT) {
      throw notSendable(`a value nested deeper than ${DEPTH_LIMIT} levels`);
    }
    if (Array.isArray(value)) {
      return Array.from(value, (item: unknown, index) => this.#packMember(index, item));
    }
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => [key, this.#packMember(key, member)]),
    );
  }

  #packMember(key: string | number, member: unknown): unknown {
    this.#path.push(key);
    const packed = this.pack(member);
    this.#path.pop();
    return packed;
  }
}

/** The JSON text of a frame, no longer than the other side reads: it would take a longer one for the end of all sense. */
const textOf = (content: { readonly value: unknown; readonly extras: readonly Extra[] }, limit: number): Uint8Array => {
  let text: string;
  try {
    text = JSON.stringify(content);
  } catch (fault) {
    if (fault instanceof RangeError) {
      throw notSendable('a value whose text is too long for a string');
    }
    throw fault;
  }
  const json = new TextEncoder().encode(text);
  if (json.byteLength > limit) {
    throw notSendable(`a value of ${json.byteLength} bytes of text`);
  }
  return json;
};

/**
 * Encodes plain data (objects, arrays, strings, numbers, bigint, typed arrays) into one frame that owns its buffer.
 * Members that are undefined are left out; undefined elements of an array, and an undefined value, are kept.
 *
 * @param limit Most bytes of text; what the other side reads unless told.
 * @throws LoupeError `not-sendable` for functions, symbols, maps, sets, other buffers, integers of over 100 digits, and
 * data nested deeper than 64 levels (so also for cyclic data), and data of more text than a frame may have.
 */
export const encodeFrame = (value: unknown, limit = JSON_LIMIT): Uint8Array<ArrayBuffer> => {
  const packer = new Packer();
  const packed = packer.pack(value);
  const json = textOf({ value: packed, extras: packer.extras }, limit);
  const start = LENGTH_BYTES + json.byteLength;
  const frame = new Uint8Array(packer.blobs.reduce((sum, blob) => sum + blob.byteLength, start));
  new DataView(frame.buffer).setUint32(0, json.byteLength, true);
  frame.set(json, LENGTH_BYTES);
  let at = start;
  for (const blob of packer.blobs) {
    frame.set(blob, at);
    at += blob.byteLength;
  }
  return frame;
};
