import { type JSX, type ReactNode, useEffect } from 'react';
import { useStore } from 'zustand';
import { useWorkspace } from '../../state/context.tsx';
import type { SessionStore } from '../../state/session.ts';
import { DialogFrame } from '../../widgets/dialog-frame.tsx';
import { WriteView } from './write-view.tsx';
import './writing.css';

const TITLES = { export: 'Export matching tensors', convert: 'Convert to safetensors' } as const;

/** The frame of both writing dialogs: a form first, then what becomes of it. Closing it leaves a running write running. */
export const WriteDialog = ({
  session,
  kind,
  title,
  children,
}: {
  readonly session: SessionStore;
  readonly kind: keyof typeof TITLES;
  /** Another title than the form's. */
  readonly title?: string | undefined;
  /** The form. */
  readonly children: ReactNode;
}): JSX.Element => {
  const workspace = useWorkspace();
  const write = useStore(session, (state) => state.write);
  const close = (): void => {
    if (write.state !== 'running') {
      session.setState({ write: { state: 'idle' } });
    }
    workspace.showDialog(undefined);
  };
  const view = write.state === 'idle' ? (title ?? kind) : write.state;
  // What had the focus is gone with the view before.
  useEffect(() => {
    void view;
    document.querySelector<HTMLElement>('.dialog [data-autofocus]')?.focus();
  }, [view]);
  return (
    <DialogFrame
      title={write.state === 'idle' ? (title ?? TITLES[kind]) : TITLES[write.request.kind]}
      wide
      onClose={close}
    >
      {write.state === 'idle' ? children : <WriteView session={session} onClose={close} />}
    </DialogFrame>
  );
};
