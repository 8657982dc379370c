import type { MessagePort } from 'node:worker_threads';
import type * as Electron from 'electron';
import type { StandInWindow } from './browser-window.ts';

/** What a window shows its page with. Without one a window has no page, which is enough to test the main process alone. */
export interface View {
  /** Resolves once the page has loaded; rejects with the reason when it cannot be. */
  load(url: string): Promise<void>;
  reload(): void;
  /** Closes the page, because its window has closed. */
  close(): void;
  /** Brings the page to the front. */
  focus(): void;
  /** Hands a message to the preload's listeners in the main frame. */
  deliver(channel: string, message: unknown, ports: readonly MessagePort[]): void;
}

/** Makes the view of a window that has just been made. */
export type OpenView = (window: StandInWindow) => View;

/** An event that may be refused, with the URL it is about. */
export interface Refusable {
  readonly url: string;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

/** Makes such an event. */
export const refusable = (url = ''): Refusable => {
  let prevented = false;
  return {
    url,
    get defaultPrevented() {
      return prevented;
    },
    preventDefault: () => {
      prevented = true;
    },
  };
};

/** A handler of `webContents.setWindowOpenHandler`. */
export type OpenHandler = Parameters<Electron.WebContents['setWindowOpenHandler']>[0];
