import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withPacedProgress } from '../../../src/node/service/paced-progress.ts';

it('passes on the first and the last report, and few in between', async () => {
  const told: number[] = [];
  const result = await withPacedProgress(
    (done) => told.push(done),
    async (report) => {
      for (let done = 1; done <= 1000; done += 1) {
        report(done, 1000);
      }
      return 'done';
    },
  );
  expect(result).toBe('done');
  expect(told[0]).toBe(1);
  expect(told.at(-1)).toBe(1000);
  expect(told.length).toBeLessThan(20);
});

it('reports what was done before a failure, and nothing where nothing was', async () => {
  const told: number[] = [];
  const failing = withPacedProgress(
    (done) => told.push(done),
    async (report) => {
      report(1, 3);
      report(2, 3);
      await pause(1);
      throw new Error('broken');
    },
  );
  await expect(failing).rejects.toThrow('broken');
  expect(told).toEqual([1, 2]);
  await withPacedProgress(undefined, async (report) => report(1, 1));
});
