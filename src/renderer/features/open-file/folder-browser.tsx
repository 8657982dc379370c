import type { JSX } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { Button } from '../../widgets/button.tsx';
import { FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { FolderList } from './folder-list.tsx';
import type { FolderView } from './use-folder.ts';
import './open-dialog.css';

/** The server's folders: a path field and one folder's entries. Without `onFile` its files can only be looked at. */
export const FolderBrowser = ({
  folder,
  onFile,
}: {
  readonly folder: FolderView;
  onFile?(path: string): void;
}): JSX.Element => {
  const workspace = useWorkspace();
  /** A typed path may name a folder or a file; only the service can tell. */
  const goTyped = async (): Promise<void> => {
    const target = folder.text.trim();
    if (target === '') {
      return;
    }
    const isFolder = await workspace
      .client()
      .api.listFolder({ path: target })
      .then(
        () => true,
        () => false,
      );
    if (isFolder || onFile === undefined) {
      folder.enter(target);
    } else {
      onFile(target);
    }
  };
  return (
    <div className="open-dialog">
      <form
        className="open-path"
        onSubmit={(event) => {
          event.preventDefault();
          void goTyped();
        }}
      >
        <input
          className="text-input mono"
          type="text"
          data-autofocus
          aria-label={onFile === undefined ? 'Path of a folder' : 'Path of a file or folder'}
          value={folder.text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => folder.type(event.target.value)}
        />
        <Button type="submit" disabled={!folder.isTyped}>
          Go
        </Button>
      </form>
      <div className="open-list">
        {folder.failure !== undefined ? (
          <FailureMessage where="This folder could not be listed" failure={folder.failure}>
            <Button onClick={() => folder.enter(undefined)}>Back to the start</Button>
          </FailureMessage>
        ) : folder.listing === undefined ? (
          <Skeleton label="Listing the folder" lines={8} />
        ) : (
          <FolderList
            key={folder.listing.path}
            listing={folder.listing}
            onFolder={folder.enter}
            {...(onFile === undefined ? {} : { onFile })}
          />
        )}
      </div>
    </div>
  );
};
