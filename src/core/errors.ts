import { type ErrorDetails, LoupeError } from '../shared/errors.ts';
import type { Finding } from '../shared/findings.ts';

/** A read that does not lie wholly inside its source. Code `out-of-range`; nothing was read. */
export class OutOfRangeError extends LoupeError {
  override readonly name = 'OutOfRangeError';

  constructor(source: string, offset: number, length: number, size: number) {
    super('out-of-range', `${length} bytes at offset ${offset} do not lie inside ${source}, which has ${size} bytes`, {
      source,
      offset,
      length,
      size,
    });
  }
}

/** The checkpoint or source was closed before this read. Code `closed`. */
export class ClosedError extends LoupeError {
  override readonly name = 'ClosedError';

  constructor(what: string) {
    super('closed', `${what} is closed`);
  }
}

/** The file shrank, was replaced or was written to while it was open. Code `file-changed`. */
export class FileChangedError extends LoupeError {
  override readonly name = 'FileChangedError';

  constructor(message: string, details: ErrorDetails = {}) {
    super('file-changed', message, details);
  }
}

/** The path is not something that can be opened as a file. Codes `not-found`, `not-a-file`, `not-permitted`, `io`. */
export class OpenFileError extends LoupeError {
  override readonly name = 'OpenFileError';
}

/** The file is damaged or no checkpoint: what strict opening throws. `code` is the finding's code. */
export class CheckpointError extends LoupeError {
  override readonly name = 'CheckpointError';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.code, `${finding.file}: ${finding.message}`, {
      file: finding.file,
      tensor: finding.tensor,
      offset: finding.offset,
    });
    this.finding = finding;
  }
}

/** A tensor that was asked for and is not there, or is there more than once. Codes `no-such-tensor`, `ambiguous-name`. */
export class TensorLookupError extends LoupeError {
  override readonly name = 'TensorLookupError';
}

/** A tensor whose bytes or values cannot be had. Code `unreadable-tensor`; the message says why. */
export class UnreadableTensorError extends LoupeError {
  override readonly name = 'UnreadableTensorError';

  constructor(tensor: string, why: string) {
    super('unreadable-tensor', `tensor "${tensor}" cannot be read: ${why}`, { tensor, why });
  }
}

/** A slice or range that does not fit its tensor. Code `bad-slice`. */
export class SliceError extends LoupeError {
  override readonly name = 'SliceError';

  constructor(message: string, details: ErrorDetails = {}) {
    super('bad-slice', message, details);
  }
}
