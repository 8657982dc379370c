import type { ByteSource } from '../core/bytes/byte-source.ts';
import { ClosedError, FileChangedError } from '../core/errors.ts';
import type { PageApi } from '../shared/api.ts';

/** Longest range asked of a page at once, in bytes: a message of this size passes without a pause on either side. */
const LONGEST_RANGE = 4 * 1024 * 1024;

/** A file that was dropped on a page. */
export interface PageFile {
  /** The page's own number for it. */
  readonly fileId: number;
  readonly name: string;
  readonly size: number;
}

/**
 * A source over a file that only the page can read (R17): ranges are asked of the page as they are needed; nothing is
 * uploaded or copied whole.
 */
export const pageSource = (page: PageApi, { fileId, name, size }: PageFile): ByteSource => {
  const closed = new AbortController();
  return {
    name,
    size,
    read: async (offset, target) => {
      for (let done = 0; done < target.byteLength; ) {
        if (closed.signal.aborted) {
          throw new ClosedError(name);
        }
        const length = Math.min(target.byteLength - done, LONGEST_RANGE);
        const bytes = await page.readPageFile({ fileId, offset: offset + done, length }, closed.signal);
        if (!(bytes instanceof Uint8Array) || bytes.byteLength !== length) {
          throw new FileChangedError(`the page did not answer with ${length} bytes of ${name}`, { file: name });
        }
        target.set(bytes, done);
        done += length;
      }
    },
    close: () => closed.abort(),
  };
};
