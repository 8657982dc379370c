import { LONGEST_TEXT } from './limits.ts';
import type { CallNode, PickleNode } from './nodes.ts';
import { python2Text } from './pickle-text.ts';
import { python3Name } from './python2-names.ts';

/** The text of a string, also of one of Python 2; undefined for anything else and for a text of over 64 MiB. */
export const textOf = (node: PickleNode | undefined): string | undefined => {
  if (node?.kind === 'string') {
    return node.value;
  }
  return node?.kind === 'byte-string' && node.value.length <= LONGEST_TEXT ? python2Text(node.value) : undefined;
};

/**
 * Whether a node is the import `module.name`, or what Python 2 called it. The module may be a list of names it has had.
 */
export const isGlobal = (node: PickleNode | undefined, module: string | readonly string[], name: string): boolean => {
  if (node?.kind !== 'global') {
    return false;
  }
  const found = python3Name(node.use.module, node.use.name);
  return found.name === name && (typeof module === 'string' ? found.module === module : module.includes(found.module));
};

/** The node itself if it is the result of calling the import `module.name`, which is judged as `isGlobal` does. */
export const callOf = (
  node: PickleNode | undefined,
  module: string | readonly string[],
  name: string,
): CallNode | undefined => (node?.kind === 'call' && isGlobal(node.callee, module, name) ? node : undefined);

/** The items of a list, tuple, set or frozenset; undefined for anything else. */
export const itemsOf = (node: PickleNode | undefined): readonly PickleNode[] | undefined => {
  switch (node?.kind) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'frozenset':
      return node.items;
    default:
      return undefined;
  }
};

/** The arguments of a call that stand in a tuple; none where something else stands there. */
export const argumentsOf = (node: CallNode): readonly PickleNode[] =>
  node.args.kind === 'tuple' ? node.args.items : [];

/**
 * The bytes a node stands for: of bytes, bytearray and a string of Python 2, and of the calls by which protocols 0 to 2
 * write bytes, `_codecs.encode(text, "latin1")`, `bytes()` and `bytearray(bytes)` (FORMATS.md 2.7). Undefined otherwise.
 */
export const bytesOf = (node: PickleNode | undefined): Uint8Array | undefined => {
  const written = writtenBytesOf(node);
  return typeof written === 'string' ? latin1Bytes(written) : written;
};

/**
 * As {@link bytesOf}, but for what a pickle writes as text and `latin1` that text itself: its characters are the bytes.
 * Nothing is made, however many calls share one text.
 */
export const writtenBytesOf = (node: PickleNode | undefined): Uint8Array | string | undefined => {
  if (node?.kind === 'bytes' || node?.kind === 'bytearray' || node?.kind === 'byte-string') {
    return node.value;
  }
  const encode = callOf(node, '_codecs', 'encode');
  if (encode !== undefined) {
    return encodedText(argumentsOf(encode));
  }
  const made = callOf(node, 'builtins', 'bytearray') ?? callOf(node, 'builtins', 'bytes');
  return made?.args.kind === 'tuple' ? bytesMadeOf(made.args.items) : undefined;
};

/** Bytes of the arguments of `bytes` or `bytearray`. */
const bytesMadeOf = ([first, encoding]: readonly PickleNode[]): Uint8Array | string | undefined => {
  if (first === undefined) {
    return new Uint8Array(0);
  }
  if (first.kind === 'string') {
    return encoding === undefined ? undefined : encodedText([first, encoding]);
  }
  // One level and no more: `bytearray(bytearray(…))` nests as deep as a file likes, and no pickler writes it.
  const encode = callOf(first, '_codecs', 'encode');
  return encode === undefined ? plainBytes(first) : encodedText(argumentsOf(encode));
};

const plainBytes = (node: PickleNode): Uint8Array | undefined =>
  node.kind === 'bytes' || node.kind === 'bytearray' || node.kind === 'byte-string' ? node.value : undefined;

const LATIN1: ReadonlySet<string> = new Set(['latin1', 'latin-1', 'latin_1', 'iso-8859-1', 'iso8859-1', '8859', 'l1']);

const encodedText = ([text, encoding]: readonly PickleNode[]): string | undefined =>
  text?.kind === 'string' && LATIN1.has(textOf(encoding)?.toLowerCase() ?? '') ? text.value : undefined;

/** A text as latin-1 has it; undefined for one with other characters, on which Python fails. */
export const latin1Bytes = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < bytes.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0xff) {
      return undefined;
    }
    bytes[index] = unit;
  }
  return bytes;
};
