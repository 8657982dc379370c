import { create } from 'zustand';
import { persist } from 'zustand/middleware';

/** Colour theme setting. */
export type ThemeSetting = 'system' | 'light' | 'dark';
/** Panels that can be collapsed. */
export type PanelName = 'tree' | 'details' | 'bottom';
/** Pages of the bottom panel. */
export type BottomTab = 'findings' | 'metadata' | 'pickle' | 'profile' | 'shards';
/** Pages of the details panel. */
export type DetailsTab = 'statistics' | 'values';

/** What the window remembers between launches. Never anything about a file's content. */
export interface Preferences {
  readonly theme: ThemeSetting;
  readonly panels: Readonly<Record<PanelName, boolean>>;
  readonly bottomTab: BottomTab;
  readonly detailsTab: DetailsTab;
  /** Column id to shown; columns not named keep their default. */
  readonly columns: Readonly<Record<string, boolean>>;
  /** Column id to width in pixels. */
  readonly columnWidths: Readonly<Record<string, number>>;
  readonly logCounts: boolean;
  set(change: Partial<Omit<Preferences, 'set' | 'togglePanel'>>): void;
  togglePanel(panel: PanelName, open?: boolean): void;
}

/** The preferences store, kept in the page's local storage. */
export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      theme: 'system',
      panels: { tree: true, details: true, bottom: true },
      bottomTab: 'findings',
      detailsTab: 'statistics',
      columns: {},
      columnWidths: {},
      logCounts: false,
      set: (change) => set(change),
      togglePanel: (panel, open) =>
        set((state) => ({ panels: { ...state.panels, [panel]: open ?? !state.panels[panel] } })),
    }),
    { name: 'loupe-preferences', version: 1 },
  ),
);
