import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../../src/core/checkpoint.ts';
import {
  bool,
  call,
  dense,
  global,
  int,
  type Piece,
  stateDict,
  storage,
  text,
  torchFile,
  tuple,
} from '../../../support/torch-bytes.ts';
import { joined, utf8 } from '../../../support/zip-bytes.ts';

const bytes = (array: { readonly buffer: ArrayBufferLike }): Uint8Array => new Uint8Array(array.buffer);
const float = (value: number): Piece => {
  const piece = new Uint8Array(9);
  piece[0] = 'G'.charCodeAt(0);
  new DataView(piece.buffer).setFloat64(1, value, false);
  return piece;
};
const list = (...items: readonly Piece[]): Piece => joined(utf8(']('), ...items, utf8('e'));
const integers = storage('QInt8Storage', '0', 4);
const hooks = call(global('collections', 'OrderedDict'));

const rebuilt = (
  quantiser: Piece,
  {
    over = integers,
    shape = [2, 2],
    strides = [2, 1],
    offset = 0,
  }: { over?: Piece; shape?: number[]; strides?: number[]; offset?: number } = {},
): Piece =>
  call(
    global('torch._utils', '_rebuild_qtensor'),
    over,
    int(offset),
    tuple(...shape.map(int)),
    tuple(...strides.map(int)),
    quantiser,
    bool(false),
    hooks,
  );

const perTensor = (scale: Piece, zeroPoint: Piece): Piece =>
  tuple(global('torch', 'per_tensor_affine'), scale, zeroPoint);
const perChannel = (scales: Piece, zeroPoints: Piece, axis = 0): Piece =>
  tuple(global('torch', 'per_channel_affine'), scales, zeroPoints, int(axis));
const doubles = (count: number, strides?: number[]): Piece =>
  dense(storage('DoubleStorage', '1', 2), [count], strides === undefined ? {} : { strides });
const longs = (count: number): Piece => dense(storage('LongStorage', '2', 2), [count]);

const open = (value: Piece, zeroPoints: readonly bigint[] = [1n, 2n]) =>
  inspectSource(
    memorySource(
      torchFile(stateDict({ q: value }), {
        0: Uint8Array.of(0xff, 2, 3, 4),
        1: bytes(Float64Array.of(0.5, 2)),
        2: bytes(BigInt64Array.from(zeroPoints)),
      }),
      'm.pt',
    ),
  );

