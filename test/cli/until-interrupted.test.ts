import { describe, expect, it } from 'vitest';
import { untilInterrupted } from '../../src/cli/until-interrupted.ts';

describe('untilInterrupted', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('aborts the work at %s and lets it end in order', async (signal) => {
    const ended = await untilInterrupted(
      (aborted) =>
        new Promise<string>((settle) => {
          aborted.addEventListener('abort', () => settle('cleaned up'));
          process.emit(signal);
        }),
    );
    expect(ended).toBe('cleaned up');
  });

  it('leaves no listener behind, whether the work ends well or not', async () => {
    const before = [process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')];
    await untilInterrupted(() => Promise.resolve(1));
    await expect(untilInterrupted(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual(before);
  });
});
