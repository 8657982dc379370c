import { Menubar } from 'radix-ui';
import type { JSX } from 'react';
import type { MenuCommand } from '../../../shared/api.ts';
import type { CommandContext } from '../commands/command-types.ts';
import { commandById } from '../commands/commands.ts';
import { useCommandContext } from '../commands/use-commands.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { CommandItem } from './command-item.tsx';
import { MENUS, type MenuEntry } from './menus.ts';
import { RecentMenu } from './recent-menu.tsx';
import '../../widgets/menu.css';
import './menu-bar.css';

const CommandEntry = ({ id, context }: { readonly id: MenuCommand; readonly context: CommandContext }): JSX.Element => {
  const command = commandById(id);
  const disabled = !(command.enabled?.(context) ?? true);
  if (command.checked === undefined) {
    return (
      <Menubar.Item className="menu-item" disabled={disabled} onSelect={() => command.run(context)}>
        <CommandItem command={command} checked={false} />
      </Menubar.Item>
    );
  }
  const checked = command.checked(context);
  return (
    <Menubar.CheckboxItem
      className="menu-item"
      checked={checked}
      disabled={disabled}
      onSelect={() => command.run(context)}
    >
      <CommandItem command={command} checked={checked} />
    </Menubar.CheckboxItem>
  );
};

const Entry = ({ entry, context }: { readonly entry: MenuEntry; readonly context: CommandContext }): JSX.Element => {
  switch (entry) {
    case '-':
      return <Menubar.Separator className="menu-line" />;
    case 'recent':
      return <RecentMenu />;
    case 'columns':
      return <ColumnsMenu />;
    default:
      return <CommandEntry id={entry} context={context} />;
  }
};

/** The browser version's menu bar; Electron has a native one with the same commands. */
export const MenuBar = (): JSX.Element => {
  const context = useCommandContext();
  return (
    <Menubar.Root className="menu-bar" aria-label="Main menu">
      {MENUS.map(({ title, entries }) => (
        <Menubar.Menu key={title}>
          <Menubar.Trigger className="menu-trigger">{title}</Menubar.Trigger>
          <Menubar.Portal>
            <Menubar.Content className="menu-content" align="start" sideOffset={2}>
              {entries.map((entry, index) => (
                <Entry key={entry === '-' ? `line-${index}` : entry} entry={entry} context={context} />
              ))}
            </Menubar.Content>
          </Menubar.Portal>
        </Menubar.Menu>
      ))}
    </Menubar.Root>
  );
};
