import type { Page } from 'playwright-core';

/** Drops files or folders of this computer in the middle of a page, as its window system would. */
export const dropPaths = async (page: Page, paths: readonly string[]): Promise<void> => {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data });
  }
  await session.detach();
};
