import type { Page } from 'playwright-core';

/** Between a page and its server: what the server sends can be held back, so that a moment lasts as long as a test needs. */
export interface HoldBack {
  /** For `PageOptions.prepare`. */
  readonly prepare: (page: Page) => Promise<void>;
  hold(): void;
  release(): void;
}

export const holdBack = (): HoldBack => {
  let gate = Promise.resolve();
  let release = (): void => undefined;
  return {
    prepare: (page) =>
      page.routeWebSocket(/\/ws/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage(async (message) => {
          await gate;
          socket.send(message);
        });
      }),
    hold: () => {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
  };
};
