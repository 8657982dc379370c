import type { KeyboardEvent } from 'react';
import { usePreferences } from '../../state/preferences.ts';
import { type SessionStore, selectTensor } from '../../state/session.ts';
import { shownPlaces } from './shown-rows.ts';

/** Where a key moves the selection to; undefined for other keys. */
export const nextPlace = (key: string, at: number, count: number, pageRows: number): number | undefined => {
  const clamp = (place: number): number => Math.max(0, Math.min(count - 1, place));
  switch (key) {
    case 'ArrowDown':
      return clamp(at + 1);
    case 'ArrowUp':
      return clamp(at < 0 ? count - 1 : at - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'PageDown':
      return clamp(at + pageRows);
    case 'PageUp':
      return clamp(at - pageRows);
    default:
      return undefined;
  }
};

const openDetails = (): void => {
  usePreferences.getState().togglePanel('details', true);
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>('[data-area="details"] [role="tab"][data-state="active"]')?.focus(),
  );
};

/** The table's keys: arrows, Home, End, Page Up and Down, with Shift for a range; Ctrl+A; Enter opens the details. */
export const onTableKey = (event: KeyboardEvent<HTMLElement>, session: SessionStore, pageRows: number): void => {
  if (event.target !== event.currentTarget) {
    return;
  }
  const state = session.getState();
  const shown = shownPlaces(state);
  const idAt = (place: number): number | undefined => state.rows[shown[place] ?? -1]?.id;
  if (event.key === 'Enter' && state.selectedId !== undefined) {
    event.preventDefault();
    openDetails();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
    event.preventDefault();
    session.setState({ anchorId: idAt(0), selectedId: idAt(shown.length - 1) });
    return;
  }
  if (event.altKey || event.metaKey) {
    return;
  }
  const at = shown.findIndex((place) => state.rows[place]?.id === state.selectedId);
  const next = shown.length === 0 ? undefined : nextPlace(event.key, at, shown.length, pageRows);
  if (next !== undefined) {
    event.preventDefault();
    selectTensor(session, idAt(next), event.shiftKey);
  }
};
