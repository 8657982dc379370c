import type { Page } from 'playwright-core';

/** What a dialog of the system was asked to show. */
export interface ShownDialog {
  readonly kind: 'open' | 'save';
  readonly options: Readonly<Record<string, unknown>>;
}

/** The desktop program while it runs, under the stand-in or under Electron itself, with the test in place of the person. */
export interface DesktopApp {
  readonly shell: 'stand-in' | 'electron';
  /** Pages of the windows there are, oldest first. */
  pages(): readonly Page[];
  /** Clicks a line of the native menu by its labels. */
  clickMenu(...labels: readonly string[]): Promise<void>;
  /** What the next open dialogs are answered with; undefined dismisses them. */
  answerOpen(path: string | undefined): Promise<void>;
  /** What the next save dialogs are answered with; undefined dismisses them. */
  answerSave(path: string | undefined): Promise<void>;
  shownDialogs(): Promise<readonly ShownDialog[]>;
  /** Drops files or folders of this computer on a page. */
  drop(page: Page, paths: readonly string[]): Promise<void>;
  /** The system asks to open a file, as macOS does. */
  openFile(path: string): Promise<void>;
  /** Starts the program a second time with these files. */
  startAgain(paths: readonly string[]): Promise<void>;
  clipboardText(page: Page): Promise<string>;
  /** Makes a further window with the program's preload that shows a page of somebody else's. */
  foreignWindow(url: string): Promise<Page>;
  /** Sends no link to a browser from now on; answers what would have been. */
  openedLinks(): Promise<readonly string[]>;
  /** Resolves with the exit code when the program has ended. */
  readonly ended: Promise<number | null>;
  /** Ends it, whatever state it is in, and removes what it left. */
  stop(): Promise<void>;
}

/** How it is started. */
export interface DesktopOptions {
  /** Files on the command line. */
  readonly files?: readonly string[];
  /** Folder of settings; one of its own, removed afterwards, unless told. */
  readonly settings?: string;
}
