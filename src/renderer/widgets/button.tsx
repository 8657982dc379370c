import type { ButtonHTMLAttributes, JSX, ReactNode, Ref } from 'react';
import { Hint } from './hint.tsx';
import './button.css';

/** A button with words on it. */
export const Button = ({
  primary = false,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly primary?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}): JSX.Element => <button type="button" className={`button ${primary ? 'primary' : ''} ${className}`} {...rest} />;

/** A button with an icon only; `label` is its name and its tooltip. */
export const IconButton = ({
  label,
  hint,
  children,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
}): JSX.Element => (
  <Hint text={hint ?? label}>
    <button type="button" className={`icon-button ${className}`} aria-label={label} {...rest}>
      {children}
    </button>
  </Hint>
);
