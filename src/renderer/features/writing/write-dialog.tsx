import { type JSX, type ReactNode, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useWorkspace } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { ChooseOutput } from './choose-output.tsx';
import { WriteView } from './write-view.tsx';
import './writing.css';

const TITLES = { export: 'Export matching tensors', convert: 'Convert to safetensors' } as const;

/**
 * The frame of both writing dialogs: a form, in its place the folders to choose from, and what becomes of the write. Closing
 * it leaves a running write running.
 */
export const WriteDialog = ({
  session,
  kind,
  startFolder,
  onFolder,
  children,
}: {
  readonly session: SessionStore;
  readonly kind: keyof typeof TITLES;
  /** Folder that choosing begins with; where the server would when undefined. */
  readonly startFolder: string | undefined;
  /** A folder was chosen. */
  onFolder(folder: string): void;
  /** The form, which can have the folders shown. */
  children(onBrowse: () => void): ReactNode;
}): JSX.Element => {
  const workspace = useWorkspace();
  const write = useStore(session, (state) => state.write);
  const [isChoosing, setChoosing] = useState(false);
  const close = (): void => {
    if (write.state !== 'running') {
      session.setState({ write: { state: 'idle' } });
    }
    workspace.showDialog(undefined);
  };
  const view = write.state === 'idle' ? isChoosing : write.state;
  // What had the focus is gone with the view before.
  useEffect(() => {
    void view;
    document.querySelector<HTMLElement>('.dialog [data-autofocus]')?.focus();
  }, [view]);
  const title = write.state !== 'idle' ? TITLES[write.request.kind] : isChoosing ? 'Choose a folder' : TITLES[kind];
  const form = (): ReactNode =>
    isChoosing ? (
      <ChooseOutput
        start={startFolder}
        onChoose={(folder) => {
          onFolder(folder);
          setChoosing(false);
        }}
        onBack={() => setChoosing(false)}
      />
    ) : (
      children(() => setChoosing(true))
    );
  return (
    <DialogFrame title={title} wide onClose={close}>
      {write.state === 'idle' ? form() : <WriteView session={session} onClose={close} />}
    </DialogFrame>
  );
};
