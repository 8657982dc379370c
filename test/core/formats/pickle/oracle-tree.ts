import type { PickleNode } from '../../../../src/core/formats/pickle/nodes.ts';

/** What test/oracle/pickles.py writes for a value. */
export type OracleTree = unknown;

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** As Python's `hex(int)`. */
const hexInt = (value: number | bigint): string => {
  const big = BigInt(value);
  return big < 0n ? `-0x${(-big).toString(16)}` : `0x${big.toString(16)}`;
};

/** Exact, in a form both sides can write: the 16 digits of the bits; every NaN is one. */
const pythonFloat = (value: number): string => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return Number.isNaN(value) ? 'nan' : view.getBigUint64(0).toString(16).padStart(16, '0');
};

/** As Python's `json.dumps` with its defaults, of the JSON values that occur here. */
const pythonJson = (value: unknown): string => {
  if (Array.isArray(value)) {
    return `[${value.map(pythonJson).join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${pythonJson(key)}: ${pythonJson(item)}`)
      .join(', ')}}`;
  }
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
};

/** A dict of Python's keeps the last value of a key, at its first place; ours keeps both. */
const lastOfEqualKeys = (pairs: readonly (readonly OracleTree[])[]): readonly (readonly OracleTree[])[] => {
  const kept = new Map<string, readonly OracleTree[]>();
  for (const [key, value] of pairs) {
    const text = pythonJson(key);
    kept.set(text, [kept.get(text)?.[0] ?? key, value]);
  }
  return [...kept.values()];
};

/** Writes nodes in the oracle's form. Recursive: for the shallow trees of tests alone. */
export class OracleDump {
  readonly #seen = new Map<PickleNode, number>();

  tree(node: PickleNode): OracleTree {
    switch (node.kind) {
      case 'none':
        return null;
      case 'bool':
      case 'string':
        return node.value;
      case 'int':
        return { int: hexInt(node.value) };
      case 'float':
        return { float: pythonFloat(node.value) };
      case 'bytes':
      case 'byte-string':
        return { bytes: hex(node.value) };
      case 'buffer':
        return 'out-of-band buffer';
      case 'global':
        return { global: [node.use.module, node.use.name] };
      case 'tuple':
        return { tuple: this.#all(node.items) };
      case 'set':
      case 'frozenset':
        return { [node.kind]: [...new Set(this.#all(node.items).map(pythonJson))].sort() };
      default:
        return this.#numbered(node);
    }
  }

  #all(nodes: readonly PickleNode[]): readonly OracleTree[] {
    return nodes.map((node) => this.tree(node));
  }

  #pairs(keys: readonly PickleNode[], values: readonly PickleNode[]): readonly (readonly OracleTree[])[] {
    return keys.map((key, index) => {
      const value = values[index];
      return value === undefined ? [] : [this.tree(key), this.tree(value)];
    });
  }

  #numbered(node: PickleNode): OracleTree {
    const again = this.#seen.get(node);
    if (again !== undefined) {
      return { again };
    }
    this.#seen.set(node, this.#seen.size);
    switch (node.kind) {
      case 'bytearray':
        return { bytearray: hex(node.value) };
      case 'list':
        return { list: this.#all(node.items) };
      case 'dict':
        return { dict: lastOfEqualKeys(this.#pairs(node.keys, node.values)) };
      case 'persistent':
        return { persistent: this.tree(node.id) };
      case 'call': {
        const { callee, args, kwargs, added } = node;
        return {
          call: callee.kind === 'global' ? [callee.use.module, callee.use.name] : callee.kind,
          args: args.kind === 'tuple' ? this.#all(args.items) : args.kind,
          kwargs: kwargs?.kind === 'dict' ? this.#pairs(kwargs.keys, kwargs.values) : [],
          items: this.#all(added?.items ?? []),
          pairs: this.#pairs(added?.keys ?? [], added?.values ?? []),
          states: this.#all(added?.states ?? []),
        };
      }
      default:
        return node.kind;
    }
  }
}
