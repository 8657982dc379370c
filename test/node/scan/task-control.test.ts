import { describe, expect, it } from 'vitest';
import { TaskControl } from '../../../src/node/scan/task-control.ts';

describe('TaskControl', () => {
  it('shares its flag and its count through its memory', () => {
    const owner = new TaskControl();
    const worker = new TaskControl(owner.memory);
    worker.advance(2 ** 40);
    worker.advance(5);
    expect(owner.bytesDone).toBe(2 ** 40 + 5);
    expect(worker.cancelled).toBe(false);
    owner.cancel();
    expect(worker.cancelled).toBe(true);
  });
});
