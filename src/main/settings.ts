import Conf from 'conf';

/** Small things the program remembers between launches. */
export interface Settings {
  /** What was stored under a key; undefined when nothing was, or nothing can be read. */
  get(key: string): unknown;
  /** Stores a plain value; where nothing can be written, nothing happens. */
  set(key: string, value: object): void;
}

/**
 * Opens the settings file `desktop.json` in a folder. Remembering is a convenience: a folder that cannot be read or written
 * is no error, only a line on standard error.
 */
export const openSettings = (folder: string): Settings => {
  const report = (error: unknown): undefined => {
    process.stderr.write(`settings: ${error instanceof Error ? error.message : String(error)}\n`);
    return undefined;
  };
  const attempt = <T>(act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      return report(error);
    }
  };
  const store = attempt(
    () =>
      new Conf<Record<string, unknown>>({
        cwd: folder,
        configName: 'desktop',
        clearInvalidConfig: true,
        accessPropertiesByDotNotation: false,
      }),
  );
  return {
    get: (key) => attempt(() => store?.get(key)),
    set: (key, value) => {
      attempt(() => store?.set(key, value));
    },
  };
};
