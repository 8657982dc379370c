import { closeSync, fstatSync } from 'node:fs';
import { basename } from 'node:path';
import { ClosedError, FileChangedError } from '../../core/errors.ts';
import { type FileIdentity, openRegularFile } from './regular-file.ts';

/** An open regular file that notices when its bytes are no longer those it was opened with. */
export class WatchedFile {
  readonly path: string;
  readonly name: string;
  readonly identity: FileIdentity;
  readonly #modifiedMs: number;
  #descriptor: number | undefined;

  /** @throws OpenFileError */
  constructor(path: string) {
    const { descriptor, identity } = openRegularFile(path);
    this.path = path;
    this.name = basename(path);
    this.identity = identity;
    this.#modifiedMs = fstatSync(descriptor).mtimeMs;
    this.#descriptor = descriptor;
  }

  /** @throws ClosedError */
  get descriptor(): number {
    if (this.#descriptor === undefined) {
      throw new ClosedError(this.name);
    }
    return this.#descriptor;
  }

  /**
   * Checks that the file still has the size and the modification time it was opened with. Called after each read: what was
   * read is only handed on when the file was still whole then, so bytes behind a new end are never taken for zeros.
   *
   * @throws FileChangedError; ClosedError
   */
  checkUnchanged(): void {
    const { size, mtimeMs } = fstatSync(this.descriptor);
    if (size < this.identity.size) {
      throw new FileChangedError(`${this.name} shrank from ${this.identity.size} to ${size} bytes while it was open`, {
        file: this.name,
        expected: this.identity.size,
        found: size,
      });
    }
    if (size !== this.identity.size || mtimeMs !== this.#modifiedMs) {
      throw new FileChangedError(`${this.name} was written to while it was open; open it again`, {
        file: this.name,
        expected: this.identity.size,
        found: size,
      });
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) {
      const descriptor = this.#descriptor;
      this.#descriptor = undefined;
      closeSync(descriptor);
    }
  }
}
