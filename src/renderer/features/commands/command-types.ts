import type { MenuCommand, ShellInfo } from '../../../shared/api.ts';
import type { SessionStore } from '../../state/session.ts';
import type { Workspace } from '../../state/workspace.ts';

/** What a command may act on. */
export interface CommandContext {
  readonly workspace: Workspace;
  readonly shell: ShellInfo | undefined;
  /** The checkpoint of the active tab. */
  readonly session: SessionStore | undefined;
}

/** One thing that can be asked of the window: from the menu bar, the native menu, the palette or a key. */
export interface Command {
  readonly id: MenuCommand;
  readonly title: string;
  /** Key in the form `Mod+Shift+P`; Mod is Ctrl, or Cmd on a Mac. */
  readonly keys?: string;
  /** Whether it can be done now; left out, always. */
  enabled?(context: CommandContext): boolean;
  /** Whether the setting it stands for is on; left out for plain actions. */
  checked?(context: CommandContext): boolean;
  run(context: CommandContext): void;
}
