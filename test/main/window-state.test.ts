import { describe, expect, it } from 'vitest';
import { DEFAULT_SIZE, MINIMUM_SIZE, placeWindow } from '../../src/main/window-state.ts';

const SCREENS = [
  { x: 0, y: 0, width: 1920, height: 1080 },
  { x: 1920, y: 200, width: 1280, height: 1024 },
];
const left = (x: number, y: number, width = 1000, height = 700, maximized = false) => ({
  bounds: { x, y, width, height },
  maximized,
});

describe('a window is put', () => {
  it.each([
    ['on the first screen', left(100, 50)],
    ['on the second', left(2000, 300)],
    ['partly beyond an edge', left(-800, 0)],
    ['maximized', left(0, 0, 1920, 1080, true)],
  ])('where it was left: %s', (_name, state) => {
    expect(placeWindow(state, SCREENS)).toEqual(state);
  });

  it.each([
    ['a screen that is gone', left(4000, 300)],
    ['above every screen', left(100, -50)],
    ['below', left(100, 1070)],
    ['almost wholly beyond an edge', left(-950, 0)],
    ['in a gap beside the second screen’s top', left(3300, 10)],
  ])('in the usual size wherever the system likes, when it was left on %s', (_name, state) => {
    expect(placeWindow(state, SCREENS)).toEqual({ bounds: DEFAULT_SIZE, maximized: false });
  });

  it.each([
    undefined,
    null,
    7,
    'x',
    [],
    {},
    { bounds: {}, maximized: true },
    { bounds: { x: '1', y: 2, width: 3, height: 4 }, maximized: true },
    { bounds: { x: Number.NaN, y: 0, width: 1000, height: 700 }, maximized: false },
    { bounds: { x: 0, y: 0, width: 1000, height: 700 } },
  ])('in the usual size when what was stored is %j', (saved) => {
    expect(placeWindow(saved, SCREENS)).toEqual({ bounds: DEFAULT_SIZE, maximized: false });
  });

  it('never larger than any desktop, whatever the file of settings says', () => {
    const { bounds } = placeWindow(left(0, 0, Number.MAX_SAFE_INTEGER, 2 ** 40), SCREENS);
    expect(bounds).toMatchObject({ width: 32_767, height: 32_767 });
  });

  it('never smaller than is usable', () => {
    expect(placeWindow(left(0, 0, 200, 200), SCREENS).bounds).toMatchObject(MINIMUM_SIZE);
  });
});
