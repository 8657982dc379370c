import { describe, expect, it } from 'vitest';
import { CancelledError, isLoupeError, LoupeError, throwIfAborted } from '../../src/shared/errors.ts';

describe('errors', () => {
  it('carry a code, a sentence, details and a cause', () => {
    const cause = new Error('EIO');
    const error = new LoupeError('io', 'the disk failed', { path: '/m' }, { cause });
    expect(error).toMatchObject({
      name: 'LoupeError',
      code: 'io',
      message: 'the disk failed',
      details: { path: '/m' },
    });
    expect(error.cause).toBe(cause);
    expect(new LoupeError('io', 'x').details).toEqual({});
  });

  it.each([new Error('x'), { code: 'io', message: 'x' }, undefined, null, 'io'])('%s is none of ours', (value) => {
    expect(isLoupeError(value)).toBe(false);
  });
});

describe('cancelling', () => {
  it('throws only once the signal was aborted', () => {
    const controller = new AbortController();
    expect(() => throwIfAborted(undefined)).not.toThrow();
    expect(() => throwIfAborted(controller.signal)).not.toThrow();
    controller.abort();
    expect(() => throwIfAborted(controller.signal, 'the scan')).toThrow(CancelledError);
    expect(() => throwIfAborted(controller.signal, 'the scan')).toThrow('the scan was cancelled');
    expect(new CancelledError()).toMatchObject({ code: 'cancelled', message: 'the work was cancelled' });
  });
});
