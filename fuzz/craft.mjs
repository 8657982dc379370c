/** Safetensors files made to be wrong in ways that a header, a length and a file can be wrong. */
import { createRandom } from './random.mjs';

const DTYPES = [
  ['BOOL', 8],
  ['F4', 4],
  ['F6_E2M3', 6],
  ['F6_E3M2', 6],
  ['U8', 8],
  ['I8', 8],
  ['F8_E5M2', 8],
  ['F8_E4M3', 8],
  ['F8_E8M0', 8],
  ['F8_E4M3FNUZ', 8],
  ['F8_E5M2FNUZ', 8],
  ['I16', 16],
  ['U16', 16],
  ['F16', 16],
  ['BF16', 16],
  ['I32', 32],
  ['U32', 32],
  ['F32', 32],
  ['C64', 64],
  ['F64', 64],
  ['I64', 64],
  ['U64', 64],
];
const NAMES = ['a', 'b', 'w.0', 'w.1', '', '__proto__', '10', '2', 'é', '😀', 'x"y\\z', 'constructor', 'line\nbreak'];
const TOKENS = [
  '0',
  '1',
  '4',
  '-1',
  '-0',
  '1.0',
  '1e2',
  '1e999',
  '-1e400',
  '01',
  '0.5',
  '9007199254740991',
  '9007199254740993',
  '18446744073709551615',
  '18446744073709551616',
  '340282366920938463463374607431768211456',
  '4294967296',
  'null',
  'true',
  'false',
  'NaN',
  '"x"',
  '""',
  '[]',
  '{}',
  '[1]',
  '[0,4]',
  '{"a":1}',
  '"F32"',
  '"f32"',
  '"F128"',
  '\t',
  ' ',
  '\u0000',
  '"\\ud800"',
  '"\\u0061"',
  '"\\q"',
  '[[[[[]]]]]',
  `${'['.repeat(130)}${']'.repeat(130)}`,
  ',',
  ':',
  '}',
  ']',
];

const shapeOf = (random) => Array.from({ length: random.below(4) }, () => random.below(5));

/** Whole tensors side by side. */
const soundTensors = (random) => {
  const names = NAMES.toSorted(() => random.next() - 0.5);
  let at = 0;
  return names.slice(0, random.below(7)).map((name) => {
    const [dtype, bits] = random.pick(DTYPES);
    const shape = shapeOf(random);
    const product = () => shape.reduce((total, dimension) => total * dimension, 1);
    // Sub-byte dtypes need whole bytes.
    if ((product() * bits) % 8 !== 0) {
      shape.push(4);
    }
    const begin = at;
    at += (product() * bits) / 8;
    return { name, dtype, shape, begin, end: at };
  });
};

/** Moves one tensor elsewhere, as bytes that fill its new range, so that only the ranges disagree. */
const moveTensor = (random, tensors) => {
  const one = random.pick(tensors);
  const other = random.pick(tensors);
  const [begin, end] = random.pick([
    [other.begin, other.end],
    [other.begin + random.below(5), other.end + random.below(5)],
    [one.begin + random.below(9), one.end + random.below(9)],
    [other.end, other.end + random.below(40)],
    [random.below(60), random.below(60)],
    [2 ** 40, 2 ** 40 + random.below(9)],
  ]);
  Object.assign(one, { dtype: 'U8', shape: [Math.max(end - begin, 0)], begin, end });
};

/** A member of the header as text: name, then its fields as text, so that each can be broken on its own. */
const memberOf = ({ name, dtype, shape, begin, end }) => ({
  name: JSON.stringify(name),
  fields: [
    ['"dtype"', JSON.stringify(dtype)],
    ['"shape"', JSON.stringify(shape)],
    ['"data_offsets"', `[${begin},${end}]`],
  ],
});

const memberText = ({ name, fields, text }) =>
  `${name}:${text ?? `{${fields.map(([key, value]) => `${key}:${value}`).join(',')}}`}`;

const shifted = (random, value) =>
  value.replace(/\d+/, (digits) => String(Math.max(0, Number(digits) + random.below(9) - 4)));

/** Changes the text of one field's value, if there is a field left. */
const changeField = (random, members, change) => {
  const field = random.pick(random.pick(members).fields);
  if (field !== undefined) {
    field[1] = change(field[1]);
  }
};

