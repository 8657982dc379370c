import type { JSX } from 'react';
import { useWorkspaceState } from '../../state/context.tsx';
import { ExportDialog } from '../export/export-dialog.tsx';
import { AboutDialog } from '../help/about-dialog.tsx';
import { ShortcutsDialog } from '../help/shortcuts-dialog.tsx';
import { OpenDialog } from '../open-file/open-dialog.tsx';
import { Palette } from '../palette/palette.tsx';
import { ConvertDialog } from '../writing/convert-dialog.tsx';
import { ExportMatchingDialog } from '../writing/export-matching-dialog.tsx';

/** The dialog that is open, if any. */
export const Dialogs = (): JSX.Element | null => {
  const dialog = useWorkspaceState((state) => state.dialog);
  switch (dialog) {
    case 'open':
      return <OpenDialog key="file" wanted="file" />;
    case 'open-folder':
      return <OpenDialog key="folder" wanted="folder" />;
    case 'export':
      return <ExportDialog />;
    case 'export-matching':
      return <ExportMatchingDialog />;
    case 'convert':
      return <ConvertDialog />;
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
