import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../../src/core/checkpoint.ts';
import {
  bool,
  call,
  dict,
  global,
  int,
  type Piece,
  pickle,
  text,
  torchFile,
  tuple,
} from '../../../support/torch-bytes.ts';
import { joined, utf8 } from '../../../support/zip-bytes.ts';

interface Case {
  readonly name: string;
  readonly base64: string;
  readonly tensors: Readonly<
    Record<string, { readonly dtype: string; readonly shape: number[]; readonly hex: string }>
  >;
}

const { cases } = JSON.parse(readFileSync(new URL('../../../fixtures/pickle/numpy.json', import.meta.url), 'utf8')) as {
  cases: Case[];
};

const open = (bytes: Uint8Array, name = 'm.pkl'): Promise<Checkpoint> => inspectSource(memorySource(bytes, name));
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const listed = async (checkpoint: Checkpoint): Promise<Case['tensors']> => {
  const entries = checkpoint.tensors.map(
    async (tensor) =>
      [tensor.name, { dtype: tensor.dtype, shape: tensor.shape.map(Number), hex: hex(await tensor.bytes()) }] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
};

describe('arrays, numbers and tensors of plain pickles, as numpy and torch load them', () => {
  it.each(cases.map((one) => [one.name, one] as const))('%s', async (_name, { base64, tensors }) => {
    const stream = Buffer.from(base64, 'base64');
    const checkpoint = await open(stream);
    expect(await listed(checkpoint)).toEqual(tensors);
    expect(checkpoint.verdict).toMatch(/clean|warnings/);
    // The same in an archive, stored and deflated: other bytes of other sources, the same tensors.
    for (const deflate of [false, true]) {
      expect(await listed(await open(torchFile(stream, {}, {}, deflate), 'm.pt'))).toEqual(tensors);
    }
  });
});

const dtype = (code: string, order = '<', size = -1): Piece => {
  const state = tuple(int(3), text(order), utf8('N'), utf8('N'), utf8('N'), int(size), int(-1), int(0));
  return joined(call(global('numpy', 'dtype'), text(code), bool(false), bool(true)), state, utf8('b'));
};
/** Bytes by a text, as protocol 2 writes them. */
const latin1 = (...bytes: readonly number[]): Piece =>
  call(global('_codecs', 'encode'), text(String.fromCharCode(...bytes)), text('latin1'));
const multiarray = 'numpy.core.multiarray';
const empty = call(global(multiarray, '_reconstruct'), global('numpy', 'ndarray'), tuple(int(0)), latin1(0x62));
const array = (type: Piece, shape: readonly number[], data: Piece, fortran: Piece = bool(false)): Piece =>
  joined(empty, tuple(int(1), tuple(...shape.map(int)), type, fortran, data), utf8('b'));
const scalar = (type: Piece, data: Piece): Piece => call(global(multiarray, 'scalar'), type, data);

const reading = async (value: Piece) => {
  const checkpoint = await open(pickle(dict([text('a'), value])));
  const [tensor] = checkpoint.tensors;
  return {
    codes: checkpoint.findings.map(({ code }) => code),
    problem: tensor?.row.problem,
    values: tensor?.readable === true ? await tensor.exactValues() : undefined,
    rows: checkpoint.table.length,
  };
};

describe('what is not as numpy writes it', () => {
  it('the healthy form reads', async () => {
    const values = [1, 2];
    expect(await reading(array(dtype('u1', '|'), [2], latin1(1, 2)))).toMatchObject({ codes: [], values });
    expect(await reading(scalar(dtype('i2', '>'), latin1(1, 2)))).toMatchObject({ codes: [], values: [258] });
  });

  it.each<[string, Piece, string, RegExp]>([
    [
      'fewer bytes than the shape needs',
      array(dtype('i2'), [2], latin1(1, 2, 3)),
      'size-mismatch',
      /need 4 bytes, .* 3/,
    ],
    [
      'more bytes than the shape needs',
      array(dtype('i2'), [1], latin1(1, 2, 3)),
      'size-mismatch',
      /need 2 bytes, .* 3/,
    ],
    ['a number of more bytes', scalar(dtype('i2'), latin1(1, 2, 3)), 'size-mismatch', /need 2 bytes/],
    ['a shape that overflows', array(dtype('u1'), [2 ** 40, 2 ** 40], latin1(1)), 'shape-overflow', /more elements/],
    ['a negative size', array(dtype('u1'), [-1], latin1(1)), 'field-invalid', /makes no sense/],
    ['no byte order', array(dtype('i2', '='), [1], latin1(1, 2)), 'byteorder-unknown', /which byte comes first/],
    [
      'a dtype without a state',
      array(call(global('numpy', 'dtype'), text('i2'), bool(false), bool(true)), [1], latin1(1, 2)),
      'byteorder-unknown',
      /which byte comes first/,
    ],
    ['an item size of its own', array(dtype('i2', '<', 4), [1], latin1(1, 2)), 'field-invalid', /dtype makes no sense/],
    ['an order that is no truth value', array(dtype('u1', '|'), [1], latin1(1), int(2)), 'field-invalid', /order/],
    ['bytes that are a list', array(dtype('u1', '|'), [0], utf8(']')), 'field-invalid', /no plain bytes/],
    [
      'a text that is no bytes',
      array(dtype('u1', '|'), [1], call(global('_codecs', 'encode'), text('日'), text('latin1'))),
      'field-invalid',
      /other characters/,
    ],
    [
      'a second state',
      joined(
        array(dtype('u1', '|'), [1], latin1(1)),
        tuple(int(1), tuple(int(1)), dtype('u1'), bool(false), latin1(2)),
        utf8('b'),
      ),
      'field-invalid',
      /not one that numpy writes/,
    ],
    ['a state that is none', joined(empty, tuple(int(1)), utf8('b')), 'field-invalid', /not one that numpy writes/],
  ])('%s is refused', async (_what, value, code, message) => {
    const { codes, problem, values, rows } = await reading(value);
    expect(codes).toEqual([code]);
    expect(problem).toMatch(message);
    expect(values).toBeUndefined();
    expect(rows).toBe(1);
  });

  it.each<[string, Piece]>([
    ['several fields', array(dtype('V8', '|', 8), [1], latin1(1, 2, 3, 4, 5, 6, 7, 8))],
    ['dates', array(dtype('M8'), [1], latin1(1, 2, 3, 4, 5, 6, 7, 8))],
    ['long doubles', scalar(dtype('f16'), latin1(...new Array<number>(16).fill(0)))],
  ])('%s are listed and not decoded, through no fault of the file', async (_what, value) => {
    const { codes, problem, values } = await reading(value);
    expect(codes).toEqual([]);
    expect(problem).toMatch(/not decoded/);
    expect(values).toBeUndefined();
  });

  it("an array of an unknown class is nobody's array", async () => {
    const other = call(global(multiarray, '_reconstruct'), global('my', 'array'), tuple(int(0)), latin1(0x62));
    const { rows, codes } = await reading(
      joined(other, tuple(int(1), tuple(int(1)), dtype('u1'), bool(false), latin1(1)), utf8('b')),
    );
    expect([rows, codes]).toEqual([0, ['pickle-unknown-import']]);
  });
});

const put = (slot: number): Piece => Uint8Array.of(0x71, slot);
const get = (slot: number): Piece => Uint8Array.of(0x68, slot);

describe('what changes after it was used', () => {
  it('a bytearray whose bytes are replaced is refused', async () => {
    // bytearray(b"\x01") in slot 0, an array over it, then slot 0 is extended by 2.
    const bytes = joined(call(global('builtins', 'bytearray'), latin1(1)), put(0));
    const from = call(global('numpy.core.numeric', '_frombuffer'), bytes, dtype('u1', '|'), tuple(int(1)), text('C'));
    const later = joined(get(0), utf8('('), int(2), utf8('e'));
    const checkpoint = await open(pickle(dict([text('a'), from], [text('b'), later])));
    expect(checkpoint.get('a').row.problem).toMatch(/no plain bytes/);
    const whole = await open(pickle(dict([text('a'), from])));
    expect(await whole.get('a').exactValues()).toEqual([1]);
  });

  it('a dtype whose order is set after a number was made of it does not make it another number', async () => {
    const type = joined(call(global('numpy', 'dtype'), text('i2'), bool(false), bool(true)), put(0));
    const number = scalar(type, latin1(1, 2));
    const state = tuple(int(3), text('>'), utf8('N'), utf8('N'), utf8('N'), int(-1), int(-1), int(0));
    const checkpoint = await open(pickle(dict([text('a'), number], [text('b'), joined(get(0), state, utf8('b'))])));
    expect(checkpoint.get('a').row.problem).toMatch(/dtype makes no sense/);
  });

  it('a size that grows after the tensor was made is refused', async () => {
    const shape = joined(utf8(']('), int(1), utf8('e'), put(0));
    const state = tuple(int(1), shape, dtype('u1', '|'), bool(false), latin1(1));
    const grown = joined(get(0), utf8('('), int(1), utf8('e'));
    const checkpoint = await open(pickle(dict([text('a'), joined(empty, state, utf8('b'))], [text('b'), grown])));
    expect(checkpoint.get('a').readable).toBe(false);
  });
});

describe('memory', () => {
  it('a text that thousands of calls encode is kept once', async () => {
    const length = 100_000;
    const big = joined(text('a'.repeat(length)), Uint8Array.of(0x71, 0));
    const again = call(global('_codecs', 'encode'), Uint8Array.of(0x68, 0), text('latin1'));
    const first = call(global('_codecs', 'encode'), big, text('latin1'));
    const arrays = Array.from({ length: 2000 }, (_, index) =>
      array(dtype('u1', '|'), [length], index === 0 ? first : again),
    );
    const checkpoint = await open(pickle(tuple(...arrays)));
    expect(checkpoint.table.length).toBe(2000);
    const kept = (checkpoint.content.members ?? []).map((inner) => (inner.kind === 'bytes' ? inner.bytes.length : -1));
    expect(kept).toEqual([length]);
    expect(checkpoint.summary.dataBytes).toBe(length);
    expect(await checkpoint.tensor(1999).exactValues({ slice: '-1' })).toEqual([97]);
  });

  it('numbers of one pickle share one source', async () => {
    const numbers = Array.from({ length: 300 }, (_, index) => scalar(dtype('u1', '|'), latin1(index % 256)));
    const checkpoint = await open(pickle(tuple(...numbers)));
    expect(checkpoint.sources).toHaveLength(2);
    expect(await checkpoint.get('[259]').exactValues()).toEqual([3]);
    expect(checkpoint.get('[259]').row).toMatchObject({ offset: undefined, file: 'm.pkl', shape: [], bytes: 1 });
  });
});
