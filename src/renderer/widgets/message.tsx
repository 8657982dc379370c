import { CircleAlert } from 'lucide-react';
import { type JSX, type ReactNode, useEffect, useState } from 'react';
import { escapeText } from '../../shared/escape-text.ts';
import type { Failure } from '../state/failure.ts';
import './message.css';

/** A panel with nothing to show says so in words. */
export const EmptyMessage = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): JSX.Element => (
  <div className="message" data-state-of-panel="empty">
    <p className="message-title">{title}</p>
    {children === undefined ? null : <div className="message-text">{children}</div>}
  </div>
);

/** What went wrong in a panel, where, and what to do. */
export const FailureMessage = ({
  where,
  failure,
  children,
}: {
  readonly where: string;
  readonly failure: Failure;
  readonly children?: ReactNode;
}): JSX.Element => (
  <div className="message" role="alert" data-state-of-panel="error">
    <CircleAlert size={20} aria-hidden className="message-icon" />
    <p className="message-title">{where}</p>
    <p className="message-text file-text">{escapeText(failure.what)}</p>
    <p className="message-text">{failure.next}</p>
    {children}
  </div>
);

const SKELETON_DELAY_MS = 200;

/** Grey lines in place of content that is still loading; nothing for the first 200 ms. */
export const Skeleton = ({
  lines = 6,
  label,
}: {
  readonly lines?: number;
  readonly label: string;
}): JSX.Element | null => {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return shown ? (
    <div className="skeleton" role="status" data-state-of-panel="loading">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, line) => `line-${line}`).map((key) => (
        <span key={key} className="skeleton-line" />
      ))}
    </div>
  ) : null;
};
