import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { connect, RemoteError } from '../../src/rpc/connect.ts';
import { encodeFrame } from '../../src/rpc/encode-frame.ts';
import { openMessages } from '../../src/rpc/messages.ts';
import { type Handler, serve } from '../../src/rpc/serve.ts';
import { memoryWirePair } from '../../src/rpc/wires.ts';
import { CancelledError, LoupeError, throwIfAborted } from '../../src/shared/errors.ts';

const PARSERS = {
  echo: z.unknown(),
  half: z.strictObject({ of: z.number() }),
  wait: z.strictObject({}),
  fail: z.strictObject({}),
  odd: z.strictObject({}),
  missing: z.strictObject({}),
};

/** A wire with both ends up, and what became of the calls that wait. */
const setUp = () => {
  const [near, far] = memoryWirePair();
  const aborted: string[] = [];
  const handlers: Record<string, Handler> = {
    echo: async (params) => params,
    half: async ({ of }: { of: number }) => of / 2,
    wait: (_params, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.push('wait');
          reject(new Error('socket hung up'));
        });
      }),
    fail: async () => {
      throw new LoupeError('out-of-range', 'too far', { offset: 7, source: 'x', flag: true });
    },
    odd: async () => () => 'a function cannot cross',
  };
  const served = serve(openMessages(far), PARSERS, handlers);
  const connection = connect(openMessages(near));
  return { near, far, served, connection, aborted };
};

const tick = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe('a call', () => {
  it('is answered, many at a time, each by its own answer', async () => {
    const { connection } = setUp();
    const answers = await Promise.all([1, 2, 3].map((of) => connection.call('half', { of })));
    expect(answers).toEqual([0.5, 1, 1.5]);
  });

  it('brings back typed arrays, bigint, NaN and undefined as they were', async () => {
    const { connection } = setUp();
    const value = { bytes: new Uint8Array([1]), big: 2n ** 60n, nan: Number.NaN, zero: -0 };
    expect(await connection.call('echo', value)).toStrictEqual(value);
    expect(await connection.call('echo', undefined)).toBeUndefined();
  });

  it.each(['nothing', '__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'of an unknown method %s is refused',
    async (name) => {
      const { connection } = setUp();
      await expect(connection.call(name, {})).rejects.toMatchObject({ code: 'unknown-method' });
    },
  );

  it('of a method that nobody handles here is refused', async () => {
    await expect(setUp().connection.call('missing', {})).rejects.toMatchObject({ code: 'unknown-method' });
  });

  it.each([[{ of: 'x' }], [{}], [{ of: 1, more: 2 }], [null], [[1]]])(
    'with wrong parameters %j is refused',
    async (params) => {
      const { connection } = setUp();
      await expect(connection.call('half', params)).rejects.toMatchObject({ code: 'bad-params' });
    },
  );

  it('that fails rejects with the code, the message and the details of the error', async () => {
    const error = await setUp()
      .connection.call('fail', {})
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RemoteError);
    expect(error).toMatchObject({
      code: 'out-of-range',
      message: 'too far',
      details: { offset: 7, source: 'x', flag: true },
    });
  });

  it('whose answer cannot cross rejects, and the wire lives on', async () => {
    const { connection } = setUp();
    await expect(connection.call('odd', {})).rejects.toMatchObject({ code: 'not-sendable' });
    expect(await connection.call('half', { of: 4 })).toBe(2);
  });

  it('whose parameters cannot cross rejects, and the wire lives on', async () => {
    const { connection } = setUp();
    await expect(connection.call('echo', { f: () => 1 })).rejects.toMatchObject({ code: 'not-sendable' });
    expect(await connection.call('half', { of: 4 })).toBe(2);
  });
});

