import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nameOfFile, safeFileName, UniqueFileNames } from '../../../src/core/writing/file-names.ts';

describe('safeFileName', () => {
  it.each([
    ['model.layers.0.weight', 'model.layers.0.weight'],
    ['../../etc/passwd', '%2E.%2F..%2Fetc%2Fpasswd'],
    ['C:\\x', 'C%3A%5Cx'],
    ['con', '%63on'],
    ['CON.weight', '%43ON.weight'],
    ['', '%'],
    ['.', '%2E'],
    ['..', '%2E%2E'],
    ['-rf', '%2Drf'],
    ['a.', 'a%2E'],
    ['é', '%C3%A9'],
    ['100%', '100%25'],
  ])('%j becomes %j', (name, expected) => {
    expect(safeFileName(name)).toBe(expected);
  });

  it('is reversible by decoding, and safe everywhere, for every name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), (name) => {
        const file = safeFileName(name);
        expect(file).toMatch(/^[A-Za-z0-9._%~-]+$/);
        expect(file).not.toMatch(/^[.-]|\.$/);
        if (!file.includes('~')) {
          expect(decodeURIComponent(file)).toBe(name);
        }
      }),
    );
  });

  it('cuts a long name, telling two of them apart', () => {
    const a = safeFileName(`${'x'.repeat(5000)}a`);
    const b = safeFileName(`${'x'.repeat(5000)}b`);
    expect(a.length).toBeLessThanOrEqual(200);
    expect(a).not.toBe(b);
    expect(safeFileName('\u{1f600}'.repeat(200))).toMatch(/^(%[0-9A-F]{2})+~[0-9a-f]{8}$/);
  });
});

describe('UniqueFileNames', () => {
  it('numbers names that clash on a disk without case', () => {
    const names = new UniqueFileNames();
    expect(['a', 'A', 'a', 'b'].map((name) => names.take(name))).toEqual(['a', 'A~2', 'a~3', 'b']);
  });
});

describe('nameOfFile', () => {
  it('gives every name back, also those that clashed', () => {
    const odd = fc.constantFrom(
      '',
      '%',
      '~',
      'a~2',
      'CON',
      'con',
      '..',
      '.a',
      '-a',
      'a.',
      'A/B',
      'a/b',
      '\u0000',
      '\u202e',
      '😀',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.string({ unit: 'grapheme', maxLength: 20 }))), (tensors) => {
        const names = new UniqueFileNames();
        const files = tensors.map((tensor) => names.take(tensor));
        expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
        expect(files.map(nameOfFile)).toEqual(tensors);
      }),
    );
  });

  it('knows none for a name that was cut, or is not ours', () => {
    expect(nameOfFile(safeFileName('x'.repeat(300)))).toBeUndefined();
    for (const name of ['a b', '%zz', '%C3', 'a/b', '', 'a~x']) {
      expect(nameOfFile(name), name).toBeUndefined();
    }
  });

  it('does not search for thousands of clashes one by one', () => {
    const names = new UniqueFileNames();
    for (let time = 0; time < 50_000; time += 1) {
      names.take('same');
    }
    expect(names.take('SAME')).toBe('SAME~50001');
  });
});
