/**
 * Float32 bits of an IEEE half (F16): exact, subnormals become normal, a NaN keeps its sign and its payload shifted up, so
 * 0x7C01 gives 0x7F802000, still signalling (as numpy does; FORMATS.md 1.8).
 *
 * @param half 0 … 0xFFFF
 * @returns an unsigned 32-bit integer
 */
export const f16ToFloat32Bits = (half: number): number => {
  const sign = (half & 0x8000) << 16;
  const magnitude = half & 0x7fff;
  if (magnitude >= 0x7c00) {
    return (sign | 0x7f800000 | ((magnitude & 0x3ff) << 13)) >>> 0;
  }
  if (magnitude >= 0x400) {
    // Rebias the exponent from 15 to 127.
    return (sign | ((magnitude << 13) + (112 << 23))) >>> 0;
  }
  if (magnitude === 0) {
    return sign >>> 0;
  }
  // magnitude · 2^-24 with its highest set bit at `top`: the value is 2^(top − 24) · 1.xxx
  const top = 31 - Math.clz32(magnitude);
  return (sign | ((top + 103) << 23) | ((magnitude << (23 - top)) & 0x7fffff)) >>> 0;
};

/**
 * Float32 bits of a bfloat16, which is a float32's upper half: exact, NaN payloads kept.
 *
 * @param half 0 … 0xFFFF
 * @returns an unsigned 32-bit integer
 */
export const bf16ToFloat32Bits = (half: number): number => (half << 16) >>> 0;

/** {@link f16ToFloat32Bits} of every half; made when first needed. */
const f16Table = (() => {
  let table: Int32Array | undefined;
  const make = (): Int32Array => {
    const bits = new Int32Array(65536);
    for (let half = 0; half < bits.length; half += 1) {
      bits[half] = f16ToFloat32Bits(half);
    }
    return bits;
  };
  return (): Int32Array => {
    table ??= make();
    return table;
  };
})();

/** Elements from which on it is quicker to look them up, twice as quick for many. */
const MANY = 16_384;

/** {@link f16ToFloat32Bits} of each element of `halves` into `out`, which is at least as long. */
export const widenF16 = (halves: Uint16Array, out: Int32Array): void => {
  if (halves.length < MANY) {
    for (let index = 0; index < halves.length; index += 1) {
      out[index] = f16ToFloat32Bits(halves[index] ?? 0);
    }
    return;
  }
  const table = f16Table();
  for (let index = 0; index < halves.length; index += 1) {
    out[index] = table[halves[index] ?? 0] ?? 0;
  }
};

/** {@link bf16ToFloat32Bits} of each element of `halves` into `out`, which is at least as long. */
export const widenBf16 = (halves: Uint16Array, out: Int32Array): void => {
  const { length } = halves;
  let index = 0;
  // Four at a time: twice as fast, and this is what exporting most checkpoints comes down to.
  for (; index + 3 < length; index += 4) {
    out[index] = (halves[index] ?? 0) << 16;
    out[index + 1] = (halves[index + 1] ?? 0) << 16;
    out[index + 2] = (halves[index + 2] ?? 0) << 16;
    out[index + 3] = (halves[index + 3] ?? 0) << 16;
  }
  for (; index < length; index += 1) {
    out[index] = (halves[index] ?? 0) << 16;
  }
};
