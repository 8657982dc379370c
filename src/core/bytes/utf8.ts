/** Bytes of which one text is made at the most; V8's strings end at 2^29. */
export const LONGEST_DECODED = 2 ** 28;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text of valid UTF-8 bytes `[start, end)`; a byte order mark is kept.
 *
 * @throws TypeError when the bytes are not valid UTF-8.
 */
export const utf8Text = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end));

/** Length of the sequence a lead byte starts and the range its second byte must lie in (RFC 3629, table 3-7 of Unicode). */
const sequence = (lead: number): readonly [length: number, low: number, high: number] | undefined => {
  if (lead >= 0xc2 && lead <= 0xdf) {
    return [2, 0x80, 0xbf];
  }
  if (lead >= 0xe0 && lead <= 0xef) {
    return [3, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf];
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    return [4, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf];
  }
  return undefined;
};

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/**
 * Offset of the first byte that is not strict UTF-8 (no overlong forms, no surrogates, nothing past U+10FFFF), or
 * undefined when all of it is.
 */
export const firstInvalidUtf8 = (bytes: Uint8Array): number | undefined => {
  try {
    // The platform's decoder tells valid text many times faster, but not where it is wrong.
    if (bytes.length <= LONGEST_DECODED) {
      decoder.decode(bytes);
      return undefined;
    }
  } catch {
    return scanUtf8(bytes);
  }
  return scanUtf8(bytes);
};

const scanUtf8 = (bytes: Uint8Array): number | undefined => {
  const { length } = bytes;
  let at = 0;
  while (at < length) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) {
      at += 1;
      continue;
    }
    const rule = sequence(lead);
    const second = bytes[at + 1];
    if (rule === undefined || second === undefined || second < rule[1] || second > rule[2]) {
      return at;
    }
    for (let k = 2; k < rule[0]; k += 1) {
      if (!isContinuation(bytes[at + k])) {
        return at;
      }
    }
    at += rule[0];
  }
  return undefined;
};
