import type { Int } from '../../../shared/checkpoint-types.ts';
import { LoupeError } from '../../../shared/errors.ts';
import { dtypeInfo } from '../../dtypes/dtype-table.ts';
import { REFERENCE_HEADER_CAP } from './limits.ts';
import { METADATA_KEY } from './scan-header.ts';

/** A tensor to be written. */
export interface HeaderTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly Int[];
  readonly bytes: number;
}

/** The first bytes of a safetensors file, and the order its tensors' bytes must follow in. */
export interface BuiltHeader<T extends HeaderTensor> {
  /** Length field and padded header text: everything before the tensors' bytes. */
  readonly prefix: Uint8Array<ArrayBuffer>;
  readonly order: readonly T[];
}

const encoder = new TextEncoder();

/** By the bytes of UTF-8, which JavaScript's own order differs from beyond the basic plane (FORMATS.md 1.7). */
const compareUtf8 = (a: Uint8Array, b: Uint8Array): number => {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
};

const quoted = (text: string): string => {
  if (/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)) {
    throw new LoupeError('bad-name', 'a name or metadata text holds half a surrogate pair, which UTF-8 cannot carry');
  }
  return JSON.stringify(text);
};

const rankOf = (dtype: string): number => {
  const info = dtypeInfo(dtype);
  if (info === undefined) {
    throw new LoupeError('unknown-dtype', `safetensors has no dtype "${dtype}"`, { dtype });
  }
  return info.rank;
};

/**
 * Builds a header byte for byte as the reference does (FORMATS.md 1.7): tensors by falling dtype rank, then by name;
 * compact JSON; spaces to a multiple of 8 bytes. Metadata keys are sorted by their bytes, since the reference leaves
 * their order to chance; empty metadata without tensors counts as none.
 *
 * @throws LoupeError `unknown-dtype`, `bad-name`, `reserved-name`, `duplicate-name`, `header-over-cap`.
 */
export const buildHeader = <T extends HeaderTensor>(
  tensors: readonly T[],
  metadata?: ReadonlyMap<string, string>,
): BuiltHeader<T> => {
  const keyed = tensors.map((tensor) => ({
    tensor,
    rank: rankOf(tensor.dtype),
    utf8: encoder.encode(tensor.name),
  }));
  keyed.sort((a, b) => b.rank - a.rank || compareUtf8(a.utf8, b.utf8));
  const order = keyed.map(({ tensor }) => tensor);
  const members: string[] = [];
  if (metadata !== undefined && (metadata.size > 0 || tensors.length > 0)) {
    const pairs = [...metadata]
      .map(([key, value]) => ({ key, value, utf8: encoder.encode(key) }))
      .sort((a, b) => compareUtf8(a.utf8, b.utf8))
      .map(({ key, value }) => `${quoted(key)}:${quoted(value)}`);
    members.push(`"${METADATA_KEY}":{${pairs.join(',')}}`);
  }
  let at = 0;
  const names = new Set<string>();
  for (const { name, dtype, shape, bytes } of order) {
    if (names.has(name)) {
      throw new LoupeError('duplicate-name', `two tensors are named "${name}"`, { name });
    }
    names.add(name);
    if (name === METADATA_KEY) {
      throw new LoupeError('reserved-name', `no tensor can be named "${METADATA_KEY}"`);
    }
    const end = at + bytes;
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
  return { prefix, order };
};
