import { afterEach, vi } from 'vitest';
import { type StartedMain, type StartOptions, startMain } from './start-main.ts';

/** Starts main processes that end with each test. `startReady` waits until Electron is ready and a window is there. */
export const mainForTests = (): {
  start(options?: StartOptions): Promise<StartedMain>;
  startReady(options?: StartOptions): Promise<StartedMain>;
} => {
  const started: StartedMain[] = [];
  afterEach(() => {
    for (const main of started.splice(0)) {
      main.end();
    }
  });
  const start = async (options: StartOptions = {}): Promise<StartedMain> => {
    const main = await startMain(options);
    started.push(main);
    return main;
  };
  return {
    start,
    startReady: async (options) => {
      const main = await start(options);
      await main.electron.app.becomeReady();
      return main;
    },
  };
};

/** Lets messages between the two ends arrive. */
export const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

/** An event that can be refused, and that tells whether it was. */
export const refusable = (url = '') => ({ url, preventDefault: vi.fn() });
