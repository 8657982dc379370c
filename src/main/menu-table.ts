import type { MenuItemConstructorOptions } from 'electron';
import type { MenuCommand } from '../shared/api.ts';
import { EXTERNAL_LINKS } from './external-links.ts';

type Role = NonNullable<MenuItemConstructorOptions['role']>;

/** One line of a native menu. */
export type MenuEntry =
  | { readonly kind: 'command'; readonly command: MenuCommand; readonly label: string; readonly accelerator?: string }
  | { readonly kind: 'role'; readonly role: Role; readonly label?: string; readonly accelerator?: string }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | { readonly kind: 'new-window' }
  | { readonly kind: 'recents' }
  | { readonly kind: 'rule' };

/** One menu of the menu bar. */
export interface MenuPart {
  readonly label: string;
  readonly role?: Role;
  /** Left out: on every platform and in every build. */
  readonly only?: 'mac';
  readonly entries: readonly MenuEntry[];
}

const rule: MenuEntry = { kind: 'rule' };
const role = (name: Role): MenuEntry => ({ kind: 'role', role: name });
const command = (name: MenuCommand, label: string, accelerator?: string): MenuEntry => ({
  kind: 'command',
  command: name,
  label,
  ...(accelerator === undefined ? {} : { accelerator }),
});

/** The menu bar, left to right. Keys are those of the page's own shortcuts, which it shows in the browser version. */
export const MENU_BAR: readonly MenuPart[] = [
  {
    label: 'Tensor Loupe',
    only: 'mac',
    entries: [
      command('about', 'About Tensor Loupe'),
      rule,
      role('services'),
      rule,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      rule,
      role('quit'),
    ],
  },
  {
    label: 'File',
    entries: [
      command('open', 'Open…', 'CmdOrCtrl+O'),
      command('open-folder', 'Open Folder…', 'CmdOrCtrl+Shift+O'),
      { kind: 'recents' },
      command('open-sample', 'Open Sample'),
      { kind: 'new-window' },
      rule,
      command('export-f32', 'Export Tensor as f32…', 'CmdOrCtrl+E'),
      command('export', 'Export…', 'CmdOrCtrl+Shift+E'),
      command('export-matching', 'Export Matching…'),
      command('convert', 'Convert to safetensors…'),
      rule,
      command('close-tab', 'Close', 'CmdOrCtrl+W'),
      { kind: 'role', role: 'close', label: 'Close Window', accelerator: 'CmdOrCtrl+Shift+W' },
      role('quit'),
    ],
  },
  {
    label: 'Edit',
    entries: [
      role('undo'),
      role('redo'),
      rule,
      role('cut'),
      role('copy'),
      role('paste'),
      role('selectAll'),
      rule,
      command('copy-name', 'Copy Name'),
      command('copy-json', 'Copy as JSON'),
      command('copy-command', 'Copy as Command'),
      command('copy-names', 'Copy All Shown Names'),
      command('copy-tsv', 'Copy Table as TSV'),
      rule,
      command('find', 'Find…', 'CmdOrCtrl+F'),
    ],
  },
  {
    label: 'View',
    entries: [
      command('palette', 'Command Palette…', 'CmdOrCtrl+Shift+P'),
      rule,
      command('toggle-tree', 'Tree', 'CmdOrCtrl+B'),
      command('toggle-details', 'Details', 'CmdOrCtrl+Alt+B'),
      command('toggle-bottom', 'Bottom Panel', 'CmdOrCtrl+J'),
      rule,
      command('theme-system', 'Theme: System'),
      command('theme-light', 'Theme: Light'),
      command('theme-dark', 'Theme: Dark'),
      rule,
      role('resetZoom'),
      role('zoomIn'),
      role('zoomOut'),
      role('togglefullscreen'),
    ],
  },
  {
    label: 'Audit',
    entries: [
      command('scan-all', 'Scan All'),
      command('cancel-scan', 'Cancel Scan'),
      rule,
      command('next-finding', 'Next Finding', 'F8'),
    ],
  },
  { label: 'Window', role: 'window', only: 'mac', entries: [role('minimize'), role('zoom'), rule, role('front')] },
  {
    label: 'Help',
    role: 'help',
    entries: [
      command('shortcuts', 'Keyboard Shortcuts', 'CmdOrCtrl+/'),
      { kind: 'link', label: 'About the safetensors Format', url: EXTERNAL_LINKS.safetensors },
      { kind: 'link', label: 'About PyTorch Checkpoints', url: EXTERNAL_LINKS.pytorch },
      rule,
      command('about', 'About Tensor Loupe'),
    ],
  },
];
