/**
 * Runs `act` on every item, at most `limit` at a time, taking the next item only when there is room. After a failure no
 * further item is begun, those under way are waited for, and the first error is thrown.
 */
export const forEachBounded = async <T>(
  items: Iterable<T>,
  limit: number,
  act: (item: T) => Promise<void>,
): Promise<void> => {
  const iterator = items[Symbol.iterator]();
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true && !failed; next = iterator.next()) {
      try {
        await act(next.value);
      } catch (fault) {
        failed = true;
        throw fault;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: limit }, lane));
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
};
