import { type JSX, useLayoutEffect, useRef } from 'react';
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
  const field = useRef<HTMLInputElement>(null);
  const { text, isTyped } = folder;
  // The path shown is there to be typed over, not added to; it may come after the field has the focus.
  useLayoutEffect(() => {
    if (!isTyped && text !== '' && document.activeElement === field.current) {
      field.current?.select();
    }
  }, [text, isTyped]);
  /** A typed path may name a folder or a file; only the service can tell. */
  const goTyped = async (): Promise<void> => {
    const target = text.trim();
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
          ref={field}
          className="text-input mono"
          type="text"
          data-autofocus
          aria-label={onFile === undefined ? 'Path of a folder' : 'Path of a file or folder'}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => (isTyped ? undefined : event.target.select())}
          onChange={(event) => folder.type(event.target.value)}
        />
        <Button type="submit" disabled={!isTyped}>
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
            takesFocus={!isTyped}
            onFolder={folder.enter}
            {...(onFile === undefined ? {} : { onFile })}
          />
        )}
      </div>
    </div>
  );
};
