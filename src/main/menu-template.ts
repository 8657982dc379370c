import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../shared/api.ts';
import { elideMiddle, escapeText } from '../shared/escape-text.ts';
import { MENU_BAR, type MenuEntry, type MenuPart } from './menu-table.ts';

/** What the menu's lines do, and what they depend on. */
export interface MenuContext {
  readonly platform: NodeJS.Platform;
  /** Adds the developer tools. */
  readonly development: boolean;
  /** Paths of recent files, newest first. */
  readonly recents: readonly string[];
  readonly send: (command: MenuCommand) => void;
  readonly openPath: (path: string) => void;
  readonly forgetRecents: () => void;
  readonly newWindow: () => void;
  readonly openLink: (url: string) => void;
}

/** Longest path a menu shows, in characters. */
const LABEL_LENGTH = 80;

/** A path as a menu's label: hidden characters as escapes, the middle cut, and no letter taken for a mnemonic. */
export const pathLabel = (path: string): string => elideMiddle(escapeText(path), LABEL_LENGTH).replaceAll('&', '&&');

const recentsMenu = ({ recents, openPath, forgetRecents }: MenuContext): MenuItemConstructorOptions => ({
  label: 'Open Recent',
  enabled: recents.length > 0,
  submenu: [
    ...recents.map((path) => ({ label: pathLabel(path), click: () => openPath(path) })),
    { type: 'separator' },
    { label: 'Clear Recent Files', click: () => forgetRecents() },
  ],
});

const item = (entry: MenuEntry, context: MenuContext): MenuItemConstructorOptions => {
  switch (entry.kind) {
    case 'command': {
      const { command, label, accelerator } = entry;
      return {
        id: command,
        label,
        click: () => context.send(command),
        ...(accelerator === undefined ? {} : { accelerator }),
      };
    }
    case 'role': {
      const { kind: _, ...options } = entry;
      return options;
    }
    case 'link':
      return { label: entry.label, click: () => context.openLink(entry.url) };
    case 'new-window':
      return { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: () => context.newWindow() };
    case 'recents':
      return recentsMenu(context);
    case 'rule':
      return { type: 'separator' };
  }
};

const isMacOnlyTwin = (entry: MenuEntry, part: MenuPart): boolean =>
  part.only !== 'mac' &&
  ((entry.kind === 'role' && entry.role === 'quit') || (entry.kind === 'command' && entry.command === 'about'));

const submenu = (part: MenuPart, context: MenuContext): MenuItemConstructorOptions => {
  const isMac = context.platform === 'darwin';
  // Quit and About stand in the application's own menu on a Mac.
  const entries = part.entries.filter((entry) => !(isMac && isMacOnlyTwin(entry, part)));
  const lines = entries.map((entry) => item(entry, context));
  const extra: MenuItemConstructorOptions[] =
    part.label === 'View' && context.development ? [{ type: 'separator' }, { role: 'toggleDevTools' }] : [];
  return {
    label: part.label,
    ...(part.role === undefined ? {} : { role: part.role }),
    submenu: [...lines, ...extra],
  };
};

/** The native menu bar of a platform. */
export const menuTemplate = (context: MenuContext): MenuItemConstructorOptions[] =>
  MENU_BAR.filter(({ only }) => only === undefined || context.platform === 'darwin').map((part) =>
    submenu(part, context),
  );
