import { describe, expect, it } from 'vitest';
import { cacheControl, contentSecurityPolicy, mimeType, pageFileSegments } from '../../src/shared/page-policy.ts';

describe('the content security policy', () => {
  it('allows the page itself and nothing else', () => {
    expect(contentSecurityPolicy()).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
  });

  it('names further places to talk to', () => {
    expect(contentSecurityPolicy(['ws://127.0.0.1:7'])).toContain("connect-src 'self' ws://127.0.0.1:7;");
  });

  it('never allows inline or evaluated code', () => {
    expect(contentSecurityPolicy()).not.toMatch(/unsafe|\*/);
  });
});

describe('the path of a page file', () => {
  it.each([
    ['/', ['index.html']],
    ['/index.html', ['index.html']],
    ['/assets/index-abc.js', ['assets', 'index-abc.js']],
    ['/a%20b.txt', ['a b.txt']],
    ['/..name', ['..name']],
  ])('%s leads to %j', (path, segments) => {
    expect(pageFileSegments(path)).toEqual(segments);
  });

  it.each([
    '',
    'index.html',
    '//etc/passwd',
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/..%5cpackage.json',
    '/..\\package.json',
    '/c:/windows/win.ini',
    '/assets//x',
    '/assets/',
    '/./x',
    '/.../x',
    '/%20/x',
    '/..%20/package.json',
    '/x%00.html',
    '/%zz',
    '/%c0%ae%c0%ae/x',
  ])('%s leads nowhere', (path) => {
    expect(pageFileSegments(path)).toBeUndefined();
  });
});

describe('the media type', () => {
  it.each([
    ['index.html', 'text/html; charset=utf-8'],
    ['x.JS', 'text/javascript; charset=utf-8'],
    ['x.css', 'text/css; charset=utf-8'],
    ['x.woff2', 'font/woff2'],
    ['x.wasm', 'application/wasm'],
    ['x.safetensors', 'application/octet-stream'],
    ['constructor', 'application/octet-stream'],
    ['.__proto__', 'application/octet-stream'],
  ])('of %s is %s', (name, type) => {
    expect(mimeType(name)).toBe(type);
  });
});

describe('caching', () => {
  it('keeps files whose name holds their hash, and no other', () => {
    expect(cacheControl(['assets', 'index-abc.js'])).toContain('immutable');
    expect(cacheControl(['index.html'])).toBe('no-store');
    expect(cacheControl(['assets'])).toBe('no-store');
  });
});
