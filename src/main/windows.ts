import { BrowserWindow, type IpcMainEvent, ipcMain, screen } from 'electron';
import type { MenuCommand } from '../shared/api.ts';
import { PORT_REQUEST } from '../shared/port-names.ts';
import { LoupeWindow, type LoupeWindowOptions } from './loupe-window.ts';
import type { Settings } from './settings.ts';
import { placeWindow } from './window-state.ts';

/** How far a further window is moved from where the last one was left, in pixels. */
const CASCADE = 28;
const STATE_KEY = 'window';

/** All windows of the program. */
export interface Windows {
  /** Makes a window that opens these files. */
  create(paths: readonly string[]): LoupeWindow;
  /** Opens files in the window used last; makes one when there is none. Brings it to the front. */
  openPaths(paths: readonly string[]): void;
  /** Sends a menu's command to the window used last; makes one when there is none. */
  send(command: MenuCommand): void;
  count(): number;
}

/** What all windows have in common. */
export type WindowsOptions = Omit<LoupeWindowOptions, 'bounds' | 'maximized'> & {
  readonly settings: Settings;
  /** A page could not be loaded. */
  readonly onFailure: (error: unknown) => void;
};

/** Starts keeping windows, and answers their pages' requests for a port. Must run after the application is ready. */
export const createWindows = (options: WindowsOptions): Windows => {
  const open = new Set<LoupeWindow>();

  const latest = (): LoupeWindow | undefined => {
    const focused = BrowserWindow.getFocusedWindow();
    const all = [...open];
    return all.find(({ browser }) => browser === focused) ?? all.at(-1);
  };

  const create = (paths: readonly string[]): LoupeWindow => {
    const screens = screen.getAllDisplays().map(({ workArea }) => workArea);
    const { bounds, maximized } = placeWindow(options.settings.get(STATE_KEY), screens);
    const shift = open.size * CASCADE;
    const moved =
      bounds.x === undefined || bounds.y === undefined
        ? bounds
        : { ...bounds, x: bounds.x + shift, y: bounds.y + shift };
    const window = new LoupeWindow({ ...options, bounds: moved, maximized: maximized && open.size === 0 }, paths);
    open.add(window);
    window.browser.on('focus', () => {
      // The one used last goes last.
      open.delete(window);
      open.add(window);
    });
    window.browser.on('close', () => options.settings.set(STATE_KEY, window.state()));
    window.browser.on('closed', () => open.delete(window));
    window.load().catch(options.onFailure);
    return window;
  };

  ipcMain.on(PORT_REQUEST, (event: IpcMainEvent) => {
    [...open].some((window) => window.connect(event));
  });

  return {
    create,
    openPaths: (paths) => {
      const window = latest();
      if (window === undefined) {
        create(paths);
      } else {
        window.openPaths(paths);
        window.focus();
      }
    },
    send: (command) => (latest() ?? create([])).emit('menuCommand', { command }),
    count: () => open.size,
  };
};
