import { callOf, latin1Bytes, writtenBytesOf } from '../pickle/node-values.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import { argumentsOf, isUnchanged, itemsOf, textOfNode } from './read-node.ts';
import { beginsLikeLegacy, stackedPickles } from './stacked-pickles.ts';
import { type StorageReference, storageOf } from './storage-reference.ts';

/** The element count before a storage's bytes: i64, little-endian. */
const COUNT_BYTES = 8;

/**
 * Storages that a pickle holds as bytes for `torch.storage._load_from_bytes`: what becomes of a tensor that is pickled without
 * `torch.save` (FORMATS.md 2.6). The bytes are a whole stacked-pickle file of one storage. Each is looked into once.
 */
export class NestedStorages {
  readonly #known = new Map<Uint8Array | string, StorageReference | undefined>();

  /** The storage that a call of the loader makes; undefined for what is none, or has bytes that make no sense. */
  of(node: PickleNode | undefined): StorageReference | undefined {
    const call = callOf(node, 'torch.storage', '_load_from_bytes');
    const [argument] = call === undefined || call.added !== undefined ? [] : argumentsOf(call);
    const written = isUnchanged(argument) ? writtenBytesOf(argument) : undefined;
    if (written === undefined) {
      return undefined;
    }
    if (!this.#known.has(written)) {
      this.#known.set(written, readNested(written));
    }
    return this.#known.get(written);
  }
}

const readNested = (written: Uint8Array | string): StorageReference | undefined => {
  const bytes = typeof written === 'string' ? latin1Bytes(written) : written;
  if (bytes === undefined || !beginsLikeLegacy(bytes)) {
    return undefined;
  }
  const [, , , object, keyList] = stackedPickles(bytes);
  const storage = storageOf(object?.root);
  const [key, ...others] = itemsOf(keyList?.root) ?? [];
  if (storage?.elementBytes === undefined || storage.part !== undefined || keyList === undefined) {
    return undefined;
  }
  const begin = keyList.end + COUNT_BYTES;
  if (others.length > 0 || textOfNode(key) !== storage.key || begin > bytes.length) {
    return undefined;
  }
  const count = new DataView(bytes.buffer, bytes.byteOffset + keyList.end, COUNT_BYTES).getBigInt64(0, true);
  const size = count * BigInt(storage.elementBytes);
  const fits = count === storage.elements && count >= 0n && size <= BigInt(bytes.length - begin);
  return fits ? { ...storage, inside: { written, begin, bytes: Number(size) } } : undefined;
};
