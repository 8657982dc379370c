/**
 * A run of bytes that can be read at any offset: a mapped file, a positioned file, memory, a page's file, HTTP ranges.
 *
 * Implement this to open checkpoints from anywhere. A source answers at once or later; readers await it either way.
 */
export interface ByteSource {
  /** Base name for messages and findings. */
  readonly name: string;
  /** Bytes in the source when it was opened. */
  readonly size: number;
  /**
   * Fills `target` with the bytes at `offset`. Callers go through {@link readInto}, which has already checked that the
   * range lies inside `size`.
   *
   * @throws FileChangedError when the bytes are no longer there; ClosedError after `close`. Never fills partly and returns.
   */
  read(offset: number, target: Uint8Array): void | Promise<void>;
  /** Lets go of the file or memory. Closing twice is harmless. */
  close(): void;
}
