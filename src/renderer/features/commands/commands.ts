import { MENU_COMMANDS, type MenuCommand } from '../../../shared/api.ts';
import type { TensorRow } from '../../../shared/checkpoint-types.ts';
import { type PanelName, type ThemeSetting, usePreferences } from '../../state/preferences.ts';
import { rowById } from '../../state/session.ts';
import { exportQuickly } from '../export/run-export.ts';
import { goToNextFinding } from '../findings/next-finding.ts';
import { selectedRows, shownRows } from '../table/shown-rows.ts';
import { folderPattern } from '../writing/selection.ts';
import { commandPath } from './command-path.ts';
import type { Command, CommandContext } from './command-types.ts';
import { tensorJson, tensorsTsv, writeClipboard } from './copy-text.ts';
import { headCommand } from './shell-quote.ts';

const selectedRow = ({ session }: CommandContext): TensorRow | undefined => {
  const state = session?.getState();
  return state === undefined ? undefined : rowById(state.rows, state.selectedId);
};

const hasTensor = (context: CommandContext): boolean => selectedRow(context) !== undefined;
const hasSession = ({ session }: CommandContext): boolean => session !== undefined;
const hasTensors = ({ session }: CommandContext): boolean => (session?.getState().summary.tensors ?? 0) > 0;
const isScanning = ({ session }: CommandContext): boolean => session?.getState().scan.state === 'running';

const copy = ({ workspace }: CommandContext, what: string, text: string): void => {
  writeClipboard(text).then(
    () => workspace.toasts.info(`Copied ${what}`),
    (error: unknown) => workspace.toasts.fail('Copying failed', error),
  );
};

/** The glob of the folder the table is narrowed to. */
const shownPattern = (session: CommandContext['session']): string | undefined => {
  const folder = session?.getState().folder;
  return folder === undefined ? undefined : folderPattern(folder.path);
};

const counted = (rows: readonly TensorRow[]): string => (rows.length === 1 ? 'the name' : `${rows.length} names`);

const panel = (name: PanelName): Pick<Command, 'checked' | 'run'> => ({
  checked: () => usePreferences.getState().panels[name],
  run: () => usePreferences.getState().togglePanel(name),
});

const theme = (setting: ThemeSetting): Pick<Command, 'checked' | 'run'> => ({
  checked: () => usePreferences.getState().theme === setting,
  run: () => usePreferences.getState().set({ theme: setting }),
});

/** Asks with the system's dialog under Electron, which the page knows before its service has answered. */
const openFrom = ({ workspace }: CommandContext, what: 'file' | 'folder'): void => {
  if (window.loupeShell?.kind !== 'electron') {
    workspace.showDialog(what === 'file' ? 'open' : 'open-folder');
    return;
  }
  const choose = async (): Promise<void> => {
    const { api } = workspace.client();
    const path = await (what === 'file' ? api.chooseFile({}) : api.chooseFolder({ purpose: 'open' }));
    if (path !== undefined) {
      await workspace.open({ kind: 'path', path });
    }
  };
  choose().catch((error: unknown) => workspace.toasts.fail('Opening failed', error));
};

/** Moves the focus to the table's filter box. */
export const focusFilter = (): void => {
  const box = document.querySelector<HTMLInputElement>('[data-filter="table"]');
  box?.focus();
  box?.select();
};

