/** Chromium knows no schemes of an application's own: the stand-in's pages lie under an https origin that stands for one. */
const SUFFIX = '.electron.test';

/** `app://loupe/x` becomes `https://loupe.app.electron.test/x`; other addresses stay. */
export const toChromium = (url: string, schemes: Iterable<string>): string => {
  const { protocol, host, pathname, search, hash } = new URL(url);
  const scheme = protocol.slice(0, -1);
  return [...schemes].includes(scheme) ? `https://${host}.${scheme}${SUFFIX}${pathname}${search}${hash}` : url;
};

/** The other way round. */
export const fromChromium = (url: string): string => {
  if (!URL.canParse(url)) {
    return url;
  }
  const { hostname, pathname, search, hash } = new URL(url);
  if (!hostname.endsWith(SUFFIX)) {
    return url;
  }
  const labels = hostname.slice(0, -SUFFIX.length).split('.');
  const scheme = labels.at(-1) ?? '';
  return `${scheme}://${labels.slice(0, -1).join('.')}${pathname}${search}${hash}`;
};
