import { isLoupeError } from '../../shared/errors.ts';

/** What went wrong, in words for the person looking: what happened and what can be done. */
export interface Failure {
  readonly code: string;
  readonly what: string;
  readonly next: string;
}

const NEXT: Readonly<Record<string, string>> = {
  'not-found': 'Check that the file still exists and that its path is right.',
  'file-changed': 'Open the file again to see it as it is now.',
  closed: 'Open the file again.',
  'wire-closed': 'Reconnect to the service; your tabs will open again.',
  'no-such-value': 'Open the file again: it is not the one this tree was read from.',
  'too-many-values': 'Show fewer values at once.',
  'file-exists': 'Choose another name, or allow it to be replaced.',
  'write-failed': 'Check that there is room and that the folder may be written to, or choose another place.',
  'not-permitted': 'Choose a place inside the folders this program may use.',
  'no-such-tensor': 'Change the patterns so that something matches.',
  'unreadable-tensor': 'Leave it out and try again, or download the file again.',
  'duplicate-name': 'Leave the name out, or export one of them by itself.',
  'folder-dropped': 'Drop its files one by one, or choose it with File → Open Folder….',
  'bad-params': 'This is a fault of the program; please report it.',
  'unknown-method': 'The service is of another version than this page: restart it.',
  internal: 'This is a fault of the program; please report it.',
};

/** Describes an error that a call of the service ended with. */
export const describeFailure = (error: unknown): Failure => {
  if (isLoupeError(error)) {
    return { code: error.code, what: error.message, next: NEXT[error.code] ?? 'Try again, or open the file anew.' };
  }
  const what = error instanceof Error ? error.message : String(error);
  return { code: 'internal', what, next: 'Try again; if it stays, please report it.' };
};

/** Whether an error only says that somebody cancelled. */
export const isCancelled = (error: unknown): boolean =>
  (isLoupeError(error) && error.code === 'cancelled') || (error instanceof DOMException && error.name === 'AbortError');
