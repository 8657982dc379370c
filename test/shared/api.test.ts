import { describe, expect, it } from 'vitest';
import { MENU_COMMANDS, METHODS, PAGE_LIMIT, PAGE_METHODS, TEXT_PAGE_LIMIT } from '../../src/shared/api.ts';

describe('what a window may ask for', () => {
  const accepts = (method: keyof typeof METHODS, params: unknown): boolean => METHODS[method].safeParse(params).success;

  it.each<readonly [keyof typeof METHODS, unknown]>([
    ['open', { kind: 'path', path: '/m.safetensors' }],
    ['open', { kind: 'sample' }],
    ['open', { kind: 'page-file', fileId: 0, name: 'm', size: 0 }],
    ['tensors', { sessionId: 1, start: 0, count: PAGE_LIMIT }],
    ['values', { sessionId: 1, tensorId: 0, slice: '0,:', limit: 100 }],
    ['pickleEvents', { sessionId: 1, grades: ['dangerous', 'unknown'], start: 0, count: TEXT_PAGE_LIMIT }],
    ['valueChildren', { sessionId: 1, tree: 0, at: [0, 3], start: 0, count: 10 }],
    ['histogram', { sessionId: 1, tensorId: 0, bins: 128, low: -1, high: 1 }],
    ['close', { sessionId: 1 }],
  ])('%s %j', (method, params) => {
    expect(accepts(method, params)).toBe(true);
  });

  it.each<readonly [keyof typeof METHODS, unknown]>([
    ['open', undefined],
    ['open', {}],
    ['open', { kind: 'path', path: '' }],
    ['open', { kind: 'path', path: 'x'.repeat(65_537) }],
    ['open', { kind: 'path', path: ['a'] }],
    ['open', { kind: 'sample', path: '/etc/passwd' }],
    ['open', { kind: 'page-file', fileId: 0, name: 'm', size: -1 }],
    ['open', { kind: 'page-file', fileId: 0, name: 'm', size: 0.5 }],
    ['tensors', { sessionId: 1, start: 0, count: PAGE_LIMIT + 1 }],
    ['tensors', { sessionId: -1, start: 0, count: 1 }],
    ['tensors', { sessionId: '1', start: 0, count: 1 }],
    ['tensors', { sessionId: 1, start: 2 ** 53, count: 1 }],
    ['values', { sessionId: 1, tensorId: 0, limit: 0 }],
    ['pickleEvents', { sessionId: 1, grades: ['safe'], start: 0, count: 10 }],
    ['pickleEvents', { sessionId: 1, grades: [], start: 0, count: TEXT_PAGE_LIMIT + 1 }],
    ['findPickleEvent', { sessionId: 1, pickle: -1, byte: 0, grades: [] }],
    ['valueChildren', { sessionId: 1, tree: 0, at: [-1], start: 0, count: 10 }],
    ['valueText', { sessionId: 1, tree: 0, at: new Array(1001).fill(0) }],
    ['values', { sessionId: 1, tensorId: 0, limit: Number.POSITIVE_INFINITY }],
    ['values', { sessionId: 1, tensorId: 0, slice: ':'.repeat(10_001), limit: 1 }],
    ['histogram', { sessionId: 1, tensorId: 0, bins: 0 }],
    ['histogram', { sessionId: 1, tensorId: 0, bins: 65_537 }],
    ['histogram', { sessionId: 1, tensorId: 0, bins: 8, low: Number.NaN }],
    ['close', { sessionId: 1, more: true }],
    ['shell', { anything: 1 }],
  ])('not %s %j', (method, params) => {
    expect(accepts(method, params)).toBe(false);
  });

  it('refuses fields it does not know, in every method', () => {
    for (const [name, schema] of Object.entries(METHODS)) {
      expect([name, schema.safeParse({ __unknown: 1 }).success]).toEqual([name, false]);
    }
  });
});

describe('what a service may ask a page for', () => {
  it('is a range of a file, and nothing else', () => {
    const { readPageFile } = PAGE_METHODS;
    expect(Object.keys(PAGE_METHODS)).toEqual(['readPageFile']);
    expect(readPageFile.safeParse({ fileId: 0, offset: 0, length: 10 }).success).toBe(true);
    expect(readPageFile.safeParse({ fileId: 0, offset: -1, length: 10 }).success).toBe(false);
    expect(readPageFile.safeParse({ fileId: 0, offset: 0, length: 1.5 }).success).toBe(false);
  });
});

it('menu commands are distinct', () => {
  expect(new Set(MENU_COMMANDS).size).toBe(MENU_COMMANDS.length);
});
