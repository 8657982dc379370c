import type { MenuCommand } from '../../../shared/api.ts';

/** A line of a menu: a command, a rule, or a submenu. */
export type MenuEntry = MenuCommand | '-' | 'recent' | 'columns';

/** The menu bar, left to right. */
export const MENUS: readonly { readonly title: string; readonly entries: readonly MenuEntry[] }[] = [
  {
    title: 'File',
    entries: [
      'open',
      'open-folder',
      'recent',
      'open-sample',
      '-',
      'export-f32',
      'export',
      'export-matching',
      'convert',
      '-',
      'close-tab',
    ],
  },
  {
    title: 'Edit',
    entries: ['copy-name', 'copy-json', 'copy-command', '-', 'copy-names', 'copy-tsv', '-', 'find'],
  },
  {
    title: 'View',
    entries: [
      'palette',
      '-',
      'toggle-tree',
      'toggle-details',
      'toggle-bottom',
      '-',
      'columns',
      '-',
      'theme-system',
      'theme-light',
      'theme-dark',
    ],
  },
  { title: 'Audit', entries: ['scan-all', 'cancel-scan', '-', 'next-finding'] },
  { title: 'Help', entries: ['shortcuts', 'about'] },
];

/** The commands of a tensor's context menu. */
export const TENSOR_MENU: readonly MenuEntry[] = [
  'export-f32',
  'export',
  'export-matching',
  '-',
  'copy-name',
  'copy-json',
  'copy-command',
];
