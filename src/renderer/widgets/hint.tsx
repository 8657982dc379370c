import { Tooltip } from 'radix-ui';
import type { JSX, ReactElement, ReactNode } from 'react';
import './hint.css';

/** A tooltip on one control, also shown on keyboard focus. */
export const Hint = ({
  text,
  side = 'bottom',
  children,
}: {
  readonly text: ReactNode;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly children: ReactElement;
}): JSX.Element => (
  <Tooltip.Root>
    <Tooltip.Trigger asChild>{children}</Tooltip.Trigger>
    <Tooltip.Portal>
      <Tooltip.Content className="hint" side={side} sideOffset={6} collisionPadding={8}>
        {text}
      </Tooltip.Content>
    </Tooltip.Portal>
  </Tooltip.Root>
);
