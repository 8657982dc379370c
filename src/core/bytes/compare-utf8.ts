/**
 * Orders texts by the bytes of their UTF-8, which is the order of Rust and of Python's code points; JavaScript's own order
 * differs from it beyond the basic plane (FORMATS.md 1.7).
 */
export const compareUtf8 = (a: Uint8Array, b: Uint8Array): number => {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) {
      return difference;
    }
  }
  return a.length - b.length;
};
