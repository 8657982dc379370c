import type { ByteSource } from '../../bytes/byte-source.ts';
import { memorySource } from '../../bytes/memory-source.ts';
import type { TensorTableData } from '../../tensor/tensor-table.ts';
import type { ZipMember } from '../zip/zip-types.ts';
import { inflatedSource } from './inflated-source.ts';

/**
 * Bytes that do not lie in a file as they are: a compressed member of an archive, or what a pickle writes as text. Plain data,
 * safe to send to another thread.
 */
export type InnerSource =
  | { readonly kind: 'member'; readonly name: string; readonly member: ZipMember }
  | { readonly kind: 'bytes'; readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> };

/** Makes the source of its bytes, over the file it is inside of. */
export const openInner = (inner: InnerSource, file: ByteSource): ByteSource =>
  inner.kind === 'member' ? inflatedSource(file, inner.member) : memorySource(inner.bytes, inner.name);

/** A file's table with the sources inside that file, whose offsets are none of the file's own. */
export const withInnerFiles = (data: TensorTableData, { list }: InnerSources): TensorTableData => {
  const [file = ''] = data.files;
  return { ...data, files: [file, ...list.map(() => file)], inside: new Set(list.map((_, index) => index + 1)) };
};

/** The sources inside one file, in the order of the table's files, where number 0 is the file itself. */
export class InnerSources {
  readonly #list: InnerSource[] = [];

  get list(): readonly InnerSource[] {
    return this.#list;
  }

  /** Adds one; returns its index in the table's files. */
  add(inner: InnerSource): number {
    return this.#list.push(inner);
  }

  /** The sources of the table's files over the file itself, each made once and never closed: for reads while opening. */
  sourcesOver(file: ByteSource): (index: number) => ByteSource {
    const opened = new Map<number, ByteSource>([[0, file]]);
    return (index) => {
      const inner = this.#list[index - 1];
      const known = opened.get(index);
      if (known !== undefined || inner === undefined) {
        return known ?? file;
      }
      const source = openInner(inner, file);
      opened.set(index, source);
      return source;
    };
  }

  /** Puts another in the place of one that was added. */
  replace(file: number, inner: InnerSource): void {
    this.#list[file - 1] = inner;
  }
}
