import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { JSX, ReactNode } from 'react';
import './dialog-frame.css';

/** The dialog's own first control takes the focus, not the cross in its corner. */
const focusFirst = (event: Event): void => {
  const first = document.querySelector<HTMLElement>('.dialog [data-autofocus]');
  if (first !== null) {
    event.preventDefault();
    first.focus();
  }
};

/**
 * A dialog over the window. Radix's own overlay is not used: it locks scrolling with an injected style element, which
 * the page's security policy forbids, and nothing behind the dialog scrolls anyway.
 */
export const DialogFrame = ({
  title,
  description,
  wide = false,
  onClose,
  children,
}: {
  readonly title: string;
  readonly description?: string;
  readonly wide?: boolean;
  onClose(): void;
  readonly children: ReactNode;
}): JSX.Element => (
  <Dialog.Root open onOpenChange={(open) => (open ? undefined : onClose())}>
    <Dialog.Portal>
      <div className="dialog-backdrop" aria-hidden />
      <Dialog.Content
        className={wide ? 'dialog wide' : 'dialog'}
        onOpenAutoFocus={focusFirst}
        {...(description === undefined ? { 'aria-describedby': undefined } : {})}
      >
        <header className="dialog-header">
          <Dialog.Title className="dialog-title">{title}</Dialog.Title>
          <Dialog.Close className="icon-button" aria-label="Close">
            <X size={16} aria-hidden />
          </Dialog.Close>
        </header>
        {description === undefined ? null : (
          <Dialog.Description className="dialog-description">{description}</Dialog.Description>
        )}
        {children}
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
);
