import { viewOf } from './records.ts';

/** The polynomial 0x04C11DB7 reflected (FORMATS.md appendix A). */
const POLYNOMIAL = 0xedb88320;

/** Table k, at 256 · k, takes a byte that is followed by k others. */
const makeTables = (): Int32Array => {
  const tables = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let rest = byte;
    for (let bit = 0; bit < 8; bit += 1) {
      rest = (rest >>> 1) ^ (rest & 1 ? POLYNOMIAL : 0);
    }
    tables[byte] = rest;
  }
  for (let at = 256; at < tables.length; at += 1) {
    const before = tables[at - 256] ?? 0;
    tables[at] = (before >>> 8) ^ (tables[before & 0xff] ?? 0);
  }
  return tables;
};

const TABLES = makeTables();

/**
 * CRC-32 as zip and gzip have it, unsigned. Goes on from `before`, the CRC of the bytes in front. Eight bytes a step
 * (slicing by 8), several times as fast as one.
 */
export const crc32 = (bytes: Uint8Array, before = 0): number => {
  const t = TABLES;
  const view = viewOf(bytes);
  const whole = bytes.length - (bytes.length % 8);
  let crc = ~before;
  let at = 0;
  for (; at < whole; at += 8) {
    const low = crc ^ view.getInt32(at, true);
    const high = view.getInt32(at + 4, true);
    crc =
      (t[1792 + (low & 0xff)] ?? 0) ^
      (t[1536 + ((low >>> 8) & 0xff)] ?? 0) ^
      (t[1280 + ((low >>> 16) & 0xff)] ?? 0) ^
      (t[1024 + (low >>> 24)] ?? 0) ^
      (t[768 + (high & 0xff)] ?? 0) ^
      (t[512 + ((high >>> 8) & 0xff)] ?? 0) ^
      (t[256 + ((high >>> 16) & 0xff)] ?? 0) ^
      (t[high >>> 24] ?? 0);
  }
  for (; at < bytes.length; at += 1) {
    crc = (crc >>> 8) ^ (t[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
};
