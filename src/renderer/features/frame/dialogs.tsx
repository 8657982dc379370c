import type { JSX } from 'react';
import { useWorkspaceState } from '../../state/context.tsx';
import { ExportDialog } from '../export/export-dialog.tsx';
import { AboutDialog } from '../help/about-dialog.tsx';
import { ShortcutsDialog } from '../help/shortcuts-dialog.tsx';
import { OpenDialog } from '../open-file/open-dialog.tsx';
import { Palette } from '../palette/palette.tsx';

/** The dialog that is open, if any. */
export const Dialogs = (): JSX.Element | null => {
  const dialog = useWorkspaceState((state) => state.dialog);
  switch (dialog) {
    case 'open':
      return <OpenDialog />;
    case 'export':
      return <ExportDialog />;
    case 'palette':
      return <Palette />;
    case 'shortcuts':
      return <ShortcutsDialog />;
    case 'about':
      return <AboutDialog />;
    default:
      return null;
  }
};
