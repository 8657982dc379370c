/** Whether the keyboard is a Mac's. */
export const isMac = /mac/i.test(navigator.platform);

const MAC_SIGNS: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' };

/** A key as it is written on this platform: `Ctrl+Shift+P` or `⇧⌘P`. */
export const keyLabel = (keys: string): string =>
  isMac
    ? keys
        .split('+')
        .map((key) => MAC_SIGNS[key] ?? key)
        .join('')
    : keys.replace('Mod', 'Ctrl');

/** Whether a key event is `keys`, such as `Mod+Shift+P`. */
export const isKey = (event: KeyboardEvent, keys: string): boolean => {
  const parts = keys.split('+');
  const key = parts.at(-1) ?? '';
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const otherMod = isMac ? event.ctrlKey : event.metaKey;
  return (
    !otherMod &&
    mod === parts.includes('Mod') &&
    event.altKey === parts.includes('Alt') &&
    (event.shiftKey === parts.includes('Shift') || key === '/') &&
    event.key.toLowerCase() === key.toLowerCase()
  );
};

/** Whether keys typed now belong to a text field. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName) || isTextInput(target));

const isTextInput = (target: HTMLElement): boolean =>
  target instanceof HTMLInputElement && !['range', 'checkbox', 'radio', 'button', 'file'].includes(target.type);
