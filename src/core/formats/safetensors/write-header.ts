import type { Int } from '../../../shared/checkpoint-types.ts';
import { LoupeError } from '../../../shared/errors.ts';
import { utf8Order } from '../../bytes/compare-utf8.ts';
import { bitCount, elementCount } from '../../checked-arithmetic.ts';
import { SAFETENSORS_DTYPES, type SafetensorsDtype } from '../../dtypes/dtype-table.ts';
import { quoteName } from '../../quote-name.ts';
import { REFERENCE_HEADER_CAP } from './limits.ts';
import { METADATA_KEY } from './scan-header.ts';

/** A tensor to be written. */
export interface HeaderTensor {
  readonly name: string;
  readonly dtype: string;
  /** Logical element counts, outermost dimension first; `[]` is a scalar. */
  readonly shape: readonly Int[];
  /** Bytes of all elements: exactly what dtype and shape need. */
  readonly bytes: number;
}

/** The first bytes of a safetensors file, and the order its tensors' bytes must follow in. */
export interface BuiltHeader<T extends HeaderTensor> {
  /** Length field and padded header text: everything before the tensors' bytes. */
  readonly prefix: Uint8Array<ArrayBuffer>;
  readonly order: readonly T[];
  /** Bytes of all tensors: what follows the prefix. */
  readonly dataBytes: number;
}

const encoder = new TextEncoder();

const quoted = (text: string): string => {
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)) {
    throw new LoupeError('bad-name', 'a name or metadata text holds half a surrogate pair, which UTF-8 cannot carry');
  }
  return JSON.stringify(text);
};

const isDimension = (size: Int): boolean =>
  size >= 0 && (typeof size === 'bigint' ? size < 1n << 64n : Number.isSafeInteger(size));

/**
 * The dtype of that name, if safetensors has it; other formats have more.
 *
 * @throws LoupeError `unknown-dtype`
 */
export const requireSafetensorsDtype = (dtype: string): SafetensorsDtype => {
  const info = SAFETENSORS_DTYPES.get(dtype);
  if (info === undefined) {
    throw new LoupeError('unknown-dtype', `safetensors has no dtype ${quoteName(dtype)}`, { dtype });
  }
  return info;
};

/**
 * Bytes that a tensor of this dtype and shape takes in a safetensors file.
 *
 * @throws LoupeError `unknown-dtype`; `field-invalid` for a dimension that is no whole number; `shape-overflow`;
 *   `size-not-whole-bytes` for elements under 8 bits that do not fill whole bytes.
 */
export const tensorBytes = (name: string, dtype: string, shape: readonly Int[]): number => {
  const { bits } = requireSafetensorsDtype(dtype);
  const where = `tensor ${quoteName(name)}`;
  if (!shape.every(isDimension)) {
    throw new LoupeError('field-invalid', `${where}: every dimension is a whole number from 0 to 2^53 − 1`, { name });
  }
  const count = elementCount(shape);
  const total = count === undefined ? undefined : bitCount(count, bits);
  if (typeof total !== 'number') {
    throw new LoupeError('shape-overflow', `${where}: the shape [${shape.join(', ')}] has too many elements`, { name });
  }
  if (total % 8 !== 0) {
    const message = `${where}: ${total} bits of ${dtype} do not fill whole bytes`;
    throw new LoupeError('size-not-whole-bytes', message, { name, bits: total });
  }
  return total / 8;
};

const checkTensor = ({ name, dtype, shape, bytes }: HeaderTensor, names: Set<string>): void => {
  if (name === METADATA_KEY) {
    throw new LoupeError('reserved-name', `no tensor can be named "${METADATA_KEY}"`);
  }
  if (names.has(name)) {
    throw new LoupeError('duplicate-name', `two tensors are named ${quoteName(name)}`, { name });
  }
  names.add(name);
  const needed = tensorBytes(name, dtype, shape);
  if (needed !== bytes) {
    const message = `tensor ${quoteName(name)} has ${bytes} bytes; ${dtype} [${shape.join(', ')}] needs ${needed}`;
    throw new LoupeError('size-mismatch', message, { name, bytes, needed });
  }
};

/**
 * Builds a header byte for byte as the reference does (FORMATS.md 1.7): tensors by falling dtype rank, then by name;
 * compact JSON; spaces to a multiple of 8 bytes. Metadata keys are sorted by their bytes, since the reference leaves
 * their order to chance; empty metadata without tensors counts as none.
 *
 * @throws LoupeError `unknown-dtype`, `bad-name`, `reserved-name`, `duplicate-name`, `size-mismatch`, `field-invalid`,
 *   `shape-overflow`, `size-not-whole-bytes`, `header-over-cap`; `too-large` beyond 2^53 − 1 bytes.
 */
export const buildHeader = <T extends HeaderTensor>(
  tensors: readonly T[],
  metadata?: ReadonlyMap<string, string>,
): BuiltHeader<T> => {
  const names = new Set<string>();
  for (const tensor of tensors) {
    checkTensor(tensor, names);
  }
  const compareNames = utf8Order(tensors.map(({ name }) => name));
  const keyed = tensors.map((tensor) => ({ tensor, rank: requireSafetensorsDtype(tensor.dtype).rank }));
  keyed.sort((a, b) => b.rank - a.rank || compareNames(a.tensor.name, b.tensor.name));
  const order = keyed.map(({ tensor }) => tensor);
  const members: string[] = [];
  if (metadata !== undefined && (metadata.size > 0 || tensors.length > 0)) {
    const compareKeys = utf8Order([...metadata.keys()]);
    const pairs = [...metadata]
      .sort(([a], [b]) => compareKeys(a, b))
      .map(([key, value]) => `${quoted(key)}:${quoted(value)}`);
    members.push(`"${METADATA_KEY}":{${pairs.join(',')}}`);
  }
  let at = 0;
  for (const { name, dtype, shape, bytes } of order) {
    const end = at + bytes;
    if (!Number.isSafeInteger(end)) {
      throw new LoupeError('too-large', 'the tensors have more than 2^53 − 1 bytes together');
    }
    members.push(`${quoted(name)}:{"dtype":"${dtype}","shape":[${shape.join(',')}],"data_offsets":[${at},${end}]}`);
    at = end;
  }
  const text = encoder.encode(`{${members.join(',')}}`);
  const length = Math.ceil(text.length / 8) * 8;
  if (length > REFERENCE_HEADER_CAP) {
    throw new LoupeError('header-over-cap', `the header would have ${length} bytes, over the cap of loaders`, {
      length,
    });
  }
  const prefix = new Uint8Array(8 + length).fill(0x20);
  new DataView(prefix.buffer).setBigUint64(0, BigInt(length), true);
  prefix.set(text, 8);
  return { prefix, order, dataBytes: at };
};
