import { Command } from 'cmdk';
import { Dialog } from 'radix-ui';
import type { JSX } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { lineText } from '../../widgets/file-text.tsx';
import { commandById } from '../commands/commands.ts';
import { keyLabel } from '../commands/keys.ts';
import { useCommandContext } from '../commands/use-commands.ts';
import { MENUS } from '../menu/menus.ts';
import { useRecents } from '../open-file/use-recents.ts';
import './palette.css';

/** Commands as the menus group them: `File: Open…`. */
const COMMANDS = MENUS.flatMap(({ title: menu, entries }) =>
  entries.flatMap((entry) => {
    if (entry === '-' || entry === 'recent' || entry === 'columns' || entry === 'palette') {
      return [];
    }
    const command = commandById(entry);
    return [{ command, title: `${menu}: ${command.title}` }];
  }),
);

/** Every command and the recent files, by typing a part of their name. */
export const Palette = (): JSX.Element => {
  const workspace = useWorkspace();
  const context = useCommandContext();
  const { data: recents = [] } = useRecents();
  const close = (): void => workspace.showDialog(undefined);
  const commands = COMMANDS.filter(({ command }) => command.enabled?.(context) ?? true);
  return (
    <Dialog.Root open onOpenChange={(open) => (open ? undefined : close())}>
      <Dialog.Portal>
        <div className="dialog-backdrop" aria-hidden />
        <Dialog.Content className="palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Command palette</Dialog.Title>
          <Command label="Command palette" loop>
            <Command.Input className="palette-input" placeholder="Type a command or a recent file" autoFocus />
            <Command.List className="palette-list" label="Commands">
              <Command.Empty className="palette-empty">No command matches</Command.Empty>
              {commands.map(({ command, title }) => (
                <Command.Item
                  key={command.id}
                  className="palette-item"
                  value={title}
                  onSelect={() => {
                    close();
                    command.run(context);
                  }}
                >
                  <span>{title}</span>
                  {command.keys === undefined ? null : <span className="menu-keys">{keyLabel(command.keys)}</span>}
                </Command.Item>
              ))}
              {recents.slice(0, 10).map(({ path }) => (
                <Command.Item
                  key={path}
                  className="palette-item"
                  value={`open ${path}`}
                  onSelect={() => {
                    close();
                    void workspace.open({ kind: 'path', path });
                  }}
                >
                  <span>Open {lineText(path, 70)}</span>
                </Command.Item>
              ))}
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
};
