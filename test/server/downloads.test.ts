import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contentDisposition, Downloads, TICKET_LIMIT, TICKET_MILLISECONDS } from '../../src/server/downloads.ts';

const download = (fileName = 'x.f32') => ({
  fileName,
  bytes: 0,
  chunks: Readable.from([]),
  finish: vi.fn(),
});

describe('download tickets', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are good for one time', () => {
    const downloads = new Downloads();
    const one = download();
    const ticket = downloads.issue(one);
    expect(downloads.take(ticket)).toBe(one);
    expect(downloads.take(ticket)).toBeUndefined();
    expect(one.finish).not.toHaveBeenCalled();
  });

  it('hold 256 random bits', () => {
    const downloads = new Downloads();
    const tickets = Array.from({ length: 20 }, () => downloads.issue(download()));
    expect(new Set(tickets).size).toBe(20);
    for (const ticket of tickets) {
      expect(Buffer.from(ticket, 'base64url')).toHaveLength(32);
    }
    downloads.clear();
  });

  it('run out, and what was made ready is let go', () => {
    const downloads = new Downloads();
    const one = download();
    const ticket = downloads.issue(one);
    vi.advanceTimersByTime(TICKET_MILLISECONDS);
    expect(downloads.take(ticket)).toBeUndefined();
    expect(one.finish).toHaveBeenCalledTimes(1);
  });

  it('do not pile up: the oldest makes room', () => {
    const downloads = new Downloads();
    const all = Array.from({ length: TICKET_LIMIT + 1 }, () => download());
    const tickets = all.map((one) => downloads.issue(one));
    expect(all[0]?.finish).toHaveBeenCalledTimes(1);
    expect(downloads.take(tickets[0] ?? '')).toBeUndefined();
    expect(downloads.take(tickets[1] ?? '')).toBe(all[1]);
    downloads.clear();
    expect(all[2]?.finish).toHaveBeenCalledTimes(1);
    expect(all[1]?.finish).not.toHaveBeenCalled();
  });
});

describe('the name of a download', () => {
  it.each([
    ['a.f32', `attachment; filename="a.f32"; filename*=UTF-8''a.f32`],
    ['größe 100%.npy', `attachment; filename="gr__e 100_.npy"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20100%25.npy`],
    ["it's (1)!.csv", `attachment; filename="it's (1)!.csv"; filename*=UTF-8''it%27s%20%281%29%21.csv`],
    ['../../etc/passwd', `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''.._.._etc_passwd`],
    [
      'a"; x="\r\nSet-Cookie: y',
      `attachment; filename="a_; x=___Set-Cookie_ y"; filename*=UTF-8''a_%3B%20x%3D___Set-Cookie_%20y`,
    ],
    ['exe\u202etxt.\ud800', `attachment; filename="exe_txt._"; filename*=UTF-8''exe_txt._`],
  ])('%j is sent as one header that no old or new browser misreads', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });
});
