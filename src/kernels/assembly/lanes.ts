/** The largest of four signed numbers. */
export function maxSigned(v: v128): i32 {
  return max(
    max(i32x4.extract_lane(v, 0), i32x4.extract_lane(v, 1)),
    max(i32x4.extract_lane(v, 2), i32x4.extract_lane(v, 3)),
  );
}

/** The smallest of four signed numbers. */
export function minSigned(v: v128): i32 {
  return min(
    min(i32x4.extract_lane(v, 0), i32x4.extract_lane(v, 1)),
    min(i32x4.extract_lane(v, 2), i32x4.extract_lane(v, 3)),
  );
}

/** The largest of four unsigned numbers. */
export function maxUnsigned(v: v128): u32 {
  return max(
    max(<u32>i32x4.extract_lane(v, 0), <u32>i32x4.extract_lane(v, 1)),
    max(<u32>i32x4.extract_lane(v, 2), <u32>i32x4.extract_lane(v, 3)),
  );
}

/** The smallest of four unsigned numbers. */
export function minUnsigned(v: v128): u32 {
  return min(
    min(<u32>i32x4.extract_lane(v, 0), <u32>i32x4.extract_lane(v, 1)),
    min(<u32>i32x4.extract_lane(v, 2), <u32>i32x4.extract_lane(v, 3)),
  );
}

/** The sum of four unsigned numbers. */
export function sumUnsigned(v: v128): u64 {
  const pairs = i64x2.add(i64x2.extend_low_i32x4_u(v), i64x2.extend_high_i32x4_u(v));
  return i64x2.extract_lane(pairs, 0) + i64x2.extract_lane(pairs, 1);
}

/** The sum of two numbers. */
export function sumPair(v: v128): u64 {
  return i64x2.extract_lane(v, 0) + i64x2.extract_lane(v, 1);
}
