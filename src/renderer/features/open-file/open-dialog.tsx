import { type JSX, useRef } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { Button } from '../../widgets/button.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { FolderBrowser } from './folder-browser.tsx';
import { useFolder } from './use-folder.ts';
import './open-dialog.css';

const FromThisComputer = ({ onClose }: { onClose(): void }): JSX.Element => {
  const workspace = useWorkspace();
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button onClick={() => picker.current?.click()}>Choose from This Computer…</Button>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        data-testid="file-input"
        onChange={(event) => {
          workspace.openFiles(event.target.files ?? []);
          onClose();
        }}
      />
    </>
  );
};

/**
 * *Open…* and *Open Folder…* of the browser version: the server's folders, a path field, or, for a single file, the computer
 * the page runs on. Any folder can be opened as a model of several files.
 */
export const OpenDialog = ({ wanted }: { readonly wanted: 'file' | 'folder' }): JSX.Element => {
  const workspace = useWorkspace();
  const folder = useFolder();
  const close = (): void => workspace.showDialog(undefined);
  const openPath = (path: string): void => void workspace.open({ kind: 'path', path });
  const isFolder = wanted === 'folder';
  return (
    <DialogFrame title={isFolder ? 'Open folder' : 'Open'} wide onClose={close}>
      <FolderBrowser folder={folder} onFile={openPath} />
      <div className="dialog-actions spread">
        {isFolder ? (
          <span className="muted">A folder opens by its index, its shards or its one weight file.</span>
        ) : (
          <FromThisComputer onClose={close} />
        )}
        <span className="dialog-buttons">
          <Button onClick={close}>Cancel</Button>
          <Button
            primary={isFolder}
            disabled={folder.chosen === undefined}
            title="Open the folder as one model"
            onClick={() => (folder.chosen === undefined ? undefined : openPath(folder.chosen))}
          >
            Open This Folder
          </Button>
        </span>
      </div>
    </DialogFrame>
  );
};
