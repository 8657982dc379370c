import { useEffect, useMemo } from 'react';
import { useActiveSession, useWorkspace, useWorkspaceState } from '../../state/context.tsx';
import type { CommandContext } from './command-types.ts';
import { ALL_COMMANDS, focusFilter, runCommand } from './commands.ts';
import { focusNextPanel } from './focus-panels.ts';
import { isKey, isTyping } from './keys.ts';

/** What commands act on now. */
export const useCommandContext = (): CommandContext => {
  const workspace = useWorkspace();
  const shell = useWorkspaceState((state) => state.shell);
  const session = useActiveSession();
  return useMemo(() => ({ workspace, shell, session }), [workspace, shell, session]);
};

const hasTextSelection = (): boolean => (window.getSelection()?.toString() ?? '') !== '';

const onKey = (event: KeyboardEvent, context: CommandContext): void => {
  if (event.defaultPrevented) {
    return;
  }
  if (event.key === 'F6') {
    event.preventDefault();
    focusNextPanel(event.shiftKey);
    return;
  }
  const dialogOpen = context.workspace.store.getState().dialog !== undefined;
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target) && !dialogOpen) {
    event.preventDefault();
    focusFilter();
    return;
  }
  const command = ALL_COMMANDS.find(({ keys }) => keys !== undefined && isKey(event, keys));
  if (command === undefined || (dialogOpen && command.id !== 'palette')) {
    return;
  }
  // Copying text from a field or a selection is the browser's own business.
  if (command.id === 'copy-name' && (isTyping(event.target) || hasTextSelection())) {
    return;
  }
  event.preventDefault();
  runCommand(command.id, context);
};

/** Listens for command keys and for the commands of a native menu. */
export const useCommandKeys = (): void => {
  const context = useCommandContext();
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event, context);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [context]);
  useEffect(() => context.workspace.onMenuCommand((command) => runCommand(command, context)), [context]);
};
