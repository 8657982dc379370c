import { FileUp } from 'lucide-react';
import { type JSX, useEffect, useState } from 'react';
import { LoupeError } from '../../../shared/errors.ts';
import { useWorkspace } from '../../state/context.tsx';
import type { Workspace } from '../../state/workspace.ts';
import { splitDrop } from './split-drop.ts';
import './drop-overlay.css';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

/** Under Electron a folder has a path like a file; a page can only be given files. */
const takeDrop = (workspace: Workspace, transfer: DataTransfer | null): void => {
  if (window.loupeShell?.kind === 'electron') {
    workspace.openFiles(transfer?.files ?? []);
    return;
  }
  const { files, folders } = splitDrop(transfer?.items ?? []);
  workspace.openFiles(files);
  for (const name of folders) {
    const what = `"${name}" is a folder, which a page cannot look into`;
    workspace.toasts.fail('A folder was dropped', new LoupeError('folder-dropped', what));
  }
};

/** Takes files dropped anywhere on the window, and shows that it will while they hover. */
export const DropOverlay = (): JSX.Element | null => {
  const workspace = useWorkspace();
  const [hovering, setHovering] = useState(false);
  useEffect(() => {
    // Enter and leave fire for every element on the way; the difference says whether the pointer is inside.
    let inside = 0;
    const enter = (event: DragEvent): void => {
      if (carriesFiles(event)) {
        inside += 1;
        setHovering(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (carriesFiles(event)) {
        inside = Math.max(0, inside - 1);
        setHovering(inside > 0);
      }
    };
    const over = (event: DragEvent): void => {
      if (carriesFiles(event)) {
        event.preventDefault();
        if (event.dataTransfer !== null) {
          event.dataTransfer.dropEffect = 'copy';
        }
      }
    };
    const drop = (event: DragEvent): void => {
      inside = 0;
      setHovering(false);
      // Without this the browser would leave the page and show the file.
      event.preventDefault();
      takeDrop(workspace, event.dataTransfer);
    };
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, [workspace]);
  return hovering ? (
    <div className="drop-overlay" role="status">
      <div>
        <FileUp size={36} strokeWidth={1.5} aria-hidden />
        <p>Drop to open</p>
      </div>
    </div>
  ) : null;
};
