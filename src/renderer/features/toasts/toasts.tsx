import { CircleAlert, CircleCheck, X } from 'lucide-react';
import type { JSX } from 'react';
import { useStore } from 'zustand';
import { escapeText } from '../../../shared/escape-text.ts';
import { useWorkspace } from '../../state/context.tsx';
import type { Toast } from '../../state/toasts.ts';
import { Button } from '../../widgets/button.tsx';
import './toasts.css';

const Icon = ({ kind }: Pick<Toast, 'kind'>): JSX.Element | null => {
  if (kind === 'failed') {
    return <CircleAlert size={16} aria-hidden className="severity-icon error" />;
  }
  return kind === 'done' ? <CircleCheck size={16} aria-hidden className="toast-done" /> : null;
};

/** Short messages in the corner: what was copied, exported, or failed. */
export const Toasts = (): JSX.Element => {
  const { toasts } = useWorkspace();
  const shown = useStore(toasts.store, (state) => state.toasts);
  return (
    <section className="toasts" aria-live="polite" aria-label="Messages">
      {shown.map(({ id, kind, title, detail, fraction, cancel, action }) => (
        <div key={id} className="toast" role={kind === 'failed' ? 'alert' : 'status'}>
          <Icon kind={kind} />
          <div className="toast-text">
            <strong>{title}</strong>
            {detail === undefined ? null : <p className="file-text">{escapeText(detail.slice(0, 400))}</p>}
            {kind === 'progress' ? (
              <progress
                className="status-progress"
                max={1}
                {...(fraction === undefined ? {} : { value: fraction })}
                aria-label={title}
              />
            ) : null}
          </div>
          {action === undefined ? null : (
            <Button
              className="small"
              onClick={() => {
                toasts.dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          {cancel === undefined ? (
            <button type="button" className="icon-button" aria-label="Dismiss" onClick={() => toasts.dismiss(id)}>
              <X size={14} aria-hidden />
            </button>
          ) : (
            <Button className="small" onClick={cancel}>
              Cancel
            </Button>
          )}
        </div>
      ))}
    </section>
  );
};
