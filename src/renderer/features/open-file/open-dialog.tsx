import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type JSX, useRef, useState } from 'react';
import { useWorkspace } from '../../state/context.tsx';
import { describeFailure } from '../../state/failure.ts';
import { Button } from '../../widgets/button.tsx';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { FailureMessage, Skeleton } from '../../widgets/message.tsx';
import { FolderList } from './folder-list.tsx';
import './open-dialog.css';

/** *Open…* of the browser version: the server's folders, a path field, or a file of the computer the page runs on. */
export const OpenDialog = (): JSX.Element => {
  const workspace = useWorkspace();
  const [path, setPath] = useState<string | undefined>(undefined);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const picker = useRef<HTMLInputElement>(null);
  const { data, error } = useQuery({
    queryKey: ['folder', path ?? ''],
    queryFn: ({ signal }) => workspace.client().api.listFolder(path === undefined ? {} : { path }, signal),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  const close = (): void => workspace.showDialog(undefined);
  const openPath = (target: string): void => void workspace.open({ kind: 'path', path: target });
  const enter = (folder: string): void => {
    setTyped(undefined);
    setPath(folder);
  };
  /** A typed path may name a folder or a file; only the service can tell. */
  const goTyped = async (): Promise<void> => {
    const target = (typed ?? '').trim();
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
    if (isFolder) {
      enter(target);
    } else {
      openPath(target);
    }
  };
  return (
    <DialogFrame title="Open" wide onClose={close}>
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
            aria-label="Path of a file or folder"
            value={typed ?? data?.path ?? ''}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setTyped(event.target.value)}
          />
          <Button type="submit" disabled={typed === undefined}>
            Go
          </Button>
        </form>
        <div className="open-list">
          {error !== null ? (
            <FailureMessage where="This folder could not be listed" failure={describeFailure(error)}>
              <Button onClick={() => setPath(undefined)}>Back to the start</Button>
            </FailureMessage>
          ) : data === undefined ? (
            <Skeleton label="Listing the folder" lines={8} />
          ) : (
            <FolderList key={data.path} listing={data} onFolder={enter} onFile={openPath} />
          )}
        </div>
      </div>
      <div className="dialog-actions spread">
        <Button onClick={() => picker.current?.click()}>Choose from This Computer…</Button>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          data-testid="file-input"
          onChange={(event) => {
            workspace.openFiles(event.target.files ?? []);
            close();
          }}
        />
        <Button onClick={close}>Cancel</Button>
      </div>
    </DialogFrame>
  );
};
