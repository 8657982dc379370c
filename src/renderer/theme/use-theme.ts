import { useEffect, useSyncExternalStore } from 'react';
import { usePreferences } from '../state/preferences.ts';

const DARK = '(prefers-color-scheme: dark)';

const subscribe = (changed: () => void): (() => void) => {
  const query = window.matchMedia(DARK);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** The theme in force: the setting, or the system's when the setting is `system`. */
export const useResolvedTheme = (): 'light' | 'dark' => {
  const setting = usePreferences((state) => state.theme);
  const systemDark = useSyncExternalStore(subscribe, () => window.matchMedia(DARK).matches);
  return setting === 'system' ? (systemDark ? 'dark' : 'light') : setting;
};

/** Writes the theme setting to the document, where the tokens read it. */
export const useApplyTheme = (): void => {
  const setting = usePreferences((state) => state.theme);
  useEffect(() => {
    if (setting === 'system') {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = setting;
    }
  }, [setting]);
};
