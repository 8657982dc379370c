import type { FindingCode } from '../../../shared/findings.ts';
import { callOf, isGlobal, writtenBytesOf } from '../pickle/node-values.ts';
import type { CallNode, PickleNode } from '../pickle/nodes.ts';
import {
  argumentsOf,
  globalName,
  integerOf,
  isSettled,
  isUnchanged,
  itemsOf,
  sizesOf,
  textOfNode,
} from './read-node.ts';

/** An array as numpy's pickles write it: dtype, shape and bytes, which nothing has been compared with yet. */
export interface NumpyArray {
  /** This program's dtype. */
  readonly dtype: string;
  /** Bytes one element takes. */
  readonly size: number;
  readonly bigEndian: boolean;
  readonly shape: readonly bigint[];
  /** The first dimension varies fastest, as in Fortran. */
  readonly fortran: boolean;
  /** Its bytes, or a text whose latin-1 characters they are. */
  readonly data: Uint8Array | string;
}

/** What a node is, seen as a numpy array or number; undefined when it is neither. */
export type NumpyReading =
  | { readonly kind: 'array'; readonly array: NumpyArray }
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly dtype: string;
      readonly shape: readonly bigint[];
      readonly code?: FindingCode;
    }
  /** An array of Python objects: the list of them. */
  | { readonly kind: 'inside'; readonly node: PickleNode };

/** Modules of before and since numpy 2 (FORMATS.md 2.7). */
const MULTIARRAY = ['numpy.core.multiarray', 'numpy._core.multiarray'];
const NUMERIC = ['numpy.core.numeric', 'numpy._core.numeric'];

/** Classes whose arrays are pickled as plain ones. */
const ARRAY_CLASSES = new Set([
  'numpy.ndarray',
  'numpy.memmap',
  'numpy.core.memmap.memmap',
  'numpy.matrix',
  'numpy.matrixlib.defmatrix.matrix',
]);

/** Numpy's type codes, and those of ml_dtypes by the name of their class. */
const CODES: ReadonlyMap<string, readonly [dtype: string, size: number]> = new Map([
  ['b1', ['BOOL', 1]],
  ['i1', ['I8', 1]],
  ['i2', ['I16', 2]],
  ['i4', ['I32', 4]],
  ['i8', ['I64', 8]],
  ['u1', ['U8', 1]],
  ['u2', ['U16', 2]],
  ['u4', ['U32', 4]],
  ['u8', ['U64', 8]],
  ['f2', ['F16', 2]],
  ['f4', ['F32', 4]],
  ['f8', ['F64', 8]],
  ['c8', ['C64', 8]],
  ['c16', ['C128', 16]],
  ['ml_dtypes.bfloat16', ['BF16', 2]],
  ['ml_dtypes.float8_e4m3fn', ['F8_E4M3', 1]],
  ['ml_dtypes.float8_e4m3fnuz', ['F8_E4M3FNUZ', 1]],
  ['ml_dtypes.float8_e5m2', ['F8_E5M2', 1]],
  ['ml_dtypes.float8_e5m2fnuz', ['F8_E5M2FNUZ', 1]],
  ['ml_dtypes.float8_e8m0fnu', ['F8_E8M0', 1]],
]);

/** A dtype: of numbers, of what is no number and stays in the value tree, or of what is not decoded. */
type Dtype =
  | { readonly kind: 'number'; readonly dtype: string; readonly size: number; readonly bigEndian: boolean }
  | { readonly kind: 'objects' | 'texts' }
  | { readonly kind: 'refused'; readonly dtype: string; readonly why: string; readonly code?: FindingCode };

const notDecoded = (dtype: string, what: string): Dtype => ({
  kind: 'refused',
  dtype,
  why: `${what}, which is not decoded`,
});

/** Which byte comes first: `(3, "<", None, None, None, -1, -1, 0)`, the state of a dtype; undefined when that is not said. */
const orderOf = (state: readonly PickleNode[] | undefined, spelled: string | undefined): string | undefined =>
  state === undefined ? spelled : textOfNode(state[1]);

/** Whether a dtype's state is one of the two that numpy writes, without fields, subarrays or a size of its own. */
const isPlainState = (state: readonly PickleNode[], size: number): boolean => {
  const [version, , subarray, names, fields, itemSize] = state;
  const ownSize = integerOf(itemSize);
  return (
    (integerOf(version) === 3n || integerOf(version) === 4n) &&
    [subarray, names, fields].every((node) => node?.kind === 'none') &&
    (ownSize === -1n || ownSize === BigInt(size))
  );
};

