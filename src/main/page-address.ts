/** Scheme and host the packaged page is served under. */
export const PAGE_SCHEME = 'app';
export const PAGE_HOST = 'loupe';
export const PAGE_URL = `${PAGE_SCHEME}://${PAGE_HOST}/`;

/**
 * Where the page is loaded from: the `app:` scheme, or the development server's address when the program runs unpackaged
 * and electron-vite has set one.
 */
export const pageUrl = (packaged: boolean, developmentUrl: string | undefined): string =>
  !packaged && developmentUrl !== undefined && developmentUrl !== '' ? developmentUrl : PAGE_URL;

/** Whether a URL leads to a network at all. */
export const isNetworkUrl = (url: string): boolean => /^(https?|wss?|ftp):/i.test(url);

/** Whether a URL belongs to the page (same scheme and host, hence the same origin). */
export const isPageUrl = (url: string, page: string): boolean => {
  if (!URL.canParse(url)) {
    return false;
  }
  const one = new URL(url);
  const own = new URL(page);
  return one.protocol === own.protocol && one.host === own.host && one.username === '' && one.password === '';
};
