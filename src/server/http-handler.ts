import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../shared/page-policy.ts';
import { contentDisposition, type Download, type Downloads } from './downloads.ts';
import { readPageFile } from './page-files.ts';
import { checkPageRequest } from './request-guard.ts';

/** What the HTTP half of the browser version serves. */
export interface HttpContext {
  /** The built page, `out/renderer`. */
  readonly pageFolder: string;
  readonly downloads: Downloads;
  /** The port that is listened on, known once listening. */
  readonly port: () => number;
}

const DOWNLOAD = /^\/download\/([\w-]{43})$/;

const refuse = (
  response: ServerResponse,
  status: number,
  reason: string,
  headers: Record<string, string> = {},
): void => {
  response
    .writeHead(status, {
      ...SECURITY_HEADERS,
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'Cache-Control': 'no-store',
      ...headers,
    })
    .end(`${reason}\n`);
};

const sendPageFile = async (request: IncomingMessage, response: ServerResponse, path: string, folder: string) => {
  const file = await readPageFile(folder, path);
  if (file === undefined) {
    refuse(response, 404, 'not found');
    return;
  }
  response
    .writeHead(200, {
      ...SECURITY_HEADERS,
      // Older browsers do not count a WebSocket of the same host as 'self'. The Host header has been checked.
      'Content-Security-Policy': contentSecurityPolicy([`ws://${request.headers.host ?? ''}`]),
      'Content-Type': file.type,
      'Content-Length': file.bytes.byteLength,
      'Cache-Control': file.cacheControl,
    })
    .end(request.method === 'HEAD' ? undefined : file.bytes);
};

/**
 * The chunks of a download, of which there are as many bytes as were announced; the last one only once it is the last.
 *
 * @throws Error when there are more or fewer, before the browser could take the file for whole.
 */
const asAnnounced = async function* ({ bytes, chunks }: Download): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  let sum = 0;
  for await (const chunk of chunks) {
    if (held !== undefined) {
      yield held;
    }
    held = chunk;
    sum += chunk.byteLength;
  }
  if (bytes !== undefined && bytes !== sum) {
    throw new Error(`${sum} bytes instead of ${bytes}`);
  }
  if (held !== undefined) {
    yield held;
  }
};

const sendDownload = async (response: ServerResponse, ticket: string, downloads: Downloads): Promise<void> => {
  const download = downloads.take(ticket);
  if (download === undefined) {
    refuse(response, 404, 'this download has been fetched or has expired; export again');
    return;
  }
  try {
    response.writeHead(200, {
      ...SECURITY_HEADERS,
      'Content-Security-Policy': "sandbox; default-src 'none'",
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': contentDisposition(download.fileName),
      'Cache-Control': 'no-store',
      ...(download.bytes === undefined ? {} : { 'Content-Length': download.bytes }),
    });
    await pipeline(Readable.from(asAnnounced(download)), response);
  } catch {
    // The head is out already: a broken connection is the one way left to say that the file is not whole.
    response.destroy();
  } finally {
    download.finish();
  }
};

const answer = async (request: IncomingMessage, response: ServerResponse, context: HttpContext): Promise<void> => {
  const refusal = checkPageRequest(request.headers, context.port());
  if (refusal !== undefined) {
    refuse(response, refusal.status, refusal.reason);
    return;
  }
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const ticket = DOWNLOAD.exec(path)?.[1];
  const isGet = request.method === 'GET';
  if (!isGet && (request.method !== 'HEAD' || ticket !== undefined)) {
    refuse(response, 405, 'only GET is answered here', { Allow: 'GET' });
  } else if (ticket !== undefined) {
    await sendDownload(response, ticket, context.downloads);
  } else {
    await sendPageFile(request, response, path, context.pageFolder);
  }
};

/** Answers requests for the page's files and for downloads; everything else is refused. */
export const createHttpHandler =
  (context: HttpContext): RequestListener =>
  (request, response) => {
    answer(request, response, context).catch((error: unknown) => {
      if (response.headersSent) {
        response.destroy();
      } else {
        refuse(response, 500, error instanceof Error ? error.message : 'internal error');
      }
    });
  };
