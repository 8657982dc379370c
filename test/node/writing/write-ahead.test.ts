import { describe, expect, it } from 'vitest';
import { writeAhead } from '../../../src/node/writing/write-ahead.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Chunks 0, 1, …, and a record of what happened in which order. */
const setUp = (count: number, failAt?: number) => {
  const log: string[] = [];
  async function* make(): AsyncGenerator<Uint8Array> {
    try {
      for (let index = 0; index < count; index += 1) {
        log.push(`make ${index}`);
        if (index === failAt) {
          throw new Error('cannot be made');
        }
        yield Uint8Array.of(index);
      }
    } finally {
      log.push('ended');
    }
  }
  return { log, chunks: make() };
};

describe('writing ahead', () => {
  it('begins each write first, and makes the next chunk meanwhile', async () => {
    const { log, chunks } = setUp(3);
    await writeAhead(chunks, async ([index]) => {
      log.push(`write ${index}`);
      await tick();
      log.push(`wrote ${index}`);
    });
    expect(log).toEqual([
      'make 0',
      'write 0',
      'make 1',
      'wrote 0',
      'write 1',
      'make 2',
      'wrote 1',
      'write 2',
      'ended',
      'wrote 2',
    ]);
  });

  it('writes nothing where there are no chunks', async () => {
    const { log, chunks } = setUp(0);
    await writeAhead(chunks, async () => expect.fail('nothing was to be written'));
    expect(log).toEqual(['ended']);
  });

  it('ends the generator when a write fails', async () => {
    const { log, chunks } = setUp(5);
    const writing = writeAhead(chunks, async () => {
      await tick();
      throw new Error('disk full');
    });
    await expect(writing).rejects.toThrow('disk full');
    expect(log).toEqual(['make 0', 'make 1', 'ended']);
  });

  it('waits for the write under way when a chunk cannot be made', async () => {
    const { log, chunks } = setUp(5, 1);
    const writing = writeAhead(chunks, async ([index]) => {
      await tick();
      log.push(`wrote ${index}`);
    });
    await expect(writing).rejects.toThrow('cannot be made');
    expect(log).toEqual(['make 0', 'make 1', 'ended', 'wrote 0']);
  });
});
