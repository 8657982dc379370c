import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Why a request is turned away, with the HTTP status that says so. */
export interface Refusal {
  readonly status: 401 | 403 | 404;
  readonly reason: string;
}

/** The names under which a server on loopback may be addressed; anything else may be a rebound DNS name. */
const hostNames = (port: number): readonly string[] => {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return port === 80 ? names : names.map((name) => `${name}:${port}`);
};

/**
 * Checks where a request was sent and where it comes from. The Host must be a loopback name with our port (else a page
 * elsewhere reached us by rebinding its own name); an Origin, when there is one, must be the page we served.
 */
export const checkRequest = (headers: IncomingHttpHeaders, port: number): Refusal | undefined => {
  const { host, origin } = headers;
  if (host === undefined || !hostNames(port).includes(host.toLowerCase())) {
    return { status: 403, reason: 'this host name is not served here' };
  }
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) {
    return { status: 403, reason: 'requests from other pages are refused' };
  }
  return undefined;
};

/**
 * Checks a request over HTTP: everything {@link checkRequest} does, and what browsers say of themselves (other clients say
 * nothing). Another page may link to ours, but neither load it into a frame nor load parts of it.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export const checkPageRequest = (headers: IncomingHttpHeaders, port: number): Refusal | undefined => {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  const isLink = mode === 'navigate' && destination === 'document';
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  return (
    checkRequest(headers, port) ??
    (isForeign && !isLink ? { status: 403, reason: 'requests from other pages are refused' } : undefined)
  );
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two secrets in time that tells nothing about where they differ. */
export const sameSecret = (given: string, wanted: string): boolean => timingSafeEqual(digest(given), digest(wanted));

/** Checks the opening of a WebSocket: everything {@link checkRequest} does, an Origin, the address and the token. */
export const checkUpgrade = (
  url: string | undefined,
  headers: IncomingHttpHeaders,
  port: number,
  token: string,
): Refusal | undefined => {
  const refusal = checkRequest(headers, port);
  if (refusal !== undefined) {
    return refusal;
  }
  if (headers.origin === undefined) {
    return { status: 403, reason: 'a WebSocket needs an Origin' };
  }
  const [path, query] = (url ?? '').split('?', 2);
  if (path !== '/ws') {
    return { status: 404, reason: 'there is no WebSocket here' };
  }
  const given = new URLSearchParams(query).get('token') ?? '';
  return sameSecret(given, token) ? undefined : { status: 401, reason: 'wrong token' };
};
