/** Collects items and hands them over together, at most once per `delayMs`; `flush` hands over what is there now. */
export const batch = <T>(
  delayMs: number,
  deliver: (items: readonly T[]) => void,
): { add(items: readonly T[]): void; flush(): void } => {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) {
      const items = waiting;
      waiting = [];
      deliver(items);
    }
  };
  return {
    add: (items) => {
      for (const item of items) {
        waiting.push(item);
      }
      timer ??= setTimeout(flush, delayMs);
    },
    flush,
  };
};
