import { describe, expect, it } from 'vitest';
import { forEachBounded } from '../../../src/node/scan/for-each-bounded.ts';

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

describe('forEachBounded', () => {
  it('does every item, never more than the limit at once', async () => {
    let running = 0;
    let most = 0;
    const done: number[] = [];
    await forEachBounded(
      Array.from({ length: 50 }, (_, index) => index),
      3,
      async (item) => {
        running += 1;
        most = Math.max(most, running);
        await tick();
        running -= 1;
        done.push(item);
      },
    );
    expect(most).toBe(3);
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  it('begins nothing after a failure, waits for what is under way, and throws it', async () => {
    const begun: number[] = [];
    let finished = 0;
    const work = forEachBounded([0, 1, 2, 3, 4, 5], 2, async (item) => {
      begun.push(item);
      await tick();
      if (item === 0) {
        throw new Error('first');
      }
      await tick();
      finished += 1;
    });
    await expect(work).rejects.toThrow('first');
    expect(begun).toEqual([0, 1]);
    expect(finished).toBe(1);
  });

  it('takes items only when there is room', async () => {
    let taken = 0;
    function* items(): Generator<number> {
      for (;;) {
        taken += 1;
        yield taken;
      }
    }
    await expect(
      forEachBounded(items(), 2, async () => {
        throw new Error('stop');
      }),
    ).rejects.toThrow('stop');
    expect(taken).toBeLessThanOrEqual(3);
  });
});
