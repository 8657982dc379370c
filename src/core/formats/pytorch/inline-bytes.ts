import type { ByteSource } from '../../bytes/byte-source.ts';
import { type GrowableU8, growableU8 } from '../../tensor/growable.ts';
import { latin1Bytes } from '../pickle/node-values.ts';
import type { InnerSources } from './inner-source.ts';
import type { BytesInside } from './storage-reference.ts';
import { type MissingStorage, type PlacedStorage, type Reached, unionBytes } from './storages.ts';

/** A pickle's own bytes, and where they lie. */
export interface PickleStream {
  /** What the byte nodes are views of. */
  readonly bytes: Uint8Array;
  /** Name of the record, or of the file. */
  readonly name: string;
  /** The index among the table's files where its bytes are as they are, asked for when it is needed. */
  readonly file: () => number;
  /** Absolute byte there at which they begin. */
  readonly begin: number;
}

/** A source over bytes that are still being added. */
const growingSource = (name: string, bytes: GrowableU8): ByteSource => ({
  name,
  size: bytes.length,
  read: (offset, target) => bytes.read((written) => target.set(written.subarray(offset, offset + target.length))),
  close: () => undefined,
});

/**
 * Bytes that a pickle holds itself, such as those of numpy arrays. Where they stand in the stream as they are, they are read
 * from there; what the pickle writes in another way (as text, before protocol 3) is kept in memory, each text once, so that
 * all of it takes no more than the stream.
 */
export class InlineBytes {
  readonly #stream: PickleStream;
  readonly #inner: InnerSources;
  readonly #known = new Map<string | Uint8Array, PlacedStorage>();
  readonly #views: Reached[] = [];
  #pool: { readonly file: number; readonly bytes: GrowableU8 } | undefined;

  constructor(stream: PickleStream, inner: InnerSources) {
    this.#stream = stream;
    this.#inner = inner;
  }

  /** Where bytes lie, or those that a text stands for; undefined when it is no latin-1 text. */
  place(written: Uint8Array | string): PlacedStorage | undefined {
    if (typeof written === 'string' || written.buffer !== this.#stream.bytes.buffer) {
      return this.#known.get(written) ?? this.#keep(written);
    }
    const { bytes, file, begin } = this.#stream;
    const at = written.byteOffset - bytes.byteOffset;
    this.#views.push([at, at + written.length]);
    return { file: file(), begin: begin + at, bytes: written.length };
  }

  /** Where some of those bytes lie; see {@link place}. */
  placeInside({ written, begin, bytes }: BytesInside): PlacedStorage | MissingStorage {
    const placed = this.place(written);
    return placed === undefined
      ? { problem: 'its storage is written as a text with other characters than bytes have' }
      : { file: placed.file, begin: placed.begin + begin, bytes };
  }

  /** The sources of the table's files over the file itself, for reads while opening; those kept so far included. */
  sourcesOver(file: ByteSource): (index: number) => ByteSource {
    const others = this.#inner.sourcesOver(file);
    return (index) => (this.#pool?.file === index ? growingSource(this.#stream.name, this.#pool.bytes) : others(index));
  }

  /** Bytes that were placed, each counted once. */
  claimed(): number {
    return unionBytes(this.#views) + (this.#pool?.bytes.length ?? 0);
  }

  /** Hands over what was kept in memory; nothing is placed after that. */
  finish(): void {
    if (this.#pool !== undefined) {
      const { file, bytes } = this.#pool;
      this.#inner.replace(file, { kind: 'bytes', name: this.#stream.name, bytes: bytes.finish() });
    }
  }

  #keep(written: Uint8Array | string): PlacedStorage | undefined {
    const bytes = typeof written === 'string' ? latin1Bytes(written) : written;
    if (bytes === undefined) {
      return undefined;
    }
    this.#pool ??= {
      file: this.#inner.add({ kind: 'bytes', name: this.#stream.name, bytes: new Uint8Array() }),
      bytes: growableU8(),
    };
    const pool = this.#pool;
    const placed = { file: pool.file, begin: pool.bytes.length, bytes: bytes.length };
    pool.bytes.append(bytes.length, (room) => {
      room.set(bytes);
      return bytes.length;
    });
    this.#known.set(written, placed);
    return placed;
  }
}
