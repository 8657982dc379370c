import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createIdleClock } from '../../src/server/idle-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('rings when nobody ever came', () => {
  const ring = vi.fn();
  createIdleClock(10, ring);
  vi.advanceTimersByTime(9_999);
  expect(ring).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(ring).toHaveBeenCalledTimes(1);
});

it('waits while anybody is there, and starts anew when the last has left', () => {
  const ring = vi.fn();
  const clock = createIdleClock(10, ring);
  clock.enter();
  clock.enter();
  clock.leave();
  vi.advanceTimersByTime(60_000);
  clock.leave();
  vi.advanceTimersByTime(9_000);
  clock.enter();
  vi.advanceTimersByTime(60_000);
  expect(ring).not.toHaveBeenCalled();
  clock.leave();
  vi.advanceTimersByTime(10_000);
  expect(ring).toHaveBeenCalledTimes(1);
  expect(clock.seen()).toBe(3);
});

it('never rings when stopped, or without a time', () => {
  const ring = vi.fn();
  createIdleClock(10, ring).stop();
  createIdleClock(undefined, ring);
  vi.advanceTimersByTime(1e9);
  expect(ring).not.toHaveBeenCalled();
});

it('takes a time longer than a timer can wait as very long, not as none', () => {
  const ring = vi.fn();
  createIdleClock(1e9, ring);
  vi.advanceTimersByTime(60_000);
  expect(ring).not.toHaveBeenCalled();
});