/** @param at byte of the opcode that uses the dtype; what changes it afterwards does not count for that. */
const dtypeOf = (node: PickleNode | undefined, at: number): Dtype | undefined => {
  const call = callOf(node, 'numpy', 'dtype');
  const [spelling] = call === undefined ? [] : argumentsOf(call);
  const text = textOfNode(spelling) ?? globalName(spelling);
  if (call === undefined || text === undefined) {
    return undefined;
  }
  const order = /^[<>|=]/.exec(text)?.[0];
  const code = order === undefined ? text : text.slice(1);
  if (code.startsWith('O')) {
    return { kind: 'objects' };
  }
  if (/^[SUa]\d*$/.test(code)) {
    return { kind: 'texts' };
  }
  const states = call.added?.states ?? [];
  const state = itemsOf(states[0]);
  const known = CODES.get(code);
  if (known === undefined) {
    const fields = state !== undefined && state[3]?.kind !== 'none';
    return notDecoded(code, fields ? 'it has several fields an element' : `its numpy type is "${code}"`);
  }
  const [dtype, size] = known;
  const wellMade = states.length === 0 || (states.length === 1 && state !== undefined && isPlainState(state, size));
  if (!wellMade || !isSettled(call, at)) {
    return { kind: 'refused', dtype, why: 'its numpy dtype makes no sense', code: 'field-invalid' };
  }
  const first = size === 1 ? '<' : orderOf(state, order);
  if (first !== '<' && first !== '>') {
    return {
      kind: 'refused',
      dtype,
      why: 'its numpy dtype does not say which byte comes first',
      code: 'byteorder-unknown',
    };
  }
  return { kind: 'number', dtype, size, bigEndian: first === '>' };
};

const faulty = (why: string, dtype: string, shape: readonly bigint[] = []): NumpyReading => ({
  kind: 'refused',
  why,
  dtype,
  shape,
  code: 'field-invalid',
});

/** What makes an array, whatever the function. */
interface Parts {
  readonly dtype: PickleNode | undefined;
  readonly shape: readonly bigint[] | undefined;
  readonly fortran: boolean | undefined;
  readonly data: PickleNode | undefined;
}

/** @param at byte of the opcode that makes the array of these. */
const readParts = ({ dtype, shape, fortran, data }: Parts, at: number): NumpyReading | undefined => {
  const type = dtypeOf(dtype, at);
  if (type === undefined || shape === undefined || fortran === undefined) {
    return faulty('its dtype, shape or order makes no sense', '', shape);
  }
  switch (type.kind) {
    case 'objects':
      return data?.kind === 'list' ? { kind: 'inside', node: data } : undefined;
    case 'texts':
      return undefined;
    case 'refused':
      return { ...type, shape };
    case 'number': {
      const bytes = isUnchanged(data) ? writtenBytesOf(data) : undefined;
      const outside = data?.kind === 'buffer' ? 'its bytes lie outside the pickle' : 'its bytes are no plain bytes';
      const { dtype: name, size, bigEndian } = type;
      return bytes === undefined
        ? faulty(outside, name, shape)
        : { kind: 'array', array: { dtype: name, size, bigEndian, shape, fortran, data: bytes } };
    }
  }
};

const truth = (node: PickleNode | undefined): boolean | undefined => {
  const integer = integerOf(node);
  return node?.kind === 'bool' ? node.value : integer === 0n || integer === 1n ? integer === 1n : undefined;
};

/** `_reconstruct(class, (0,), b"b")`, then BUILD `(1, shape, dtype, is_fortran, data)`. */
const readReconstructed = (call: CallNode): NumpyReading | undefined => {
  const [type] = argumentsOf(call);
  const { added } = call;
  if (added === undefined || !ARRAY_CLASSES.has(globalName(type) ?? '')) {
    return undefined;
  }
  const [version, shape, dtype, fortran, data] = itemsOf(added.states[0]) ?? [];
  const once = added.states.length === 1 && added.items.length + added.keys.length === 0;
  if (!once || integerOf(version) !== 1n || data === undefined) {
    return faulty('its state is not one that numpy writes', '', sizesOf(shape) ?? []);
  }
  const at = added.changedAt;
  return readParts({ dtype, shape: sizesOf(shape, at), fortran: truth(fortran), data }, at);
};

/** `_frombuffer(buffer, dtype, shape, order)`, of protocol 5. */
const readFromBuffer = (call: CallNode): NumpyReading | undefined => {
  const [data, dtype, shape, order] = argumentsOf(call);
  const spelled = textOfNode(order);
  const fortran = spelled === 'C' ? false : spelled === 'F' ? true : undefined;
  return readParts({ dtype, shape: sizesOf(shape, call.offset), fortran, data }, call.offset);
};

/**
 * What a node is, seen as an array or a number of numpy (FORMATS.md 2.7). Arrays of text, and of nothing but text, are no
 * tensors; nor are numbers that another call changed.
 */
export const readNumpy = (node: CallNode): NumpyReading | undefined => {
  const { callee, added, offset } = node;
  if (isGlobal(callee, MULTIARRAY, '_reconstruct')) {
    return readReconstructed(node);
  }
  const scalar = isGlobal(callee, MULTIARRAY, 'scalar');
  if (!scalar && !isGlobal(callee, NUMERIC, '_frombuffer')) {
    return undefined;
  }
  const reading = scalar
    ? readParts({ dtype: argumentsOf(node)[0], shape: [], fortran: false, data: argumentsOf(node)[1] }, offset)
    : readFromBuffer(node);
  return added !== undefined && reading?.kind === 'array'
    ? {
        kind: 'refused',
        why: 'the pickle changes it after it is made',
        dtype: reading.array.dtype,
        shape: [],
        code: 'not-scanned',
      }
    : reading;
};
