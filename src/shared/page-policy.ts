/**
 * The content security policy of the page, for both shells: its own scripts, styles, fonts and images, and nothing else.
 * `connect` lists what it may talk to besides its own origin (the browser version's WebSocket).
 *
 * @see https://www.w3.org/TR/CSP3/
 */
export const contentSecurityPolicy = (connect: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Whoever turns text into a page or a script is stopped, wherever the text comes from.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Headers every answer of either shell carries, besides the policy. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
};

const MIME_TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  wasm: 'application/wasm',
  txt: 'text/plain; charset=utf-8',
};

/** The media type of a page file by its extension; unknown ones are plain bytes, so that nothing guesses. */
export const mimeType = (fileName: string): string => {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(MIME_TYPES, extension) ? MIME_TYPES[extension] : undefined) ?? 'application/octet-stream';
};

/** Windows drops dots and spaces at the end of a name, so names of nothing else lead upwards there. */
const isPlainName = (segment: string): boolean => !/^[. ]*$/.test(segment) && !/[/\\:\0]/.test(segment);

/**
 * The path of a page file below the renderer's folder, one name a segment, from the path of a URL (`/` is the page
 * itself). Undefined for anything that could lead elsewhere: empty and dot segments, encoded separators, drive letters.
 */
export const pageFileSegments = (urlPath: string): readonly string[] | undefined => {
  if (urlPath === '/') {
    return ['index.html'];
  }
  if (!urlPath.startsWith('/')) {
    return undefined;
  }
  try {
    const segments = urlPath.slice(1).split('/').map(decodeURIComponent);
    return segments.every(isPlainName) ? segments : undefined;
  } catch {
    // A malformed escape (%zz) names no file.
    return undefined;
  }
};

/** How long a page file may be kept: names under `assets/` carry a hash of their content, all others never. */
export const cacheControl = (segments: readonly string[]): string =>
  segments.length > 1 && segments[0] === 'assets' ? 'public, max-age=31536000, immutable' : 'no-store';
