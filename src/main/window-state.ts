/** A rectangle on the desktop, in device-independent pixels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** How a window was left. */
export interface WindowState {
  readonly bounds: Rectangle;
  readonly maximized: boolean;
}

/** A size, and a place when there is one to keep. */
export type PlacedBounds = Pick<Rectangle, 'width' | 'height'> & Partial<Rectangle>;

/** The size UX asks for, and the smallest that is usable. */
export const DEFAULT_SIZE = { width: 1280, height: 800 } as const;
export const MINIMUM_SIZE = { width: 900, height: 600 } as const;

/** No desktop is larger, in either direction; systems refuse or misread much larger numbers. */
const LARGEST = 32_767;

/** As much of a window's upper edge must be on a screen for it to be found and dragged. */
const VISIBLE = 100;

const isRectangle = (value: unknown): value is Rectangle =>
  typeof value === 'object' &&
  value !== null &&
  ['x', 'y', 'width', 'height'].every((key) => Number.isSafeInteger(Reflect.get(value, key)));

const parse = (saved: unknown): WindowState | undefined =>
  typeof saved === 'object' &&
  saved !== null &&
  'bounds' in saved &&
  isRectangle(saved.bounds) &&
  'maximized' in saved &&
  typeof saved.maximized === 'boolean'
    ? { bounds: saved.bounds, maximized: saved.maximized }
    : undefined;

const overlap = (start: number, length: number, otherStart: number, otherLength: number): number =>
  Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);

const isReachable = (bounds: Rectangle, screen: Rectangle): boolean =>
  overlap(bounds.x, bounds.width, screen.x, screen.width) >= VISIBLE &&
  bounds.y >= screen.y &&
  bounds.y <= screen.y + screen.height - VISIBLE;

const within = (size: number, least: number): number => Math.min(Math.max(size, least), LARGEST);

/**
 * Where to put a window: as it was left, when that is still on one of the screens, else the usual size wherever the system
 * likes.
 *
 * @param saved What was stored, from a file that anybody may have changed.
 * @param screens Work areas of the screens there are now.
 */
export const placeWindow = (
  saved: unknown,
  screens: readonly Rectangle[],
): { readonly bounds: PlacedBounds; readonly maximized: boolean } => {
  const state = parse(saved);
  if (state === undefined || !screens.some((screen) => isReachable(state.bounds, screen))) {
    return { bounds: DEFAULT_SIZE, maximized: state?.maximized ?? false };
  }
  const { x, y, width, height } = state.bounds;
  return {
    bounds: { x, y, width: within(width, MINIMUM_SIZE.width), height: within(height, MINIMUM_SIZE.height) },
    maximized: state.maximized,
  };
};
