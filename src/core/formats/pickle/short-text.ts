import { elideMiddle } from '../../../shared/escape-text.ts';
import { textOf } from './node-values.ts';
import type { DictNode, PickleNode } from './nodes.ts';

/** Characters of a short text; beyond, it ends with an ellipsis. */
const LONGEST_SHORT_TEXT = 160;
/** Characters of one string, and of one name, inside it. */
const LONGEST_PART = 60;
/** Items of one container shown. */
const MOST_ITEMS = 6;
/** Bytes of one bytes object shown. */
const MOST_BYTES = 8;
/** Containers inside containers shown; deeper ones are an ellipsis, which also ends cycles. */
const DEEPEST = 3;
/** Integers of more bits are not written out: their decimal digits take time that grows with the square of the bits. */
const MOST_BITS = 512;

/**
 * A node in one line, at most about 160 characters: `torch._utils._rebuild_tensor_v2(…)`, `{"epoch": 3, "lr": 0.1}`. Takes
 * bounded time whatever hangs on the node. Text from the file in it is raw.
 */
export const shortText = (node: PickleNode): string => {
  const writer = new ShortWriter();
  writer.node(node, 0);
  return writer.finish();
};

/** The arguments of a call in one line, in parentheses; see {@link shortText}. */
export const argumentsInShort = (node: PickleNode): string => {
  const writer = new ShortWriter();
  if (node.kind === 'call') {
    writer.callArguments(node.args, node.kwargs, 0);
  }
  return writer.finish();
};

/** The whole name of an import. */
export const importText = (module: string, name: string): string =>
  `${elideMiddle(module, LONGEST_PART)}.${elideMiddle(name, LONGEST_PART)}`;

class ShortWriter {
  #text = '';

  finish(): string {
    return elideTail(this.#text);
  }

  node(node: PickleNode, depth: number): void {
    if (this.#text.length > LONGEST_SHORT_TEXT) {
      return;
    }
    switch (node.kind) {
      case 'list':
        this.#items('[', node.items, ']', depth);
        break;
      case 'tuple':
        this.#items('(', node.items, node.items.length === 1 ? ',)' : ')', depth);
        break;
      case 'set':
        this.#items(node.items.length === 0 ? 'set(' : '{', node.items, node.items.length === 0 ? ')' : '}', depth);
        break;
      case 'frozenset':
        this.#items('frozenset({', node.items, '})', depth);
        break;
      case 'dict':
        this.#pairs(node, depth);
        break;
      case 'computed-global':
        this.#items('import of (', [node.module, node.name], ')', depth);
        break;
      case 'call':
        this.#callee(node.callee, depth);
        this.callArguments(node.args, node.kwargs, depth);
        break;
      case 'persistent':
        this.#items('persistent id ', [node.id], '', depth);
        break;
      default:
        this.#put(leafText(node));
    }
  }

  callArguments(args: PickleNode, kwargs: PickleNode | undefined, depth: number): void {
    if (kwargs !== undefined) {
      this.#items('(', [args, kwargs], ')', depth);
    } else if (args.kind === 'tuple') {
      this.#items('(', args.items, ')', depth);
    } else {
      this.#items('(*', [args], ')', depth);
    }
  }

  #callee(callee: PickleNode, depth: number): void {
    if (depth >= DEEPEST) {
      this.#put('…');
    } else {
      this.node(callee, depth + 1);
    }
  }

  #put(text: string): void {
    this.#text += text;
  }

  #items(open: string, items: readonly PickleNode[], close: string, depth: number): void {
    this.#put(open);
    if (depth >= DEEPEST && items.length > 0) {
      this.#put('…');
    } else {
      for (const [index, item] of items.slice(0, MOST_ITEMS).entries()) {
        this.#put(index === 0 ? '' : ', ');
        this.node(item, depth + 1);
      }
      this.#put(items.length > MOST_ITEMS ? `, … ${items.length} in all` : '');
    }
    this.#put(close);
  }

  #pairs({ keys, values }: DictNode, depth: number): void {
    this.#put('{');
    if (depth >= DEEPEST && keys.length > 0) {
      this.#put('…');
    } else {
      for (const [index, key] of keys.slice(0, MOST_ITEMS).entries()) {
        this.#put(index === 0 ? '' : ', ');
        this.node(key, depth + 1);
        this.#put(': ');
        const value = values[index];
        if (value !== undefined) {
          this.node(value, depth + 1);
        }
      }
      this.#put(keys.length > MOST_ITEMS ? `, … ${keys.length} in all` : '');
    }
    this.#put('}');
  }
}

type Leaf = Exclude<
  PickleNode,
  { readonly kind: 'list' | 'tuple' | 'set' | 'frozenset' | 'dict' | 'computed-global' | 'call' | 'persistent' }
>;

const leafText = (node: Leaf): string => {
  switch (node.kind) {
    case 'none':
      return 'None';
    case 'bool':
      return node.value ? 'True' : 'False';
    case 'int':
      return intText(node.value);
    case 'float':
      return floatText(node.value);
    case 'string':
    case 'byte-string':
      return `"${elideMiddle(textOf(node) ?? '…', LONGEST_PART)}"`;
    case 'bytes':
    case 'bytearray':
      return bytesText(node.kind, node.value);
    case 'global':
      return importText(node.use.module, node.use.name);
    case 'extension':
      return `extension ${node.code}`;
    case 'buffer':
      return `buffer ${node.index}`;
  }
};

const elideTail = (text: string): string =>
  text.length <= LONGEST_SHORT_TEXT
    ? text
    : `${Array.from(text.slice(0, 2 * LONGEST_SHORT_TEXT))
        .slice(0, LONGEST_SHORT_TEXT - 1)
        .join('')}…`;

const intText = (value: number | bigint): string =>
  typeof value === 'bigint' && BigInt.asIntN(MOST_BITS, value) !== value
    ? `an integer of over ${MOST_BITS} bits`
    : String(value);

/** As Python writes floats: with a point or an exponent, `nan`, `inf`. */
const floatText = (value: number): string => {
  if (Number.isNaN(value)) {
    return 'nan';
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? 'inf' : '-inf';
  }
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
};

const bytesText = (kind: string, value: Uint8Array): string => {
  const shown = Array.from(value.subarray(0, MOST_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const more = value.length > MOST_BYTES ? ' …' : '';
  return value.length === 0 ? `${kind} of length 0` : `${kind} of length ${value.length}: ${shown}${more}`;
};
