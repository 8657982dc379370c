import type { PickleNode } from '../pickle/nodes.ts';
import { type PickleOutcome, runPickle } from '../pickle/run-pickle.ts';
import type { TorchTensor } from './dense-tensor.ts';
import { integerOf, itemsOf, MOST_DIMENSIONS } from './read-node.ts';
import type { TarStorages } from './tar-storages.ts';
import { faulty, type TensorReading } from './tensor-reading.ts';

/** Tensors of a tar file by their keys, and whether all that are promised could be read. */
export interface TarTensors {
  readonly byKey: ReadonlyMap<string, TensorReading>;
  readonly complete: boolean;
}

/** Reads what lies between pickles: numbers of 4 and 8 bytes. */
class Numbers {
  readonly #view: DataView;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  has(bytes: number): boolean {
    return bytes <= this.#view.byteLength - this.at;
  }

  i4(): number {
    this.at += 4;
    return this.#view.getInt32(this.at - 4, true);
  }

  i8(): bigint {
    this.at += 8;
    return this.#view.getBigInt64(this.at - 8, true);
  }
}

/** Number of dimensions, four bytes that mean nothing, sizes, strides, offset; undefined where the bytes end. */
const readGeometry = (numbers: Numbers): Pick<TorchTensor, 'shape' | 'strides' | 'offset'> | undefined => {
  if (!numbers.has(8)) {
    return undefined;
  }
  const dimensions = numbers.i4();
  numbers.i4();
  if (dimensions < 0 || dimensions > MOST_DIMENSIONS || !numbers.has(16 * dimensions + 8)) {
    return undefined;
  }
  const shape = Array.from({ length: dimensions }, () => numbers.i8());
  const strides = Array.from({ length: dimensions }, () => numbers.i8());
  return { shape, strides, offset: numbers.i8() };
};

const tensorOf = (
  storages: TarStorages,
  storageKey: bigint | undefined,
  geometry: Pick<TorchTensor, 'shape' | 'strides' | 'offset'>,
): TensorReading => {
  const storage = storages.reference(String(storageKey));
  const { shape, strides, offset } = geometry;
  if (storage === undefined) {
    return faulty('storage-missing', 'its storage is not in the file');
  }
  const dtype = storage.dtype ?? storage.className;
  if ([...shape, ...strides, offset].some((number) => number < 0n)) {
    return faulty('field-invalid', 'its offset, sizes or strides are negative', dtype);
  }
  const known = storage.dtype !== undefined;
  const tensor = { storage, dtype, known, offset, shape, strides, conjugated: false, negated: false };
  return { kind: 'tensor', tensor };
};

/**
 * Reads the member `tensors` of a tar file of torch 0.1 (FORMATS.md 2.12): a pickle with a count, then for each tensor a pickle
 * `(key, storage_key, class)` and numbers. Every pickle is handed to `grade`.
 */
export const readTarTensors = (
  bytes: Uint8Array,
  storages: TarStorages,
  grade: (outcome: PickleOutcome) => void,
): TarTensors => {
  const byKey = new Map<string, TensorReading>();
  let at = 0;
  const next = (): PickleNode | undefined => {
    const outcome = runPickle(bytes, { start: at });
    grade(outcome);
    at = outcome.end;
    return outcome.root;
  };
  const count = integerOf(next());
  for (let number = 0n; count !== undefined && number < count; number += 1n) {
    const [key, storageKey] = itemsOf(next())?.map(integerOf) ?? [];
    const numbers = new Numbers(bytes, at);
    const geometry = key === undefined ? undefined : readGeometry(numbers);
    if (key === undefined || geometry === undefined) {
      return { byKey, complete: false };
    }
    at = numbers.at;
    byKey.set(String(key), tensorOf(storages, storageKey, geometry));
  }
  return { byKey, complete: count !== undefined };
};
