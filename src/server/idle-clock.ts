/** The longest a timer can wait; a longer time would make it ring at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Counts connected pages and tells when there has been none for a while. */
export interface IdleClock {
  /** How many pages have connected so far. */
  readonly seen: () => number;
  readonly enter: () => void;
  readonly leave: () => void;
  readonly stop: () => void;
}

/**
 * Calls `onIdle` once, when no page has been connected for `seconds` on end, counted from now. Without `seconds` it only
 * counts.
 */
export const createIdleClock = (seconds: number | undefined, onIdle: () => void): IdleClock => {
  let present = 0;
  let seen = 0;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const wind = (): void => {
    stop();
    if (seconds !== undefined && present === 0) {
      timer = setTimeout(onIdle, Math.min(seconds * 1000, LONGEST_TIMER));
    }
  };
  wind();
  return {
    seen: () => seen,
    enter: () => {
      present += 1;
      seen += 1;
      stop();
    },
    leave: () => {
      present -= 1;
      wind();
    },
    stop,
  };
};
