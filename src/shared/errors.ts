/** Plain values that may accompany an error: what was expected, what was found, where. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * The one class every error this project throws on purpose derives from.
 *
 * `code` is stable and meant for programs; `message` is one plain sentence for people.
 * A code that equals a finding code (see `findings.ts`) means the same fault.
 */
export class LoupeError extends Error {
  override readonly name: string = 'LoupeError';
  readonly code: string;
  readonly details: ErrorDetails;

  constructor(code: string, message: string, details: ErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** Whether `value` is one of this project's own errors. */
export const isLoupeError = (value: unknown): value is LoupeError => value instanceof LoupeError;

/** The work was cancelled by whoever asked for it. Code `cancelled`. */
export class CancelledError extends LoupeError {
  override readonly name = 'CancelledError';

  constructor(what = 'the work') {
    super('cancelled', `${what} was cancelled`);
  }
}

/**
 * Throws {@link CancelledError} when the signal has been aborted.
 *
 * @throws CancelledError
 */
export const throwIfAborted = (signal: AbortSignal | undefined, what?: string): void => {
  if (signal?.aborted) {
    throw new CancelledError(what);
  }
};