const BY_ID: Readonly<Record<MenuCommand, Omit<Command, 'id'>>> = {
  open: { title: 'Open…', keys: 'Mod+O', run: (context) => openFrom(context, 'file') },
  'open-folder': { title: 'Open Folder…', keys: 'Mod+Shift+O', run: (context) => openFrom(context, 'folder') },
  'open-sample': { title: 'Open Sample', run: ({ workspace }) => void workspace.open({ kind: 'sample' }) },
  'export-f32': {
    title: 'Export Tensor as f32…',
    keys: 'Mod+E',
    enabled: (context) => selectedRow(context)?.readable === true,
    run: (context) => {
      const row = selectedRow(context);
      if (row !== undefined && context.session !== undefined) {
        exportQuickly(context.workspace, context.session, row);
      }
    },
  },
  export: {
    title: 'Export…',
    keys: 'Mod+Shift+E',
    enabled: (context) => selectedRow(context)?.readable === true,
    run: ({ workspace }) => workspace.showDialog('export'),
  },
  'export-matching': {
    title: 'Export Matching…',
    enabled: hasTensors,
    run: ({ workspace, session }) => workspace.showDialog('export-matching', shownPattern(session)),
  },
  convert: {
    title: 'Convert to safetensors…',
    enabled: hasTensors,
    run: ({ workspace }) => workspace.showDialog('convert'),
  },
  'close-tab': {
    title: 'Close',
    enabled: ({ workspace }) => workspace.store.getState().activeKey !== undefined,
    run: ({ workspace }) => {
      const { activeKey } = workspace.store.getState();
      if (activeKey !== undefined) {
        workspace.closeTab(activeKey);
      }
    },
  },
  'copy-name': {
    title: 'Copy Name',
    keys: 'Mod+C',
    enabled: hasTensor,
    run: (context) => {
      const state = context.session?.getState();
      const rows = state === undefined ? [] : selectedRows(state);
      copy(context, counted(rows), rows.map(({ name }) => name).join('\n'));
    },
  },
  'copy-json': {
    title: 'Copy as JSON',
    enabled: hasTensor,
    run: (context) => {
      const state = context.session?.getState();
      const texts =
        state === undefined ? [] : selectedRows(state).map((row) => tensorJson(row, state.numbers.get(row.id)));
      copy(context, 'as JSON', texts.length === 1 ? (texts[0] ?? '') : `[\n${texts.join(',\n')}\n]`);
    },
  },
  'copy-command': {
    title: 'Copy as Command',
    enabled: hasTensor,
    run: (context) => {
      const row = selectedRow(context);
      const state = context.session?.getState();
      copy(context, 'the command', headCommand(state === undefined ? '' : commandPath(state), row?.name ?? ''));
    },
  },
  'copy-names': {
    title: 'Copy All Shown Names',
    enabled: hasSession,
    run: (context) => {
      const rows = context.session === undefined ? [] : shownRows(context.session.getState());
      copy(context, counted(rows), rows.map(({ name }) => name).join('\n'));
    },
  },
  'copy-tsv': {
    title: 'Copy Table as TSV',
    enabled: hasSession,
    run: (context) => {
      const state = context.session?.getState();
      const rows = state === undefined ? [] : shownRows(state);
      copy(context, `${rows.length} rows`, tensorsTsv(rows, state?.numbers ?? new Map()));
    },
  },
  find: { title: 'Find…', keys: 'Mod+F', enabled: hasSession, run: focusFilter },
  'scan-all': {
    title: 'Scan All',
    enabled: (context) => hasSession(context) && !isScanning(context),
    run: ({ workspace, session }) => {
      if (session !== undefined) {
        workspace.startScan(session);
      }
    },
  },
  'cancel-scan': {
    title: 'Cancel Scan',
    enabled: isScanning,
    run: ({ workspace, session }) => {
      if (session !== undefined) {
        workspace.cancelScan(session);
      }
    },
  },
  'next-finding': {
    title: 'Next Finding',
    keys: 'F8',
    enabled: ({ session }) => (session?.getState().findings.length ?? 0) > 0,
    run: ({ session }) => {
      if (session !== undefined) {
        goToNextFinding(session);
      }
    },
  },
  'toggle-tree': { title: 'Tree', keys: 'Mod+B', ...panel('tree') },
  'toggle-details': { title: 'Details', keys: 'Mod+Alt+B', ...panel('details') },
  'toggle-bottom': { title: 'Bottom Panel', keys: 'Mod+J', ...panel('bottom') },
  'theme-system': { title: 'Theme: System', ...theme('system') },
  'theme-light': { title: 'Theme: Light', ...theme('light') },
  'theme-dark': { title: 'Theme: Dark', ...theme('dark') },
  palette: { title: 'Command Palette…', keys: 'Mod+Shift+P', run: ({ workspace }) => workspace.showDialog('palette') },
  shortcuts: { title: 'Keyboard Shortcuts', keys: 'Mod+/', run: ({ workspace }) => workspace.showDialog('shortcuts') },
  about: { title: 'About Tensor Loupe', run: ({ workspace }) => workspace.showDialog('about') },
};

/** A command by its name. */
export const commandById = (id: MenuCommand): Command => ({ id, ...BY_ID[id] });

/** Every command, in the contract's order. */
export const ALL_COMMANDS: readonly Command[] = MENU_COMMANDS.map(commandById);

/** Runs a command if it can be done now. */
export const runCommand = (id: MenuCommand, context: CommandContext): void => {
  const command = commandById(id);
  if (command.enabled?.(context) ?? true) {
    command.run(context);
  }
};
