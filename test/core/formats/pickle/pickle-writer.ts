import fc from 'fast-check';
import { bytesOpcode, little, type Part, stream } from './pickle-bytes.ts';

/** A value that the small pickler below can write, in the oracle's form. */
export type Writable =
  | null
  | boolean
  | string
  | { readonly int: string }
  | { readonly bytes: string }
  | { readonly list: readonly Writable[] }
  | { readonly tuple: readonly Writable[] }
  | { readonly dict: readonly (readonly Writable[])[] };

const hexInt = (value: bigint): string => (value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`);

/** Values of any kind, a few levels deep; texts are well-formed, so that the test can write them as UTF-8. */
export const writable = fc.letrec<{ value: Writable }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.string({ unit: 'binary' }),
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map((value) => ({ int: hexInt(value) })),
    fc.integer({ min: -300, max: 70_000 }).map((value) => ({ int: hexInt(BigInt(value)) })),
    fc.uint8Array({ maxLength: 20 }).map((value) => ({ bytes: Buffer.from(value).toString('hex') })),
    fc.array(tie('value'), { maxLength: 5 }).map((list) => ({ list })),
    fc.array(tie('value'), { maxLength: 5 }).map((tuple) => ({ tuple })),
    fc
      .uniqueArray(fc.string({ unit: 'binary', maxLength: 5 }), { maxLength: 5 })
      .chain((keys) => fc.tuple(...keys.map((key) => tie('value').map((item) => [key, item] as const))))
      .map((dict) => ({ dict })),
  ),
})).value;

/** Choices among the opcodes that do the same, taken one after another. */
export type Choices = (count: number) => number;

const twosComplement = (value: bigint): readonly number[] => {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 8n) {
    const byte = Number(left & 0xffn);
    bytes.push(byte);
    if ((left >> 8n === 0n && byte < 128) || (left >> 8n === -1n && byte >= 128)) {
      return bytes;
    }
  }
};

const writeInt = (value: bigint, choose: Choices): Part => {
  const long = twosComplement(value);
  const forms: Part[] = [
    stream(`L${value}L\n`),
    stream(`I${value}\n`),
    stream('\x8a', [long.length], long),
    stream('\x8b', little(long.length, 4), long),
  ];
  if (value >= 0n && value < 256n) {
    forms.push(stream('K', [Number(value)]));
  }
  if (value >= 0n && value < 65536n) {
    forms.push(stream('M', little(Number(value), 2)));
  }
  if (value >= -(2n ** 31n) && value < 2n ** 31n) {
    forms.push(stream('J', little(Number(BigInt.asUintN(32, value)), 4)));
  }
  return forms[choose(forms.length)] ?? 'N';
};

const writeText = (value: string, choose: Choices): Part => {
  const bytes = Buffer.from(value, 'utf8');
  const forms = [
    stream('X', little(bytes.length, 4), bytes),
    stream('\x8d', little(bytes.length, 8), bytes),
    stream(`V${[...value].map((one) => `\\U${(one.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}\n`),
  ];
  return forms[choose(forms.length)] ?? 'N';
};

const wrap = (
  items: readonly Part[],
  choose: Choices,
  empty: string,
  one: string,
  many: string,
  whole: string,
): Part => {
  const all = stream(...items);
  const pieces = items.map((item) => stream(item, one));
  const forms = [
    stream(empty, ...pieces),
    stream(empty, '(', all, many),
    stream('(', all, whole),
    stream(empty, '(', many, '(', all, many),
  ];
  return forms[choose(forms.length)] ?? 'N';
};

/** Writes a value with opcodes of every protocol, chosen at random. */
export const writePickle = (value: Writable, choose: Choices): Part => {
  if (value === null) {
    return 'N';
  }
  if (typeof value === 'boolean') {
    return (value ? ['\x88', 'I01\n'] : ['\x89', 'I00\n'])[choose(2)] ?? 'N';
  }
  if (typeof value === 'string') {
    return writeText(value, choose);
  }
  if ('int' in value) {
    return writeInt(value.int.startsWith('-') ? -BigInt(value.int.slice(1)) : BigInt(value.int), choose);
  }
  if ('bytes' in value) {
    return bytesOpcode(Buffer.from(value.bytes, 'hex'));
  }
  if ('tuple' in value) {
    const items = stream(...value.tuple.map((item) => writePickle(item, choose)));
    const short = [')', '\x85', '\x86', '\x87'][value.tuple.length];
    return short === undefined || choose(2) === 0 ? stream('(', items, 't') : stream(items, short);
  }
  if ('list' in value) {
    return wrap(
      value.list.map((item) => writePickle(item, choose)),
      choose,
      ']',
      'a',
      'e',
      'l',
    );
  }
  const pairs = value.dict.map(([key = null, item = null]) =>
    stream(writePickle(key, choose), writePickle(item, choose)),
  );
  return wrap(pairs, choose, '}', 's', 'u', 'd');
};
