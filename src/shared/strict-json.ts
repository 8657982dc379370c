/** A value that {@link strictJson} can write: plain data, typed arrays, bigint; `undefined` properties are left out. */
export type JsonInput =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Float64Array
  | readonly JsonInput[]
  | { readonly [key: string]: JsonInput };

const numberText = (value: number): string => {
  if (Number.isFinite(value)) {
    // JSON.stringify would print 0 and lose the sign; `-0.0` reads back as −0 in JavaScript and Python alike.
    if (Object.is(value, -0)) {
      return '-0.0';
    }
    return Number.isInteger(value) && Math.abs(value) > Number.MAX_SAFE_INTEGER && Math.abs(value) < 1e21
      ? `${value}.0`
      : value.toString();
  }
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"Infinity"' : '"-Infinity"';
};

const bigintText = (value: bigint): string =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? value.toString()
    : `"${value}"`;

/**
 * Strict JSON text (RFC 8259) of a value: non-finite numbers become the strings `"NaN" "Infinity" "-Infinity"`, integers
 * beyond 2^53 − 1 (bigint) strings, −0 `-0.0`. Lone surrogates are escaped, so the text is always valid UTF-8.
 */
export const strictJson = (value: JsonInput): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return numberText(value);
    case 'bigint':
      return bigintText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'null';
    default:
      break;
  }
  if (value === null) {
    return 'null';
  }
  if (value instanceof Float64Array) {
    return `[${Array.from(value, numberText).join(',')}]`;
  }
  if (isArray(value)) {
    return `[${value.map(strictJson).join(',')}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${strictJson(member)}`);
  return `{${members.join(',')}}`;
};

const isArray = (value: object): value is readonly JsonInput[] => Array.isArray(value);
