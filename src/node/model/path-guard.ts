/**
 * Judges a file just before it is opened: a folder's file and a model's shards may be links that lead anywhere.
 *
 * @throws LoupeError when it may not be opened.
 */
export type PathGuard = (path: string) => Promise<unknown>;

/** Lets every file be opened. */
export const anyPath: PathGuard = async () => undefined;
