import { ContextMenu } from 'radix-ui';
import type { JSX, ReactElement } from 'react';
import { commandById } from '../commands/commands.ts';
import { useCommandContext } from '../commands/use-commands.ts';
import { folderPattern } from '../writing/selection.ts';
import { CommandItem } from './command-item.tsx';
import { TENSOR_MENU } from './menus.ts';
import '../../widgets/menu.css';

const Entries = (): JSX.Element => {
  const context = useCommandContext();
  return (
    <>
      {TENSOR_MENU.map((entry, index) => {
        if (entry === '-' || entry === 'recent' || entry === 'columns') {
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          return <ContextMenu.Separator key={index} className="menu-line" />;
        }
        const command = commandById(entry);
        return (
          <ContextMenu.Item
            key={entry}
            className="menu-item"
            disabled={!(command.enabled?.(context) ?? true)}
            onSelect={() => command.run(context)}
          >
            <CommandItem command={command} checked={false} />
          </ContextMenu.Item>
        );
      })}
    </>
  );
};

const FolderEntries = ({ path }: { readonly path: string }): JSX.Element => {
  const { workspace } = useCommandContext();
  const entry = (id: 'export-matching' | 'convert'): JSX.Element => (
    <ContextMenu.Item className="menu-item" onSelect={() => workspace.showDialog(id, folderPattern(path))}>
      <CommandItem command={{ id, title: commandById(id).title, run: () => undefined }} checked={false} />
    </ContextMenu.Item>
  );
  return (
    <>
      {entry('export-matching')}
      {entry('convert')}
    </>
  );
};

/**
 * Gives everything inside the context menu of the selected tensor, or of a folder of tensors when `folder` is its path. The
 * child selects the tensor under the pointer.
 */
export const TensorMenu = ({
  folder,
  children,
}: {
  readonly folder?: string | undefined;
  readonly children: ReactElement;
}): JSX.Element => (
  <ContextMenu.Root modal={false}>
    <ContextMenu.Trigger asChild>{children}</ContextMenu.Trigger>
    <ContextMenu.Portal>
      <ContextMenu.Content className="menu-content" collisionPadding={8}>
        {folder === undefined ? <Entries /> : <FolderEntries path={folder} />}
      </ContextMenu.Content>
    </ContextMenu.Portal>
  </ContextMenu.Root>
);
