import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isExternalLink } from '../../src/main/external-links.ts';
import { isPageUrl, PAGE_URL, pageUrl } from '../../src/main/page-address.ts';
import { answerPageRequest } from '../../src/main/page-scheme.ts';

vi.mock('electron', async () => (await import('../electron/stand-in.ts')).createStandIn());

let base = '';
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'loupe-scheme-'));
  mkdirSync(join(base, 'renderer/assets'), { recursive: true });
  writeFileSync(join(base, 'renderer/index.html'), '<!doctype html>');
  writeFileSync(join(base, 'renderer/assets/x.css'), 'a{}');
  writeFileSync(join(base, 'secret'), 'secret');
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const ask = (url: string, method = 'GET'): Promise<Response> =>
  answerPageRequest(new Request(url, { method }), join(base, 'renderer'));

describe('the app: scheme', () => {
  it('serves the page under a strict policy', async () => {
    const response = await ask('app://loupe/');
    expect(await response.text()).toBe('<!doctype html>');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(response.headers.get('content-security-policy')).toContain("connect-src 'self';");
  });

  it('serves its files', async () => {
    const response = await ask('app://loupe/assets/x.css?v=1');
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([
      200,
      'a{}',
      'text/css; charset=utf-8',
    ]);
  });

  it.each([
    'app://loupe/../secret',
    'app://loupe/%2e%2e/secret',
    'app://loupe/..%2fsecret',
    'app://loupe/assets/..%5c..%5csecret',
    'app://loupe/assets',
    'app://loupe/missing',
    'app://loupe//etc/passwd',
  ])('does not serve %s', async (url) => {
    const response = await ask(url);
    expect([response.status, await response.text()]).toEqual([404, 'not found\n']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('answers no other host and no other method', async () => {
    expect((await ask('app://evil/')).status).toBe(403);
    expect((await ask('app://loupe/', 'POST')).status).toBe(403);
  });
});

describe('our page', () => {
  it('is the packaged one, unless a development server is set and the program is not packaged', () => {
    expect(pageUrl(true, 'http://localhost:5173')).toBe(PAGE_URL);
    expect(pageUrl(false, undefined)).toBe(PAGE_URL);
    expect(pageUrl(false, '')).toBe(PAGE_URL);
    expect(pageUrl(false, 'http://localhost:5173')).toBe('http://localhost:5173');
  });

  it('is told by scheme and host', () => {
    expect(isPageUrl('app://loupe/x#y', PAGE_URL)).toBe(true);
    for (const url of [
      'app://loupe.evil/',
      'app://x@loupe/',
      'apps://loupe/',
      'https://loupe/',
      'loupe',
      '',
      'file:///',
    ]) {
      expect(isPageUrl(url, PAGE_URL)).toBe(false);
    }
  });
});

describe('links that may be opened outside', () => {
  it('are https, and known to the letter', () => {
    expect(isExternalLink('https://huggingface.co/docs/safetensors/index')).toBe(true);
    for (const url of [
      'https://huggingface.co/docs/safetensors/index?x',
      'http://huggingface.co/docs/safetensors/index',
      '',
    ]) {
      expect(isExternalLink(url)).toBe(false);
    }
  });
});
