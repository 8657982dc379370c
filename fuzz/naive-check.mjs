/**
 * An independent, slow and plain judgement of a safetensors file, and of what the program made of it. BigInt throughout.
 */
import { naiveJson, overflows } from './naive-json.mjs';

const BITS = new Map(
  Object.entries({
    BOOL: 8,
    F4: 4,
    F6_E2M3: 6,
    F6_E3M2: 6,
    U8: 8,
    I8: 8,
    F8_E5M2: 8,
    F8_E4M3: 8,
    F8_E8M0: 8,
    F8_E4M3FNUZ: 8,
    F8_E5M2FNUZ: 8,
    I16: 16,
    U16: 16,
    F16: 16,
    BF16: 16,
    I32: 32,
    U32: 32,
    F32: 32,
    C64: 64,
    F64: 64,
    I64: 64,
    U64: 64,
  }),
);
const U64_END = 2n ** 64n;
const CAP = 100_000_000n;

class Refused extends Error {}

const demand = (holds, why) => {
  if (!holds) {
    throw new Refused(why);
  }
};

const integer = (node) => {
  demand(node.type === 'number' && /^(0|[1-9][0-9]*)$/.test(node.text), 'not a plain integer');
  const value = BigInt(node.text);
  demand(value < U64_END, 'beyond 64 bits');
  return value;
};

const only = (node, key) => {
  const found = node.members.filter((member) => member.key === key);
  demand(found.length === 1, `${key} ${found.length} times`);
  return found[0].value;
};

const tensor = ({ key, value }) => {
  demand(value.type === 'object', 'an entry that is no object');
  demand(!value.members.some((member) => overflows(member.value)), 'a number that overflows');
  const dtype = only(value, 'dtype');
  const shape = only(value, 'shape');
  const offsets = only(value, 'data_offsets');
  demand(dtype.type === 'string' && BITS.has(dtype.text), 'unknown dtype');
  demand(shape.type === 'array' && offsets.type === 'array' && offsets.items.length === 2, 'fields of wrong types');
  const [begin, end] = offsets.items.map(integer);
  return { name: key, bits: BigInt(BITS.get(dtype.text)), shape: shape.items.map(integer), begin, end };
};

/** Bytes a tensor needs. */
const needed = ({ shape, bits }) => {
  let product = 1n;
  for (const dimension of shape) {
    product *= dimension;
    demand(product < U64_END, 'too many elements');
  }
  demand(product * bits < U64_END, 'too many bits');
  demand((product * bits) % 8n === 0n, 'no whole bytes');
  return (product * bits) / 8n;
};

const metadata = (node) => {
  if (node.type !== 'null') {
    demand(node.type === 'object', 'metadata that is no object');
    demand(
      node.members.every(({ value }) => value.type === 'string'),
      'metadata that is no string',
    );
    demand(new Set(node.members.map(({ key }) => key)).size === node.members.length, 'a metadata key twice');
  }
};

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const check = (bytes) => {
  demand(bytes.length >= 8, 'too short');
  const length = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true);
  demand(length <= CAP && length + 8n <= BigInt(bytes.length), 'header length');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(8, 8 + Number(length)));
  const root = naiveJson(text);
  demand(root.type === 'object', 'no object');
  const described = root.members.filter(({ key }) => key === '__metadata__');
  demand(described.length < 2, 'metadata twice');
  described.forEach(({ value }) => {
    metadata(value);
  });
  const tensors = root.members.filter(({ key }) => key !== '__metadata__').map(tensor);
  demand(new Set(tensors.map(({ name }) => name)).size === tensors.length, 'a name twice');
  let reached = 0n;
  for (const one of tensors.toSorted((a, b) => compare(a.begin, b.begin) || compare(a.end, b.end))) {
    demand(one.begin === reached && one.end >= one.begin, 'offsets');
    demand(one.end - one.begin === needed(one), 'size');
    reached = one.end;
  }
  demand(reached + 8n + length === BigInt(bytes.length), 'coverage');
};

/**
 * Why the strict rule (the reference's, without its silence about duplicates) refuses a file; undefined when it holds.
 *
 * @param {Uint8Array} bytes
 * @returns {string | undefined}
 */
