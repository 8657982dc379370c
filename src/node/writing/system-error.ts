import { LoupeError } from '../../shared/errors.ts';

/** The system's code of an error, such as `ENOSPC`; empty when it has none. */
export const systemCode = (fault: unknown): string =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : '';

/** A file that is there already and was not to be replaced. */
export const fileExists = (path: string, cause?: unknown): LoupeError =>
  new LoupeError('file-exists', `${path} exists already; nothing was written`, { path }, { cause });

/** An error of writing to `path` as this project's own: `file-exists` or `write-failed`. Its own errors stay what they are. */
export const writeError = (path: string, cause: unknown): LoupeError => {
  if (cause instanceof LoupeError) {
    return cause;
  }
  const system = systemCode(cause);
  if (system === 'EEXIST') {
    return fileExists(path, cause);
  }
  const reason = system === 'ENOSPC' ? 'the disk is full' : cause instanceof Error ? cause.message : String(cause);
  return new LoupeError('write-failed', `${path} was not written: ${reason}`, { path, system }, { cause });
};

/** For what is being tidied up after another error: that one is the one to report. */
export const ignoreFault = (): undefined => undefined;
