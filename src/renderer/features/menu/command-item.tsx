import { Check } from 'lucide-react';
import type { JSX } from 'react';
import type { Command } from '../commands/command-types.ts';
import { keyLabel } from '../commands/keys.ts';

/** The inside of a menu entry: mark, title, key. */
export const CommandItem = ({
  command,
  checked,
}: {
  readonly command: Command;
  readonly checked: boolean;
}): JSX.Element => (
  <>
    <span className="menu-mark">{checked ? <Check size={14} aria-hidden /> : null}</span>
    <span className="menu-title">{command.title}</span>
    {command.keys === undefined ? null : <span className="menu-keys">{keyLabel(command.keys)}</span>}
  </>
);