/** One change to the members of a header, of which there is at least one. Each takes (random, members). */
const MEMBER_CHANGES = [
  (random, members) => changeField(random, members, () => random.pick(TOKENS)),
  (random, members) => changeField(random, members, (value) => shifted(random, value)),
  (random, members) => changeField(random, members, (value) => value.replace(/\d+(?=\])/, () => random.pick(TOKENS))),
  (random, members) => changeField(random, members, (value) => value.split(',').toReversed().join(',')),
  (random, members) => random.pick(members).fields.splice(random.below(3), 1),
  (random, members) => {
    const { fields } = random.pick(members);
    fields.push(...fields.slice(0, 1 + random.below(3)).map((field) => [...field]));
  },
  (random, members) => random.pick(members).fields.push(['"extra"', random.pick(TOKENS)]),
  (random, members) => members.push(structuredClone(random.pick(members))),
  (random, members) => members.splice(random.below(members.length), 1),
  (_random, members) => members.reverse(),
  (random, members) => {
    random.pick(members).text = random.pick(TOKENS);
  },
  (random, members) => {
    random.pick(members).name = random.pick(['"__metadata__"', '"a"', '"\\u0061"', '"\\ud83d"', 'a']);
  },
  (random, members) => {
    const [one, other] = [random.pick(members), random.pick(members)];
    [one.fields, other.fields] = [other.fields, one.fields];
  },
];

const metadataText = (random) =>
  random.pick(['{}', 'null', '{"format":"pt"}', '{"n":0}', '[]', '{"a":"b","a":"c"}', '{"":""}']);

const spliceBytes = (random, bytes) => {
  const at = random.below(bytes.length + 1);
  const removed = random.below(4);
  const added = Array.from({ length: random.below(4) }, () => random.below(256));
  return Uint8Array.from([...bytes.subarray(0, at), ...added, ...bytes.subarray(at + removed)]);
};

/** One change to the finished file. */
const FILE_CHANGES = [
  spliceBytes,
  (random, bytes) => bytes.subarray(0, random.below(bytes.length + 1)),
  (random, bytes) =>
    Uint8Array.from([...bytes, ...Array.from({ length: 1 + random.below(20) }, () => random.below(256))]),
  (random, bytes) => {
    const changed = bytes.slice();
    changed[random.below(changed.length)] = random.below(256);
    return changed;
  },
  (random, bytes) => {
    const changed = bytes.slice();
    const length = random.pick([
      0n,
      1n,
      2n ** 32n,
      2n ** 53n + 1n,
      2n ** 63n,
      2n ** 64n - 8n,
      2n ** 64n - 1n,
      100_000_001n,
      BigInt(bytes.length),
      BigInt(Math.max(bytes.length - 8, 0)),
    ]);
    new DataView(changed.buffer).setBigUint64(0, length, true);
    return changed;
  },
];

/**
 * A file for a seed: sound about once in four times, otherwise with tensors moved and up to three changes to its header
 * and bytes.
 *
 * @param {number} seed
 * @returns {Uint8Array}
 */
export const craftFile = (seed) => {
  const random = createRandom(seed);
  const tensors = soundTensors(random);
  const dataBytes = tensors.at(-1)?.end ?? 0;
  const moves = random.chance(0.4) ? 1 + random.below(2) : 0;
  for (let move = 0; move < moves && tensors.length > 0; move += 1) {
    moveTensor(random, tensors);
  }
  const members = tensors.map(memberOf);
  if (random.chance(0.3)) {
    members.splice(random.below(members.length + 1), 0, {
      name: '"__metadata__"',
      fields: [
        ['', ''],
        ['', ''],
        ['', ''],
      ],
      text: metadataText(random),
    });
  }
  if (random.chance(0.3)) {
    members.sort(() => random.next() - 0.5);
  }
  const changes = random.chance(0.4) ? 0 : 1 + random.below(3);
  let onFile = 0;
  for (let change = 0; change < changes; change += 1) {
    if (members.length > 0 && random.chance(0.8)) {
      random.pick(MEMBER_CHANGES)(random, members);
    } else {
      onFile += 1;
    }
  }
  const padding = ' '.repeat(random.below(8));
  const text = new TextEncoder().encode(
    `${random.chance(0.1) ? ' \n' : ''}{${members.map(memberText).join(',')}}${padding}`,
  );
  let bytes = new Uint8Array(8 + text.length + dataBytes);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(text.length), true);
  bytes.set(text, 8);
  for (let at = 8 + text.length; at < bytes.length; at += 1) {
    bytes[at] = random.below(256);
  }
  for (let change = 0; change < onFile && bytes.length >= 8; change += 1) {
    bytes = random.pick(FILE_CHANGES)(random, bytes);
  }
  return bytes;
};
