/** Gives names that no two tensors of a file share: equal ones get `~2`, `~3`, … */
export const uniqueNames = (): ((name: string) => string) => {
  const times = new Map<string, number>();
  const unique = (name: string): string => {
    const seen = (times.get(name) ?? 0) + 1;
    times.set(name, seen);
    return seen === 1 ? name : unique(`${name}~${seen}`);
  };
  return unique;
};
