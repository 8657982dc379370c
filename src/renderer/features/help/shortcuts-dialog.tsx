import type { JSX } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { ALL_COMMANDS } from '../commands/commands.ts';
import { keyLabel } from '../commands/keys.ts';
import './help.css';

const OTHERS: readonly (readonly [string, string])[] = [
  ['F6', 'Next panel (with Shift: the one before)'],
  ['/', 'Filter the table'],
  ['Esc', 'Empty the filter; close a dialog'],
  ['↑ ↓ ← →', 'Move in tree, table and values'],
  ['Enter', 'Show the details of a row; go to a finding’s tensor or call; open a value'],
  ['Shift+↑ ↓', 'Select a range of rows'],
  ['Delete', 'Close the focused tab'],
];

/** All keys of the window. */
export const ShortcutsDialog = (): JSX.Element => {
  const workspace = useWorkspace();
  const commands = ALL_COMMANDS.flatMap(({ title, keys }) =>
    keys === undefined ? [] : [[keyLabel(keys), title] as const],
  );
  return (
    <DialogFrame title="Keyboard shortcuts" onClose={() => workspace.showDialog(undefined)}>
      <div className="dialog-body">
        <dl className="shortcut-list">
          {[...commands, ...OTHERS].map(([keys, title]) => (
            <div key={keys}>
              <dt>{title}</dt>
              <dd>
                <kbd className="key">{keys}</kbd>
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </DialogFrame>
  );
};
