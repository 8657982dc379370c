import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocol } from 'electron';
import { contentSecurityPolicy, mimeType, pageFileSegments, SECURITY_HEADERS } from '../shared/page-policy.ts';
import { PAGE_HOST, PAGE_SCHEME } from './page-address.ts';

const refuse = (status: number, reason: string): Response =>
  new Response(`${reason}\n`, {
    status,
    headers: {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    },
  });

/** Reads a page file; undefined when there is none. */
const readOrUndefined = async (path: string): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  try {
    return new Uint8Array(await readFile(path));
  } catch {
    return undefined;
  }
};

/** Answers one request under the `app:` scheme from the folder of the built page. */
export const answerPageRequest = async (request: Request, folder: string): Promise<Response> => {
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.host !== PAGE_HOST) {
    return refuse(403, 'not answered here');
  }
  const segments = pageFileSegments(url.pathname);
  const bytes = segments === undefined ? undefined : await readOrUndefined(join(folder, ...segments));
  if (segments === undefined || bytes === undefined) {
    return refuse(404, 'not found');
  }
  return new Response(bytes, {
    headers: {
      ...SECURITY_HEADERS,
      'Content-Security-Policy': contentSecurityPolicy(),
      'Content-Type': mimeType(segments.at(-1) ?? ''),
    },
  });
};

/** Makes `app:` a scheme with an origin of its own. Must run before the application is ready. */
export const registerPageScheme = (): void => {
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
};

/** Serves the built page under `app:`. Must run after the application is ready and before a window loads. */
export const servePage = (folder: string): void => {
  protocol.handle(PAGE_SCHEME, (request) => answerPageRequest(request, folder));
};
