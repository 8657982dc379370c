const FOCUSABLE = '[tabindex="0"], button:not([disabled]), input, [href]';

const panels = (): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>('[data-area]')].filter((panel) => panel.getClientRects().length > 0);

/** Moves the focus to the next (or previous) panel: its main widget if it names one, else its first control. */
export const focusNextPanel = (backwards: boolean): void => {
  const all = panels();
  const current = all.findIndex((panel) => panel.contains(document.activeElement));
  const step = backwards ? -1 : 1;
  for (let tried = 1; tried <= all.length; tried += 1) {
    const start = current < 0 && backwards ? 0 : current;
    const panel = all[(start + step * tried + all.length * 2) % all.length];
    const target =
      panel?.querySelector<HTMLElement>('[data-area-focus]') ?? panel?.querySelector<HTMLElement>(FOCUSABLE);
    if (target !== null && target !== undefined) {
      target.focus();
      return;
    }
  }
};
