import { readFile, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { cacheControl, mimeType, pageFileSegments } from '../shared/page-policy.ts';

/** One file of the page, ready to be sent. */
export interface PageFile {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly cacheControl: string;
}

/**
 * Reads a file of the built page. Undefined when the URL's path names none: outside `folder`, through a link that leads
 * out of it, a folder, or nothing at all.
 *
 * @param folder Where the built page lies (`out/renderer`).
 * @param urlPath Path of the URL without query, as it was sent.
 */
export const readPageFile = async (folder: string, urlPath: string): Promise<PageFile | undefined> => {
  const segments = pageFileSegments(urlPath);
  if (segments === undefined) {
    return undefined;
  }
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, ...segments));
    if (!file.startsWith(root + sep)) {
      return undefined;
    }
    return { bytes: await readFile(file), type: mimeType(file), cacheControl: cacheControl(segments) };
  } catch {
    // Missing, a folder, unreadable: for a page all of them are "not found".
    return undefined;
  }
};
