import { resolve } from 'node:path';
import { METADATA_KEY } from '../../core/formats/safetensors/scan-header.ts';
import { type HeaderTensor, tensorBytes } from '../../core/formats/safetensors/write-header.ts';
import { quoteName } from '../../core/quote-name.ts';
import { Tensor } from '../../core/tensor/tensor.ts';
import { type Chunks, PIECE_BYTES } from '../../core/writing/exact-chunks.ts';
import { planSafetensors, safetensorsChunks } from '../../core/writing/plan-safetensors.ts';
import { typedArrayBytes } from '../../core/writing/typed-array-bytes.ts';
import type { Int } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import { writeAtomically } from './atomic-file.ts';

/**
 * A tensor's values, row-major and little-endian: a typed array of its elements, a `Uint8Array` of its bytes, or pieces of
 * its bytes of any size, as an iterable or a function that makes one.
 */
export type TensorData = ArrayBufferView | Chunks | (() => Chunks);

/** How a file is written. */
export interface WriteOptions {
  /** The header's `__metadata__`. Left out, there is none. Keys are written sorted by their UTF-8 bytes. */
  readonly metadata?: Readonly<Record<string, string>> | ReadonlyMap<string, string> | undefined;
  /** Replace a file that is there already; otherwise `finish` refuses with `file-exists`. */
  readonly overwrite?: boolean | undefined;
  /** Aborting it makes `finish` throw CancelledError and leave everything as it was. */
  readonly signal?: AbortSignal | undefined;
  /** Called by `finish` after each piece: bytes of the file written so far, of how many. */
  readonly onProgress?: ((bytesDone: number, bytesTotal: number) => void) | undefined;
}

/** What `finish` wrote. */
export interface FinishedFile {
  /** Absolute path. */
  readonly path: string;
  /** Bytes of the file. */
  readonly bytes: number;
}

interface Entry extends HeaderTensor {
  readonly data: () => Chunks;
}

const chunksOf = (name: string, dtype: string, bytes: number, data: TensorData): (() => Chunks) => {
  if (typeof data === 'function') {
    return data;
  }
  if (!ArrayBuffer.isView(data)) {
    return () => data;
  }
  const whole = typedArrayBytes(name, dtype, data);
  if (whole.byteLength !== bytes) {
    const message = `the data given for tensor ${quoteName(name)} has ${whole.byteLength} bytes; its dtype and shape need ${bytes}`;
    throw new LoupeError('size-mismatch', message, { name, expected: bytes, found: whole.byteLength });
  }
  return () => [whole];
};

const textMap = (metadata: WriteOptions['metadata']): ReadonlyMap<string, string> | undefined => {
  if (metadata === undefined) {
    return undefined;
  }
  const isMap = (value: object): value is ReadonlyMap<string, string> => value instanceof Map;
  const map = isMap(metadata) ? new Map(metadata) : new Map(Object.entries(metadata));
  for (const [key, value] of map) {
    if (typeof value !== 'string') {
      throw new LoupeError('metadata-not-strings', `the metadata value of ${quoteName(key)} is no string`, { key });
    }
  }
  return map;
};

/** A safetensors file in the making. Nothing is on the disk before {@link finish}. */
export class SafetensorsFile {
  readonly #path: string;
  readonly #options: WriteOptions;
  readonly #metadata: ReadonlyMap<string, string> | undefined;
  readonly #entries = new Map<string, Entry>();
  #finished = false;

  /** @throws LoupeError `metadata-not-strings` */
  constructor(path: string, options: WriteOptions = {}) {
    this.#path = resolve(path);
    this.#options = options;
    this.#metadata = textMap(options.metadata);
  }

