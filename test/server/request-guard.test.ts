import { describe, expect, it } from 'vitest';
import { checkPageRequest, checkRequest, checkUpgrade, sameSecret } from '../../src/server/request-guard.ts';

const PORT = 4321;
const TOKEN = 'a'.repeat(43);

describe('a request', () => {
  it.each(['127.0.0.1:4321', 'localhost:4321', '[::1]:4321', 'LOCALHOST:4321'])('to %s is let in', (host) => {
    expect(checkRequest({ host }, PORT)).toBeUndefined();
    expect(checkRequest({ host, origin: `http://${host}` }, PORT)).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    'localhost',
    '127.0.0.1',
    '127.0.0.1:4322',
    'evil.example:4321',
    '127.0.0.1.evil.example:4321',
    '0.0.0.0:4321',
  ])('to %s is refused', (host) => {
    expect(checkRequest({ host }, PORT)).toMatchObject({ status: 403 });
  });

  it.each([
    '',
    'null',
    'http://localhost:4321',
    'https://127.0.0.1:4321',
    'http://127.0.0.1:4322',
    'http://evil.example',
    'http://127.0.0.1:4321.evil.example',
  ])('from a page of "%s" is refused', (origin) => {
    expect(checkRequest({ host: '127.0.0.1:4321', origin }, PORT)).toMatchObject({ status: 403 });
  });

  it('names no port on the usual one', () => {
    expect(checkRequest({ host: 'localhost' }, 80)).toBeUndefined();
  });
});

describe('a request over HTTP', () => {
  const ask = (site: string | undefined, mode?: string, dest?: string) =>
    checkPageRequest(
      {
        host: '127.0.0.1:4321',
        ...(site === undefined ? {} : { 'sec-fetch-site': site }),
        ...(mode === undefined ? {} : { 'sec-fetch-mode': mode }),
        ...(dest === undefined ? {} : { 'sec-fetch-dest': dest }),
      },
      PORT,
    );

  it.each([
    ['a client that is no browser', undefined, undefined, undefined],
    ['the address bar', 'none', 'navigate', 'document'],
    ['our page', 'same-origin', 'cors', 'script'],
    ['a link on another page', 'cross-site', 'navigate', 'document'],
  ])('of %s is let in', (_name, site, mode, dest) => {
    expect(ask(site, mode, dest)).toBeUndefined();
  });

  it.each([
    ['a script of another page', 'cross-site', 'no-cors', 'script'],
    ['a fetch from another port of this machine', 'same-site', 'cors', 'empty'],
    ['a frame of another page', 'cross-site', 'navigate', 'iframe'],
    ['an object of another page', 'cross-site', 'navigate', 'object'],
    ['a page that does not say what for', 'cross-site', undefined, undefined],
  ])('of %s is refused', (_name, site, mode, dest) => {
    expect(ask(site, mode, dest)).toMatchObject({ status: 403 });
  });

  it('is checked as every other', () => {
    expect(checkPageRequest({ host: 'evil.example', 'sec-fetch-site': 'none' }, PORT)).toMatchObject({ status: 403 });
  });
});

describe('a WebSocket', () => {
  const headers = { host: '127.0.0.1:4321', origin: 'http://127.0.0.1:4321' };

  it('with the token is let in', () => {
    expect(checkUpgrade(`/ws?token=${TOKEN}`, headers, PORT, TOKEN)).toBeUndefined();
  });

  it.each([
    ['without a token', '/ws', 401],
    ['with an empty token', '/ws?token=', 401],
    ['with a wrong token', `/ws?token=${'b'.repeat(43)}`, 401],
    ['with half a token', `/ws?token=${'a'.repeat(20)}`, 401],
    ['with the token under another name', `/ws?Token=${TOKEN}`, 401],
    ['elsewhere', `/wss?token=${TOKEN}`, 404],
    ['at no address', undefined, 404],
  ])('%s is refused', (_name, url, status) => {
    expect(checkUpgrade(url, headers, PORT, TOKEN)).toMatchObject({ status });
  });

  it('without an Origin is refused, token or not', () => {
    expect(checkUpgrade(`/ws?token=${TOKEN}`, { host: '127.0.0.1:4321' }, PORT, TOKEN)).toMatchObject({ status: 403 });
  });

  it('from another page is refused, token or not', () => {
    const foreign = { ...headers, origin: 'http://evil.example' };
    expect(checkUpgrade(`/ws?token=${TOKEN}`, foreign, PORT, TOKEN)).toMatchObject({ status: 403 });
  });
});

describe('secrets', () => {
  it('are compared whole, whatever their lengths', () => {
    expect(sameSecret('abc', 'abc')).toBe(true);
    expect(sameSecret('abc', 'abcd')).toBe(false);
    expect(sameSecret('', 'abc')).toBe(false);
  });
});
