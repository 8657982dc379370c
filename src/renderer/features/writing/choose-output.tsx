import type { JSX } from 'react';
import { Button } from '../../widgets/button.tsx';
import { FolderBrowser } from '../open-file/folder-browser.tsx';
import { useFolder } from '../open-file/use-folder.ts';

/** The browser version's chooser of a folder to write into: one of the server's. */
export const ChooseOutput = ({
  start,
  onChoose,
  onBack,
}: {
  /** Folder to begin with; where the server would when left out. */
  readonly start: string | undefined;
  onChoose(folder: string): void;
  onBack(): void;
}): JSX.Element => {
  const folder = useFolder(start);
  return (
    <>
      <FolderBrowser folder={folder} />
      <div className="dialog-actions">
        <Button onClick={onBack}>Back</Button>
        <Button
          primary
          disabled={folder.chosen === undefined}
          onClick={() => (folder.chosen === undefined ? undefined : onChoose(folder.chosen))}
        >
          Use This Folder
        </Button>
      </div>
    </>
  );
};
