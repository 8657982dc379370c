import type { TestContext } from 'vitest';

/** Skips a test, saying why on the terminal too. */
export const skipBecause = (context: TestContext, reason: string): void => {
  process.stdout.write(`skipped: ${reason}\n`);
  context.skip(reason);
};

/** Skips a test about something that only POSIX systems have. */
export const skipOnWindows = (context: TestContext, what: string): void => {
  if (process.platform === 'win32') {
    skipBecause(context, `Windows has no ${what}`);
  }
};
