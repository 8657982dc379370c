import { describe, expect, it } from 'vitest';
import { RecentlyUsed } from '../../../src/node/service/recently-used.ts';

describe('RecentlyUsed', () => {
  it('forgets what was not used for longest', () => {
    const map = new RecentlyUsed<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3]);
  });
});