export const naiveRefusal = (bytes) => {
  try {
    check(bytes);
    return undefined;
  } catch (fault) {
    if (fault instanceof Refused || fault instanceof SyntaxError || fault instanceof TypeError) {
      return fault.message;
    }
    throw fault;
  }
};

/** Whether the program reports nothing that a strict reader refuses. */
const isAccepted = (content) =>
  content.format === 'safetensors' &&
  content.findings
    .list()
    .every(({ code, severity }) => severity !== 'error' && code !== 'metadata-not-strings' && code !== 'reserved-name');

const rowFaults = function* (row, fileSize, findings) {
  const what = `row ${row.id} ${JSON.stringify(row.name.slice(0, 40))}`;
  if (!row.readable) {
    const told = findings.some(({ severity, tensorId }) => severity === 'error' && tensorId === row.id);
    if (!told && !row.dtype.startsWith('F6_')) {
      yield `${what} is refused without an error that names it`;
    }
    if (!row.problem) {
      yield `${what} is refused without a reason`;
    }
    return;
  }
  if (row.offset === undefined || row.bytes === undefined) {
    yield `${what} is readable without a range`;
    return;
  }
  if (row.offset < 8 || row.bytes < 0 || BigInt(row.offset) + BigInt(row.bytes) > BigInt(fileSize)) {
    yield `${what} is readable but lies outside the file`;
  }
  const bits = BITS.get(row.dtype);
  const elements = row.shape.reduce((product, dimension) => product * BigInt(dimension), 1n);
  if (bits === undefined || elements * BigInt(bits) !== BigInt(row.bytes) * 8n) {
    yield `${what} is readable but its shape needs another size`;
  }
  if (BigInt(row.parameters ?? -1) !== elements) {
    yield `${what} counts its elements wrong`;
  }
};

/** Bytes of the file that lie in at least one row's range. */
const covered = (rows, fileSize) => {
  const marks = new Uint8Array(fileSize);
  for (const { offset, bytes } of rows) {
    if (offset !== undefined && bytes !== undefined) {
      marks.fill(1, Math.min(offset, fileSize), Math.min(offset + bytes, fileSize));
    }
  }
  return marks.reduce((sum, mark) => sum + mark, 0);
};

const tensorErrors = new Set([
  'field-missing',
  'field-invalid',
  'duplicate-key',
  'unknown-dtype',
  'shape-overflow',
  'size-not-whole-bytes',
  'size-mismatch',
  'offsets-reversed',
  'offsets-out-of-range',
  'truncated',
]);

/**
 * What is wrong with the program's reading of a file; nothing when all holds.
 *
 * @param {Uint8Array} bytes
 * @param content what `readCheckpoint` returned
 * @returns {string[]}
 */
export const violations = (bytes, content) => {
  const found = [];
  const findings = content.findings.list();
  const rows = content.table.rows();
  const refusal = naiveRefusal(bytes);
  if (isAccepted(content) !== (refusal === undefined)) {
    const codes = findings.map(({ code }) => code).join(' ');
    found.push(`naive reader: ${refusal ?? 'accepts'}; program: ${content.format} [${codes}]`);
  }
  for (const row of rows) {
    found.push(...rowFaults(row, bytes.length, findings));
  }
  if (content.claimedBytes !== covered(rows, bytes.length)) {
    found.push(`${content.claimedBytes} bytes claimed, counted ${covered(rows, bytes.length)}`);
  }
  for (const { code, tensorId, message, file } of findings) {
    if (tensorErrors.has(code) && tensorId !== undefined && rows[tensorId]?.readable !== false) {
      found.push(`${code} names row ${tensorId}, which is readable`);
    }
    if (message === '' || file === '') {
      found.push(`${code} says nothing`);
    }
  }
  const damaged = findings.some(({ severity }) => severity === 'error');
  if ((content.findings.verdict() === 'damaged') !== damaged) {
    found.push(`verdict ${content.findings.verdict()}, ${damaged ? 'an' : 'no'} error found`);
  }
  return found;
};