describe('cancelling', () => {
  it('rejects at once and aborts the work on the other side', async () => {
    const { connection, aborted } = setUp();
    const controller = new AbortController();
    const call = connection.call('wait', {}, controller.signal);
    await tick();
    controller.abort();
    await expect(call).rejects.toBeInstanceOf(CancelledError);
    await tick();
    expect(aborted).toEqual(['wait']);
  });

  it('settles when the other side has cleaned up, where that is asked for', async () => {
    const [near, far] = memoryWirePair();
    let cleanUp = (): void => undefined;
    serve(openMessages(far), PARSERS, {
      wait: (_params, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            cleanUp = () => reject(new Error('called off'));
          });
        }),
    });
    const controller = new AbortController();
    const settled = vi.fn();
    const call = connect(openMessages(near)).call('wait', {}, controller.signal, 'when-answered');
    call.catch(settled);
    await tick();
    controller.abort();
    await tick();
    expect(settled).not.toHaveBeenCalled();
    cleanUp();
    await expect(call).rejects.toBeInstanceOf(CancelledError);
  });

  it('answers what was finished before it was called off', async () => {
    const [near, far] = memoryWirePair();
    serve(openMessages(far), PARSERS, {
      wait: (_params, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('finished'))),
    });
    const controller = new AbortController();
    const call = connect(openMessages(near)).call('wait', {}, controller.signal, 'when-answered');
    await tick();
    controller.abort();
    expect(await call).toBe('finished');
  });

  it('before the call sends nothing', async () => {
    const { near, connection } = setUp();
    const send = vi.spyOn(near, 'send');
    await expect(connection.call('wait', {}, AbortSignal.abort())).rejects.toBeInstanceOf(CancelledError);
    expect(send).not.toHaveBeenCalled();
  });

  it('after the answer does nothing', async () => {
    const { connection, near } = setUp();
    const controller = new AbortController();
    await connection.call('half', { of: 2 }, controller.signal);
    const send = vi.spyOn(near, 'send');
    controller.abort();
    expect(send).not.toHaveBeenCalled();
  });

  it('crosses as one code however the work fails on being called off', async () => {
    const [near, far] = memoryWirePair();
    const answers: unknown[] = [];
    openMessages(near).onMessage((message) => answers.push(message));
    serve(openMessages(far), PARSERS, {
      wait: (_params, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('AbortError')))),
    });
    near.send(encodeFrame({ kind: 'call', id: 1, method: 'wait', params: {} }));
    await tick();
    near.send(encodeFrame({ kind: 'cancel', id: 1 }));
    await tick();
    expect(answers).toMatchObject([{ kind: 'err', id: 1, error: { code: 'cancelled' } }]);
  });

  it('of the caller surfaces as CancelledError when the other side finds out first', async () => {
    const [near, far] = memoryWirePair();
    serve(openMessages(far), PARSERS, {
      wait: async () => throwIfAborted(AbortSignal.abort(), 'the work'),
    });
    await expect(connect(openMessages(near)).call('wait', {})).rejects.toBeInstanceOf(CancelledError);
  });
});

describe('closing', () => {
  it.each(['near', 'far'] as const)('from the %s end rejects calls and aborts their work', async (end) => {
    const ends = setUp();
    const call = ends.connection.call('wait', {});
    await tick();
    ends[end].close();
    await expect(call).rejects.toMatchObject({ code: 'wire-closed' });
    expect(ends.aborted).toEqual(['wait']);
    await expect(ends.connection.call('half', { of: 1 })).rejects.toMatchObject({ code: 'wire-closed' });
  });

  it('tells its listeners once', () => {
    const { connection, far } = setUp();
    const closed = vi.fn();
    connection.onClose(closed);
    far.close();
    connection.close();
    far.close();
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('silences events', async () => {
    const { served, connection, far } = setUp();
    const heard = vi.fn();
    connection.on('news', heard);
    far.close();
    served.emit('news', 1);
    await tick();
    expect(heard).not.toHaveBeenCalled();
  });
});

describe('events', () => {
  it('reach every listener of their name until it is taken off', async () => {
    const { served, connection } = setUp();
    const [one, two, other] = [vi.fn(), vi.fn(), vi.fn()];
    const off = connection.on('news', one);
    connection.on('news', two);
    connection.on('olds', other);
    served.emit('news', { n: 1n });
    await tick();
    off();
    served.emit('news', { n: 2n });
    await tick();
    expect(one.mock.calls).toEqual([[{ n: 1n }]]);
    expect(two.mock.calls).toEqual([[{ n: 1n }], [{ n: 2n }]]);
    expect(other).not.toHaveBeenCalled();
  });
});

describe('a wire is closed by', () => {
  const call = { kind: 'call', id: 1, method: 'wait', params: {} };
  it.each<[string, Uint8Array]>([
    ['bytes that are no frame', new Uint8Array([1, 2, 3])],
    ['a frame that is no message', encodeFrame(7)],
    ['null', encodeFrame(null)],
    ['a message of unknown kind', encodeFrame({ kind: 'shout', id: 1 })],
    ['a call without a method', encodeFrame({ kind: 'call', id: 1, params: {} })],
    ['an id that is no integer', encodeFrame({ ...call, id: 1.5 })],
    ['an error without a code', encodeFrame({ kind: 'err', id: 1, error: { message: 'x', details: {} } })],
    [
      'an error with nested details',
      encodeFrame({ kind: 'err', id: 1, error: { code: 'x', message: 'y', details: { a: {} } } }),
    ],
    ['an event without a name', encodeFrame({ kind: 'event', payload: 1 })],
  ])('%s', async (_name, frame) => {
    const { near, far, connection, aborted } = setUp();
    const closed = vi.fn();
    far.onClose(closed);
    const waiting = connection.call('wait', {});
    near.send(frame);
    await expect(waiting).rejects.toMatchObject({ code: 'wire-closed' });
    expect(closed).toHaveBeenCalledTimes(1);
    expect(aborted).toEqual(['wait']);
  });

  it('two calls with one id', async () => {
    const { near, far } = setUp();
    const closed = vi.fn();
    far.onClose(closed);
    near.send(encodeFrame(call));
    near.send(encodeFrame(call));
    await tick();
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('nothing else: answers and cancels of unknown calls are ignored', async () => {
    const { near, connection } = setUp();
    near.send(encodeFrame({ kind: 'cancel', id: 99 }));
    near.send(encodeFrame({ kind: 'ok', id: 99, result: 1 }));
    expect(await connection.call('half', { of: 2 })).toBe(1);
  });
});
