const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const U64_MAX = (1n << 64n) - 1n;

/**
 * Whether the reference reader (serde_json) finds a JSON number out of range for a float64, which it refuses even in fields
 * it ignores. It multiplies the first digits, as many as 64 bits hold, by a power of ten; so it refuses
 * `1.7976931348623158e308`, which rounded once would still fit. Measured with safetensors 0.8.0.
 */
export const outOfFloat64 = (number: string): boolean => {
  if (Math.abs(Number(number)) < 1e308) {
    return false;
  }
  const [, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  let significand = 0n;
  let used = 0;
  for (const digit of whole + fraction) {
    const next = significand * 10n + BigInt(digit);
    if (next > U64_MAX) {
      break;
    }
    significand = next;
    used += 1;
  }
  const power = whole.length - used + Number(exponent);
  return power > 308 || !Number.isFinite(Number(significand) * 10 ** power);
};