describe('quantised tensors', () => {
  it('are listed under their own name, their channels beside them', async () => {
    const checkpoint = await open(rebuilt(perChannel(doubles(2), longs(2))));
    expect(checkpoint.table.rows().map(({ name, dtype }) => [name, dtype])).toEqual([
      ['q', 'QI8'],
      ['q.scales', 'F64'],
      ['q.zero_points', 'I64'],
    ]);
    expect(checkpoint.get('q').row.quantised).toEqual({ scheme: 'channels', axis: 0 });
    expect(await checkpoint.get('q').exactValues()).toEqual([-1, 0.5, 2, 4]);
    expect(await checkpoint.get('q').exactValues({ stored: true })).toEqual([-1, 2, 3, 4]);
  });

  it('take lists of numbers too, as old files have them', async () => {
    const whole = await open(rebuilt(perChannel(list(float(0.5), float(2)), list(int(1), int(2)))));
    expect(await whole.get('q').exactValues()).toEqual([-1, 0.5, 2, 4]);
    const floats = await open(rebuilt(perChannel(list(float(0.5), float(2)), list(float(1.5), float(2)))));
    expect(floats.get('q').row.quantised).toEqual({ scheme: 'float-channels', axis: 0 });
    expect(await floats.get('q').exactValues()).toEqual([-1.25, 0.25, 2, 4]);
  });

  it.each<[string, Piece, string, RegExp]>([
    [
      'a stride that leads outside (B24)',
      rebuilt(perTensor(float(0.5), int(0)), { shape: [2], strides: [1_000_000_000] }),
      'tensor-out-of-bounds',
      /element 1,000,000,000/,
    ],
    [
      'a zero point that the dtype has not',
      rebuilt(perTensor(float(0.5), int(200))),
      'field-invalid',
      /zero point 200/,
    ],
    ['a scale that is no number', rebuilt(perTensor(text('1'), int(0))), 'field-invalid', /cannot be read/],
    [
      'an unknown scheme',
      rebuilt(tuple(global('torch', 'per_row'), float(1), int(0))),
      'field-invalid',
      /cannot be read/,
    ],
    ['an axis it has not', rebuilt(perChannel(doubles(2), longs(2), 2)), 'field-invalid', /dimension 2/],
    ['a negative axis', rebuilt(perChannel(doubles(2), longs(2), -1)), 'field-invalid', /dimension -1/],
    ['fewer scales than channels', rebuilt(perChannel(doubles(1), longs(2))), 'field-invalid', /2 channels.* \[1\]/],
    [
      'more zero points than channels',
      rebuilt(perChannel(doubles(2), list(int(1), int(2), int(3)))),
      'field-invalid',
      /2 channels.* \[3\]/,
    ],
    [
      'a storage of plain integers',
      rebuilt(perTensor(float(0.5), int(0)), { over: storage('CharStorage', '0', 4) }),
      'field-invalid',
      /no quantised class/,
    ],
    [
      'scales outside their storage',
      rebuilt(perChannel(doubles(2, [9]), longs(2))),
      'tensor-out-of-bounds',
      /of its scales or zero points/,
    ],
  ])('%s is refused', async (_what, value, code, message) => {
    const checkpoint = await open(value);
    expect(checkpoint.get('q').readable).toBe(false);
    expect(checkpoint.get('q').row.problem).toMatch(message);
    expect(checkpoint.findings.find(({ tensor }) => tensor === 'q')?.code).toBe(code);
  });

  it('zero points of channels that the dtype has not are refused', async () => {
    const checkpoint = await open(rebuilt(perChannel(doubles(2), longs(2))), [0n, 128n]);
    expect(checkpoint.get('q').row.problem).toMatch(/zero points/);
  });

  it('integers without a quantiser are no numbers', async () => {
    const checkpoint = await open(dense(integers, [4]));
    expect(checkpoint.get('q').row).toMatchObject({ readable: false, dtype: 'QI8' });
  });

  it('a view of elements that share bytes is not decoded', async () => {
    const over = storage('QUInt4x2Storage', '0', 4);
    const whole = await open(rebuilt(perTensor(float(1), int(0)), { over, shape: [8], strides: [1] }));
    expect(await whole.get('q').exactValues()).toEqual([15, 15, 2, 0, 3, 0, 4, 0]);
    const view = await open(rebuilt(perTensor(float(1), int(0)), { over, shape: [4], strides: [2] }));
    expect(view.get('q').row.problem).toMatch(/share bytes/);
    const moved = await open(rebuilt(perTensor(float(1), int(0)), { over, shape: [4], strides: [1], offset: 1 }));
    expect(moved.get('q').row.problem).toMatch(/share bytes/);
  });

  it('nested in themselves as their own scales, however deep, are no trouble', async () => {
    let scales = doubles(2);
    for (let depth = 0; depth < 2000; depth += 1) {
      scales = rebuilt(perChannel(scales, longs(2)));
    }
    const checkpoint = await open(scales);
    expect(checkpoint.get('q').readable).toBe(false);
  });

  it('more channels than fit in memory are refused before they are read', async () => {
    const over = storage('QInt8Storage', '0', 4);
    const many = 2 ** 40;
    const wide = dense(storage('DoubleStorage', '1', 2), [many], { strides: [0] });
    const value = rebuilt(perChannel(wide, wide), { over, shape: [many], strides: [0] });
    const checkpoint = await open(value);
    expect(checkpoint.get('q').row.problem).toMatch(/over 8,000,000 channels/);
  });
});
