import { buildHeader, type HeaderTensor } from '../formats/safetensors/write-header.ts';
import { type Chunks, exactChunks } from './exact-chunks.ts';

/** A safetensors file before any of its tensors' bytes has been read. */
export interface SafetensorsPlan<T extends HeaderTensor> {
  /** Everything before the tensors' bytes. */
  readonly prefix: Uint8Array<ArrayBuffer>;
  /** The tensors in the order of their bytes: falling dtype rank, then name (FORMATS.md 1.7). */
  readonly order: readonly T[];
  /** Bytes of the whole file. */
  readonly fileBytes: number;
}

/**
 * Plans a file that holds these tensors, byte for byte as the reference would write it. Pure: reads and writes nothing.
 *
 * @throws as {@link buildHeader}.
 */
export const planSafetensors = <T extends HeaderTensor>(
  tensors: readonly T[],
  metadata?: ReadonlyMap<string, string>,
): SafetensorsPlan<T> => {
  const { prefix, order, dataBytes } = buildHeader(tensors, metadata);
  return { prefix, order, fileBytes: prefix.byteLength + dataBytes };
};

/**
 * The bytes of a planned file, streamed: each tensor's bytes are asked for when its turn comes, and no more than one piece
 * is held.
 *
 * @param chunksOf the bytes of one tensor, row-major and little-endian, in pieces of any size.
 * @throws LoupeError `size-mismatch` when a tensor's bytes are not as many as planned; whatever `chunksOf` throws.
 */
export async function* safetensorsChunks<T extends HeaderTensor>(
  plan: SafetensorsPlan<T>,
  chunksOf: (tensor: T) => Chunks,
): AsyncGenerator<Uint8Array> {
  yield plan.prefix;
  for (const tensor of plan.order) {
    yield* exactChunks(tensor.name, tensor.bytes, chunksOf(tensor));
  }
}
