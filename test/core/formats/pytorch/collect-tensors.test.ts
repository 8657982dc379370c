import { describe, expect, it } from 'vitest';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { collectTensors } from '../../../../src/core/formats/pytorch/collect-tensors.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';
import {
  bool,
  call,
  dense,
  dict,
  global,
  int,
  type Piece,
  pickle,
  stateDict,
  storage,
  text,
  torchFile,
  tuple,
} from '../../../support/torch-bytes.ts';
import { joined, utf8 } from '../../../support/zip-bytes.ts';

const opcodes = (letters: string): Piece => utf8(letters);
const four = storage('FloatStorage', '0', 4);
const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const ordered = global('collections', 'OrderedDict');

const walk = (bytes: Uint8Array) => {
  const { root } = runPickle(bytes);
  if (root === undefined) {
    throw new Error('the pickle did not end');
  }
  return collectTensors(root);
};
const found = (bytes: Uint8Array) =>
  walk(bytes).tensors.map(({ path, reading }) => [
    path,
    reading.kind === 'tensor'
      ? reading.tensor.shape.map(Number)
      : reading.kind === 'array'
        ? 'array'
        : (reading.code ?? 'not decoded'),
  ]);

describe('collectTensors', () => {
  it('keeps of a repeated key what Python keeps: the last value, at the place of the first', () => {
    const pairs = [
      [text('a'), dense(four, [4])],
      [text('b'), dense(four, [3])],
      [text('a'), dense(four, [2])],
    ] as const;
    const expected = [
      ['a', [2]],
      ['b', [3]],
    ];
    expect(found(pickle(dict(...pairs)))).toEqual(expected);
    const setItems = joined(call(ordered), opcodes('('), ...pairs.flat(), opcodes('u'));
    expect(found(pickle(setItems))).toEqual(expected);
  });

  it('takes 1 and True for one key, and text and numbers for two', () => {
    const root = dict([int(1), dense(four, [4])], [bool(true), dense(four, [2])], [text('1'), dense(four, [3])]);
    expect(found(pickle(root)).map(([, shape]) => shape)).toEqual([[2], [3]]);
  });

  it('reads an OrderedDict out of the pairs Python 2 makes it of, and what is put in afterwards', () => {
    const pair = joined(opcodes(']('), text('a'), dense(four, [4]), opcodes('e'));
    const pairs = joined(opcodes(']('), pair, tuple(text('b'), dense(four, [3])), opcodes('e'));
    const root = joined(call(ordered, pairs), opcodes('('), text('a'), dense(four, [2]), opcodes('u'));
    expect(found(pickle(root))).toEqual([
      ['a', [2]],
      ['b', [3]],
    ]);
  });

  it('refuses a tensor that is changed after it is made', () => {
    const state = tuple(four, int(2), tuple(int(2)), tuple(int(1)));
    expect(found(pickle(dict([text('a'), joined(dense(four, [4]), state, opcodes('b'))])))).toEqual([
      ['a', 'not-scanned'],
    ]);
    const args = tuple(four, int(0), tuple(int(4)), tuple(int(1)), bool(false), call(ordered));
    const fromType = (changes: Piece): Piece =>
      call(
        global('torch._tensor', '_rebuild_from_type_v2'),
        global('torch._utils', '_rebuild_tensor_v2'),
        global('torch', 'Tensor'),
        args,
        changes,
      );
    expect(found(pickle(fromType(dict([text('data'), dense(four, [2])]))))).toEqual([['', 'not-scanned']]);
    expect(found(pickle(fromType(dict([text('tag'), int(1)]))))).toEqual([['', [4]]]);
  });

  it('sees the sign of a view in an OrderedDict too, and refuses metadata it cannot read', () => {
    const withMetadata = (metadata: Piece) => walk(pickle(dense(four, [4], { metadata }))).tensors[0]?.reading;
    const neg = joined(call(ordered), text('neg'), bool(true), opcodes('s'));
    expect(withMetadata(neg)).toMatchObject({ kind: 'tensor', tensor: { negated: true, conjugated: false } });
    expect(withMetadata(opcodes('N'))).toMatchObject({ kind: 'tensor', tensor: { negated: false } });
    expect(withMetadata(dict([text('neg'), int(1)]))).toMatchObject({ kind: 'refused', code: 'not-scanned' });
    expect(withMetadata(call(global('some', 'thing')))).toMatchObject({ kind: 'refused', code: 'not-scanned' });
  });

  it('goes by what a rebuild function was given, not by what was put into its arguments afterwards', () => {
    const put = (slot: number): Piece => Uint8Array.of(0x71, slot);
    const get = (slot: number): Piece => Uint8Array.of(0x68, slot);
    const later = (argument: Piece, change: Piece, make: (argument: Piece) => Piece): unknown =>
      found(pickle(tuple(make(joined(argument, put(0))), joined(get(0), change))))[0];
    const turned = joined(text('neg'), bool(true), opcodes('s'));
    const plain = (metadata: Piece): Piece => dense(four, [4], { metadata });
    expect(later(opcodes('}'), turned, plain)).toEqual(['[0]', 'not-scanned']);
    expect(later(call(ordered), turned, plain)).toEqual(['[0]', 'not-scanned']);
    const list = joined(opcodes(']'), int(2), opcodes('a'));
    const sized = (shape: Piece): Piece =>
      call(global('torch._utils', '_rebuild_tensor'), four, int(0), shape, tuple(int(1)));
    expect(found(pickle(sized(list)))).toEqual([['', [2]]]);
    expect(later(list, joined(int(1), opcodes('a')), sized)).toEqual(['[0]', 'field-invalid']);
    const size = (of: Piece): Piece => sized(call(global('torch', 'Size'), of));
    expect(found(pickle(size(list)))).toEqual([['', [2]]]);
    expect(later(list, joined(int(1), opcodes('a')), size)).toEqual(['[0]', 'field-invalid']);
  });

  it('takes a tensor that was stored as another for that one only where the dtype is the same', () => {
    const converted = (dtype: string): Piece =>
      call(
        global('torch._utils', '_rebuild_device_tensor_from_cpu_tensor'),
        dense(four, [4]),
        global('torch', dtype),
        text('cpu'),
        bool(false),
      );
    expect(found(pickle(converted('float32')))).toEqual([['', [4]]]);
    expect(found(pickle(converted('bfloat16')))).toEqual([['', 'not decoded']]);
  });

  it('refuses more dimensions than a tensor can have', () => {
    const ones = new Array<number>(65).fill(1);
    expect(found(pickle(dense(four, ones.slice(1))))).toEqual([['', ones.slice(1)]]);
    expect(found(pickle(dense(four, ones)))).toEqual([['', 'field-invalid']]);
  });

  it('walks nesting of any depth in time that grows with it, and no container from inside itself', () => {
    const depth = 60_000;
    const deep = joined(opcodes(']'.repeat(depth)), dense(four, [4]), opcodes('a'.repeat(depth)));
    expect(walk(pickle(deep)).tensors).toHaveLength(1);
    const itself = joined(opcodes(']q\0(h\0'), dense(four, [4]), opcodes('e'));
    expect(found(pickle(itself))).toEqual([['[1]', [4]]]);
  });

  it('visits a container that two places share at each of them', () => {
    const shared = joined(opcodes('(]q\0'), dense(four, [4]), opcodes('ah\0t'));
    expect(found(pickle(shared)).map(([path]) => path)).toEqual(['[0][0]', '[1][0]']);
  });

  it('refuses a rebuild function nested in itself, however deep', () => {
    const name = global('torch._tensor', '_rebuild_from_type_v2');
    const depth = 30_000;
    // The arguments inside the arguments: name, type, (name, type, (…)).
    const deep = joined(
      name,
      opcodes('q\0'),
      ...Array.from({ length: depth }, () => opcodes('h\0N')),
      opcodes('N'),
      ...Array.from({ length: depth }, () => Uint8Array.of(0x87)),
      opcodes('R'),
    );
    expect(found(pickle(deep))).toEqual([['', 'field-invalid']]);
  });
});

describe('storages that two tensors share', () => {
  it.each([
    ['another type', storage('DoubleStorage', '0', 2)],
    ['another size', storage('FloatStorage', '0', 99)],
  ])('read only the first where the second claims %s', async (_what, other) => {
    const bytes = torchFile(stateDict({ a: dense(four, [4]), b: dense(other, [2]) }), { 0: FOUR });
    const { rows, codes, verdict } = await inspectBytes(bytes, 'm.pt');
    expect(rows.map(({ name, readable }) => [name, readable])).toEqual([
      ['a', true],
      ['b', false],
    ]);
    expect(codes).toContain('storage-size-mismatch');
    expect(verdict).toBe('damaged');
  });
});
