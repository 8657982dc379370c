import type { BrowserContext, Page, Request as PageRequest, Route } from 'playwright-core';
import type { StandInWindow } from '../browser-window.ts';
import type { StandIn } from '../stand-in.ts';
import { refusable } from '../view.ts';
import { fromChromium } from './app-origin.ts';

/** Answers a request from the scheme's handler, as Electron's network service would. */
const answer = async (route: Route, request: PageRequest, url: string, { protocol }: StandIn): Promise<void> => {
  const handler = protocol.handlers.get(new URL(url).protocol.slice(0, -1));
  if (handler === undefined) {
    await route.abort('failed');
    return;
  }
  const response = await handler(new Request(url, { method: request.method() }) as Parameters<typeof handler>[0]);
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
};

/** Whether a navigation begun by the page itself goes on: both events may refuse it. */
const mayNavigate = (window: StandInWindow, request: PageRequest, url: string): boolean => {
  const events =
    request.frame().parentFrame() === null ? ['will-navigate', 'will-frame-navigate'] : ['will-frame-navigate'];
  return events.every((name) => {
    const event = refusable(url);
    window.webContents.emit(name, event);
    return !event.defaultPrevented;
  });
};

/**
 * Leads every request of a page through the session and the schemes of the application. `ownNavigation` is the address the
 * application itself is loading, whose navigation asks nobody.
 */
export const routePage = (
  page: Page,
  window: StandInWindow,
  electron: StandIn,
  ownNavigation: () => string | undefined,
): Promise<unknown> =>
  page.route('**/*', async (route, request) => {
    const url = fromChromium(request.url());
    const navigates = request.isNavigationRequest();
    if (navigates && url !== ownNavigation() && !mayNavigate(window, request, url)) {
      await route.abort('aborted');
    } else if (!electron.session.defaultSession.allows(url)) {
      await route.abort('blockedbyclient');
    } else if (url === request.url()) {
      await route.continue();
    } else {
      await answer(route, request, url, electron);
    }
  });

/** Asks the session's own handlers which permissions the page has, and gives it those of the clipboard. */
export const grantPermissions = async (context: BrowserContext, origin: string, electron: StandIn): Promise<void> => {
  const { check } = electron.session.defaultSession;
  const allowed =
    check === null ||
    Reflect.apply(check, undefined, [null, 'clipboard-sanitized-write', fromChromium(`${origin}/`), {}]);
  await context.grantPermissions(allowed === true ? ['clipboard-write'] : [], { origin });
};
