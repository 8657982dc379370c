import { FileUp } from 'lucide-react';
import { type JSX, useEffect, useState } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import './drop-overlay.css';

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;

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
      workspace.openFiles(event.dataTransfer?.files ?? []);
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
