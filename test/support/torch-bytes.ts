import { joined, utf8, zipBytes } from './zip-bytes.ts';

/** A piece of a pickle, ready to stand in the stream: protocol 2 opcodes, written without a memo. */
export type Piece = Uint8Array;

const op = (letter: string): Uint8Array => Uint8Array.of(letter.charCodeAt(0));
const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
};

export const text = (value: string): Piece => joined(op('X'), u32(utf8(value).length), utf8(value));
/** An integer as LONG1, whatever its size. */
export const int = (value: bigint | number): Piece => {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (let k = 0; k < 17; k += 1) {
    bytes.push(Number(BigInt.asUintN(8, rest)));
    rest >>= 8n;
  }
  return joined(Uint8Array.of(0x8a, bytes.length, ...bytes));
};
export const bool = (value: boolean): Piece => Uint8Array.of(value ? 0x88 : 0x89);
export const tuple = (...items: readonly Piece[]): Piece => joined(op('('), ...items, op('t'));
export const global = (module: string, name: string): Piece => joined(op('c'), utf8(`${module}\n${name}\n`));
export const call = (callee: Piece, ...args: readonly Piece[]): Piece => joined(callee, tuple(...args), op('R'));
export const dict = (...pairs: readonly (readonly [key: Piece, value: Piece])[]): Piece =>
  joined(op('}'), op('('), ...pairs.flat(), op('u'));
export const pickle = (root: Piece): Uint8Array => joined(Uint8Array.of(0x80, 2), root, op('.'));

/** A storage reference. */
export const storage = (className: string, key: string, elements: bigint | number): Piece =>
  joined(tuple(text('storage'), global('torch', className), text(key), text('cpu'), int(elements)), op('Q'));

export interface DenseOptions {
  readonly offset?: bigint | number;
  readonly strides?: readonly (bigint | number)[];
  /** `torch.<name>`: makes it a `_rebuild_tensor_v3`. */
  readonly dtype?: string;
  readonly metadata?: Piece;
}

/** A dense tensor as torch.save writes it. */
export const dense = (over: Piece, shape: readonly (bigint | number)[], options: DenseOptions = {}): Piece => {
  const { offset = 0, dtype, metadata } = options;
  const plain = shape.map((_, k) => shape.slice(k + 1).reduce<bigint>((product, size) => product * BigInt(size), 1n));
  const strides = options.strides ?? plain;
  const hooks = call(global('collections', 'OrderedDict'));
  return call(
    global('torch._utils', dtype === undefined ? '_rebuild_tensor_v2' : '_rebuild_tensor_v3'),
    over,
    int(offset),
    tuple(...shape.map(int)),
    tuple(...strides.map(int)),
    bool(false),
    hooks,
    ...(dtype === undefined ? [] : [global('torch', dtype)]),
    ...(metadata === undefined ? [] : [metadata]),
  );
};

/** A state dict of named values. */
export const stateDict = (values: Readonly<Record<string, Piece>>): Uint8Array =>
  pickle(dict(...Object.entries(values).map(([name, value]) => [text(name), value] as const)));

/** An archive of a pickle and storages, as torch.save lays them out. */
export const torchFile = (
  root: Uint8Array,
  storages: Readonly<Record<string, Uint8Array>> = {},
  others: Readonly<Record<string, Uint8Array>> = {},
  deflate = false,
): Uint8Array =>
  zipBytes(
    { name: 'm/data.pkl', content: root, deflate },
    ...Object.entries(storages).map(([key, content]) => ({ name: `m/data/${key}`, content })),
    { name: 'm/version', content: utf8('3\n') },
    ...Object.entries(others).map(([name, content]) => ({ name, content })),
  );
