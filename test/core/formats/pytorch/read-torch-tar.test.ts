import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../../src/core/checkpoint.ts';
import { type CraftedTarMember, tarBytes } from '../../../support/tar-bytes.ts';
import { call, dict, global, int, type Piece, pickle, text, tuple } from '../../../support/torch-bytes.ts';
import { joined, numbers, utf8 } from '../../../support/zip-bytes.ts';

const open = (bytes: Uint8Array, name = 'm.pt'): Promise<Checkpoint> => inspectSource(memorySource(bytes, name));
const codes = ({ findings }: Checkpoint): string[] => findings.map(({ code }) => code);

const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const persistent = (key: string): Piece => joined(text(key), utf8('Q'));
const storageEntry = (key: number, className = 'FloatStorage'): Uint8Array =>
  pickle(tuple(int(key), text('cpu'), global('torch', className)));
const noViews = pickle(utf8(']'));
const tensorEntry = (
  key: number,
  storage: number,
  shape: readonly number[],
  strides: readonly number[],
  offset = 0,
): Uint8Array =>
  joined(
    pickle(tuple(int(key), int(storage), global('torch', 'FloatTensor'))),
    numbers([4, shape.length], [4, 0], ...[...shape, ...strides, offset].map((value) => [8, value] as const)),
  );

interface Parts {
  readonly storages?: Uint8Array;
  readonly tensors?: Uint8Array;
  readonly pickle?: Uint8Array;
  readonly more?: readonly CraftedTarMember[];
}

const oneStorage = joined(pickle(int(1)), storageEntry(7), numbers([8, 4]), FOUR, noViews);
const oneTensor = joined(pickle(int(1)), tensorEntry(9, 7, [2, 2], [1, 2]));
const whole = (parts: Parts = {}): Uint8Array =>
  tarBytes(
    { name: 'sys_info', content: pickle(dict([text('protocol_version'), int(1000)])) },
    { name: 'pickle', content: parts.pickle ?? pickle(dict([text('a'), persistent('9')], [text('epoch'), int(3)])) },
    { name: 'tensors', content: parts.tensors ?? oneTensor },
    { name: 'storages', content: parts.storages ?? oneStorage },
    ...(parts.more ?? []),
  );

describe('the tar format of torch 0.1', () => {
  it('lists tensors under the path in the object, views in logical order', async () => {
    const checkpoint = await open(whole());
    expect([checkpoint.format, codes(checkpoint)]).toEqual(['pytorch-tar', []]);
    expect(await checkpoint.get('a').exactValues()).toEqual([1, 3, 2, 4]);
    expect(checkpoint.metadata).toEqual([{ key: 'epoch', type: 'number', value: '3' }]);
    expect(checkpoint.summary.dataBytes).toBe(16);
    const fixture = await open(readFileSync(new URL('../../../fixtures/pytorch/tar_v0.pt', import.meta.url)));
    expect(await fixture.get('w').exactValues()).toEqual([1, 2, 3, 4]);
  });

  it.each<[string, Parts, string]>([
    [
      'a storage cut off',
      { storages: joined(pickle(int(1)), storageEntry(7), numbers([8, 5]), FOUR) },
      'storage-size-mismatch',
    ],
    [
      'a negative count',
      { storages: joined(pickle(int(1)), storageEntry(7), numbers([8, -1n & (2n ** 64n - 1n)]), FOUR) },
      'storage-size-mismatch',
    ],
    [
      'a count that wraps',
      { storages: joined(pickle(int(1)), storageEntry(7), numbers([8, 2n ** 62n + 1n]), FOUR) },
      'storage-size-mismatch',
    ],
    [
      'one key twice',
      {
        storages: joined(
          pickle(int(2)),
          storageEntry(7),
          numbers([8, 2]),
          FOUR.subarray(8),
          storageEntry(7),
          numbers([8, 2]),
          FOUR.subarray(8),
          noViews,
        ),
      },
      'storage-size-mismatch',
    ],
    [
      'more storages than there are',
      { storages: joined(pickle(int(2)), storageEntry(7), numbers([8, 4]), FOUR) },
      'storage-missing',
    ],
    [
      'an unknown class',
      { storages: joined(pickle(int(1)), storageEntry(7, 'OddStorage'), numbers([8, 4]), FOUR, noViews) },
      'storage-missing',
    ],
    [
      'no list of views',
      { storages: joined(pickle(int(1)), storageEntry(7), numbers([8, 4]), FOUR) },
      'storage-missing',
    ],
    [
      'more tensors than there are',
      { tensors: joined(pickle(int(2)), tensorEntry(9, 7, [2, 2], [1, 2])) },
      'pickle-broken',
    ],
    ['a negative size', { tensors: joined(pickle(int(1)), tensorEntry(9, 7, [-1], [1])) }, 'field-invalid'],
    [
      'a view that leads outside',
      { tensors: joined(pickle(int(1)), tensorEntry(9, 7, [4], [2])) },
      'tensor-out-of-bounds',
    ],
    [
      'another storage than there is',
      { tensors: joined(pickle(int(1)), tensorEntry(9, 8, [4], [1])) },
      'storage-missing',
    ],
    [
      '65 dimensions',
      {
        tensors: joined(
          pickle(int(1)),
          tensorEntry(9, 7, new Array<number>(65).fill(1), new Array<number>(65).fill(1)),
        ),
      },
      'pickle-broken',
    ],
  ])('%s is a finding, and gives no number that is not there', async (_what, parts, code) => {
    const checkpoint = await open(whole(parts));
    expect(codes(checkpoint)).toContain(code);
    expect(checkpoint.verdict).toBe('damaged');
    for (const tensor of checkpoint.tensors.filter(({ readable }) => readable)) {
      expect(await tensor.exactValues()).toEqual([1, 3, 2, 4]);
    }
  });

  it('parts of storages are read in place, and stay inside', async () => {
    const views = (offset: number, elements: number): Parts => ({
      storages: joined(
        pickle(int(1)),
        storageEntry(7),
        numbers([8, 4]),
        FOUR,
        pickle(joined(utf8(']('), tuple(int(8), int(7), int(offset), int(elements)), utf8('e'))),
      ),
      tensors: joined(pickle(int(1)), tensorEntry(9, 8, [2], [1])),
    });
    expect(await (await open(whole(views(1, 2)))).get('a').exactValues()).toEqual([2, 3]);
    expect((await open(whole(views(3, 2)))).get('a').readable).toBe(false);
    expect((await open(whole(views(-1, 2)))).get('a').readable).toBe(false);
  });

  it('every pickle in it is graded', async () => {
    const evil = call(global('os', 'system'), text('true'));
    for (const parts of [
      { pickle: pickle(evil) },
      { tensors: joined(pickle(int(1)), pickle(evil)) },
      { storages: joined(pickle(int(1)), pickle(evil)) },
    ]) {
      const checkpoint = await open(whole(parts));
      expect(checkpoint.verdict).toBe('dangerous');
    }
  });

  it('a member that is there twice is not guessed at', async () => {
    const checkpoint = await open(whole({ more: [{ name: 'tensors', content: oneTensor }] }));
    expect([codes(checkpoint), checkpoint.table.length]).toEqual([['duplicate-name'], 0]);
  });

  it('another tar is named, with what it holds', async () => {
    const checkpoint = await open(tarBytes({ name: 'weights.txt', content: utf8('x') }));
    expect(checkpoint.format).toBe('unrecognised');
    expect(checkpoint.findings[0]?.message).toBe('a tar archive without PyTorch\'s members; it holds 1: "weights.txt"');
  });
});
