import { afterEach, describe, expect, it, vi } from 'vitest';
import { progressBar, scanProgress } from '../../src/cli/scan-progress.ts';

const GIB = 1024 ** 3;

/** What is written to stderr while it claims to be a terminal, or not. */
const written = (isTerminal: boolean, work: () => void): string => {
  let text = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: isTerminal, configurable: true });
  const methods = { cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const had = Object.keys(methods).map((key) => [key, Object.getOwnPropertyDescriptor(process.stderr, key)] as const);
  Object.assign(process.stderr, methods);
  try {
    work();
  } finally {
    for (const [key, descriptor] of [...had, ['isTTY', before] as const]) {
      if (descriptor === undefined) {
        Reflect.deleteProperty(process.stderr, key);
      } else {
        Object.defineProperty(process.stderr, key, descriptor);
      }
    }
  }
  return text;
};

const run = (bytes: number) => () => {
  const bar = scanProgress(bytes);
  bar.update(bytes / 2);
  bar.stop();
};

describe('progress on stderr', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is shown on a terminal for work that takes a while', () => {
    expect(written(true, run(GIB))).toContain('scanning');
  });

  it('is silent for little work, and where stderr is no terminal', () => {
    expect(written(true, run(1024))).toBe('');
    expect(written(false, run(GIB))).toBe('');
  });

  it('begins with the first report where the size is known only then', () => {
    expect(
      written(true, () => {
        const bar = progressBar('writing');
        bar.stop();
      }),
    ).toBe('');
    expect(
      written(true, () => {
        const bar = progressBar('writing');
        bar.update(0, GIB);
        bar.update(GIB, GIB);
        bar.stop();
      }),
    ).toContain('writing');
  });
});
