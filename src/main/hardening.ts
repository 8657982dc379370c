import { app, type Session, session, shell, type WebContents } from 'electron';
import { isExternalLink } from './external-links.ts';
import { isNetworkUrl, isPageUrl } from './page-address.ts';

/** Opens an address in the system's browser when it is on the fixed list; otherwise nothing happens. */
export const openExternally = (url: string): void => {
  if (isExternalLink(url)) {
    shell.openExternal(url).catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
};

/** Denies everything a page could use to become another page or to get another window. A reload is no other page. */
const hardenContents = (contents: WebContents): void => {
  const refuse = (event: { readonly url: string; preventDefault(): void }): void => {
    if (event.url !== contents.getURL()) {
      event.preventDefault();
    }
  };
  contents.on('will-navigate', refuse);
  contents.on('will-frame-navigate', refuse);
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openExternally(url);
    return { action: 'deny' };
  });
};

/** Denies permissions, devices, downloads and the network; the page may put text on the clipboard, and that is all. */
const hardenSession = (own: Session, page: string): void => {
  const allows = (permission: string, url: string): boolean =>
    permission === 'clipboard-sanitized-write' && isPageUrl(url, page);
  own.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(allows(permission, details.requestingUrl)),
  );
  own.setPermissionCheckHandler((_contents, permission, origin) => allows(permission, origin));
  own.setDevicePermissionHandler(() => false);
  own.on('will-download', (event) => event.preventDefault());
  own.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, ({ url }, answer) =>
    answer({ cancel: isNetworkUrl(url) && !isPageUrl(url.replace(/^ws/i, 'http'), page) }),
  );
};

/** Sets the rules for every page there will be. Must run before the first window is made. */
export const hardenApp = (): void => {
  app.on('web-contents-created', (_event, contents) => hardenContents(contents));
};

/** Sets the rules of the default session. Must run after the application is ready and before the first window is made. */
export const hardenDefaultSession = (page: string): void => hardenSession(session.defaultSession, page);
