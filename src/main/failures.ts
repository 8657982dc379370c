import { app, BrowserWindow, dialog, type WebContents } from 'electron';
import { elideMiddle, escapeText } from '../shared/escape-text.ts';

const text = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Keeps the lines of a stack, and nothing else a terminal would act on. */
const escapeLines = (stack: string): string => stack.split('\n').map(escapeText).join('\n');

/** Longest text of an error in a dialog, in characters. */
const LONGEST = 500;

/** What went wrong, for a dialog: it may quote a file, so hidden characters are escapes, and the middle is cut. */
const told = (error: unknown): string =>
  elideMiddle(escapeText(error instanceof Error ? error.message : String(error)), LONGEST);

/** Shows an error of the main process, one at a time: an error that repeats must not bury the screen in dialogs. */
export const createFailureReport = (): ((error: unknown) => void) => {
  let showing = false;
  return (error) => {
    process.stderr.write(`${escapeLines(text(error))}\n`);
    if (!showing) {
      showing = true;
      dialog.showErrorBox(
        'Tensor Loupe has run into an error',
        `${told(error)}\n\n` +
          'No file was changed. What is on screen may be stale: if something does not answer, start the program again.',
      );
      showing = false;
    }
  };
};

/** Asks what to do about a page that has died or hangs. Reloads it or closes its window. */
const askAboutPage = async (contents: WebContents, message: string, detail: string, stay: string | undefined) => {
  const window = BrowserWindow.fromWebContents(contents);
  if (window === null) {
    return;
  }
  const buttons = ['Reload', ...(stay === undefined ? [] : [stay]), 'Close Window'];
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message,
    detail,
    buttons,
    defaultId: 0,
    cancelId: stay === undefined ? 0 : 1,
  });
  if (window.isDestroyed()) {
    return;
  }
  if (buttons[response] === 'Reload') {
    contents.reload();
  } else if (buttons[response] === 'Close Window') {
    window.destroy();
  }
};

/**
 * Tells the person about everything that goes wrong where nobody waits for an answer: errors of the main process, pages that
 * crash or hang, helper processes that end.
 */
export const reportFailures = (report: (error: unknown) => void): void => {
  process.on('uncaughtException', report);
  process.on('unhandledRejection', report);
  app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit') {
      askAboutPage(contents, 'This window has crashed', `Reason: ${reason} (exit code ${exitCode}).`, undefined).catch(
        report,
      );
    }
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') {
      process.stderr.write(`${type} process gone: ${reason} (exit code ${exitCode})\n`);
    }
  });
  app.on('web-contents-created', (_event, contents) => {
    contents.on('unresponsive', () => {
      askAboutPage(contents, 'This window does not answer', 'It may be busy; waiting loses nothing.', 'Wait').catch(
        report,
      );
    });
  });
};