  /**
   * Adds a tensor. Its name, dtype, shape and, of an array, length are checked here; its bytes are taken by {@link finish},
   * so an array must not change until then, and a tensor's checkpoint must stay open.
   *
   * @param name any text but `__metadata__`; unique in the file.
   * @param dtype a dtype of safetensors, such as `BF16`.
   * @param shape logical element counts, outermost first; `[]` is a scalar.
   * @param data see {@link TensorData}. A typed array must be of the dtype's own kind: `Float32Array` for F32 (and C64, two
   *   an element), `Uint16Array` for U16 and for the bits of F16 and BF16, `Uint8Array` for the bytes of any dtype.
   * @throws LoupeError `duplicate-name`, `reserved-name`, `unknown-dtype`, `dtype-mismatch`, `size-mismatch`,
   *   `field-invalid`, `shape-overflow`, `size-not-whole-bytes`; `finished` after finish.
   */
  add(name: string, dtype: string, shape: readonly Int[], data: TensorData): this;
  /**
   * Adds a tensor of an open checkpoint as it is, under its own name or another.
   *
   * @throws as above; UnreadableTensorError by {@link finish}.
   */
  add(tensor: Tensor, name?: string): this;
  add(first: string | Tensor, second?: string, shape?: readonly Int[], data?: TensorData): this {
    if (this.#finished) {
      throw new LoupeError('finished', 'the file was finished; no tensor can be added', { path: this.#path });
    }
    if (first instanceof Tensor) {
      const pieces = (): Chunks => first.rawPieces(PIECE_BYTES);
      return this.#add(second ?? first.name, first.dtype, first.shape, pieces);
    }
    if (second === undefined || shape === undefined || data === undefined) {
      throw new LoupeError('usage', 'add(name, dtype, shape, data) or add(tensor, name?)');
    }
    return this.#add(first, second, shape, data);
  }

  /**
   * Writes the file, byte for byte as the reference library would: tensors sorted by dtype and name, whatever the order they
   * were added in. It appears at its path whole or not at all.
   *
   * @throws CancelledError; LoupeError `bad-name` for half a surrogate pair, `size-mismatch` when pieces come to too few or too many bytes, `file-exists`,
   *   `write-failed`, `header-over-cap`, `finished` when called twice; whatever the data throw.
   */
  async finish(): Promise<FinishedFile> {
    if (this.#finished) {
      throw new LoupeError('finished', 'the file was finished already', { path: this.#path });
    }
    this.#finished = true;
    const { overwrite, signal, onProgress } = this.#options;
    const plan = planSafetensors([...this.#entries.values()], this.#metadata);
    let done = 0;
    const bytes = await writeAtomically(
      this.#path,
      { overwrite, signal, what: 'the write' },
      async (target): Promise<void> => {
        for await (const chunk of safetensorsChunks(plan, ({ data }) => data())) {
          await target.write(chunk);
          done += chunk.byteLength;
          onProgress?.(done, plan.fileBytes);
        }
      },
    );
    return { path: this.#path, bytes };
  }

  #add(name: string, dtype: string, shape: readonly Int[], data: TensorData): this {
    if (name === METADATA_KEY) {
      throw new LoupeError('reserved-name', `no tensor can be named "${METADATA_KEY}"`);
    }
    if (this.#entries.has(name)) {
      throw new LoupeError('duplicate-name', `a tensor named ${quoteName(name)} was added already`, { name });
    }
    const bytes = tensorBytes(name, dtype, shape);
    this.#entries.set(name, { name, dtype, shape: [...shape], bytes, data: chunksOf(name, dtype, bytes, data) });
    return this;
  }
}

/**
 * Begins a safetensors file. Add tensors, then `await file.finish()`; nothing touches the disk before that. Tensors of any
 * size are streamed: memory holds one piece of about 1 MiB.
 *
 * ```ts
 * const file = write('small.safetensors', { metadata: { format: 'pt' } });
 * file.add('bias', 'F32', [3], Float32Array.of(1, 2, 3));
 * file.add(checkpoint.get('lm_head.weight'));
 * const { bytes } = await file.finish();
 * ```
 *
 * @throws LoupeError `metadata-not-strings`
 */
export const write = (path: string, options: WriteOptions = {}): SafetensorsFile => new SafetensorsFile(path, options);
