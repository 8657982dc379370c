import { type FileHandle, open } from 'node:fs/promises';
import type { ByteSource } from '../../core/bytes/byte-source.ts';
import { FileChangedError } from '../../core/errors.ts';
import { fileReference } from '../scan/scan-tensors.ts';
import type { FileIdentity } from '../sources/regular-file.ts';
import { ignoreFault } from './system-error.ts';

const isSame = async (handle: FileHandle, { size, modified, inode, device }: FileIdentity): Promise<boolean> => {
  const now = await handle.stat({ bigint: true });
  return now.size === BigInt(size) && now.mtimeNs === modified && now.ino === inode && now.dev === device;
};

const changed = (name: string): FileChangedError =>
  new FileChangedError(`${name} was written to or cut while it was read; open it again`, { file: name });

const openSame = async (path: string, identity: FileIdentity): Promise<FileHandle | undefined> => {
  const handle = await open(path, 'r').catch(ignoreFault);
  if (handle !== undefined && !(await isSame(handle, identity))) {
    await handle.close();
    return undefined;
  }
  return handle;
};

/** A source for reading gigabytes once, front to back. Must be closed. */
export interface StreamedSource {
  readonly source: ByteSource;
  close(): Promise<void>;
}

/**
 * The same file as a source's, read for itself and without ever holding up the calling thread: a mapping would fault pages in
 * from a slow disk in the middle of the event loop, and every page it touched would count as this process's memory. Sources
 * that are no files, and files that are no longer at their path, are read as they are.
 */
export const streamedSource = async (source: ByteSource): Promise<StreamedSource> => {
  const file = fileReference(source);
  const handle = file === undefined ? undefined : await openSame(file.path, file.identity);
  if (file === undefined || handle === undefined) {
    return { source, close: async () => undefined };
  }
  const read = async (offset: number, target: Uint8Array): Promise<void> => {
    for (let done = 0; done < target.byteLength; ) {
      const { bytesRead } = await handle.read(target, done, target.byteLength - done, offset + done);
      if (bytesRead === 0) {
        throw changed(source.name);
      }
      done += bytesRead;
    }
    // What was read counts only if the file was still the same afterwards.
    if (!(await isSame(handle, file.identity))) {
      throw changed(source.name);
    }
  };
  return {
    source: { name: source.name, size: source.size, read, close: () => undefined },
    close: () => handle.close(),
  };
};

/** Streamed sources of a checkpoint's files, one open at a time: tensors are mostly read file by file. */
export class StreamedFiles {
  readonly #sources: readonly ByteSource[];
  #open: { readonly file: number; readonly streamed: StreamedSource } | undefined;

  constructor(sources: readonly ByteSource[]) {
    this.#sources = sources;
  }

  /** The source of the file with this index, good until another is asked for; undefined when there is no such file. */
  async of(file: number): Promise<ByteSource | undefined> {
    if (this.#open?.file !== file) {
      await this.close();
      const source = this.#sources[file];
      if (source === undefined) {
        return undefined;
      }
      this.#open = { file, streamed: await streamedSource(source) };
    }
    return this.#open?.streamed.source;
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.streamed.close();
  }
}
