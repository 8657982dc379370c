/** By code points, which is the order of the UTF-8 bytes: surrogates stand for more than U+E000 to U+FFFF. */
const compareCodePoints = (a: string, b: string): number => {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at += 1) {
    const x = a.charCodeAt(at);
    const y = b.charCodeAt(at);
    if (x !== y) {
      const isHighX = x >= 0xd800 && x <= 0xdfff;
      const isHighY = y >= 0xd800 && y <= 0xdfff;
      return isHighX === isHighY ? x - y : isHighX ? 1 : -1;
    }
  }
  return a.length - b.length;
};

const compareUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * A comparison of these texts by the bytes of their UTF-8, the order of Rust's and Python's strings. JavaScript's own order
 * differs from it beyond the basic plane (FORMATS.md 1.7), and is used where no text reaches there, since it is much faster.
 */
export const utf8Order = (texts: readonly string[]): ((a: string, b: string) => number) =>
  texts.some((text) => /[\ud800-\udfff]/.test(text)) ? compareCodePoints : compareUnits;
