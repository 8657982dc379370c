/** A read-only mapping of a whole file into this process's memory. */
export interface Mapping {
  /**
   * Whether a copy from pages that are gone answers false. Where it does not, such a copy would end the process, and the
   * caller must check the file's size right before each one.
   */
  readonly faultsSafely: boolean;
  /**
   * Copies `target.byteLength` bytes at `offset` into `target`. The range must lie inside the mapping.
   *
   * @returns false when the pages are no longer there, because the file shrank.
   */
  copy(offset: number, target: Uint8Array): boolean;
  /** Unmaps. Must be called once. */
  unmap(): void;
}

/** A file to map: POSIX maps the descriptor, Windows opens the path again. */
export interface MappableFile {
  readonly descriptor: number;
  readonly path: string;
}

/** Maps files on one kind of system. */
export interface Mapper {
  /** Maps the first `length` > 0 bytes; undefined when the system refuses. */
  map(file: MappableFile, length: number): Mapping | undefined;
}
