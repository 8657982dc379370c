import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../../src/core/checkpoint.ts';
import { beginsLikeLegacy } from '../../../../src/core/formats/pytorch/stacked-pickles.ts';
import { call, dense, dict, global, int, type Piece, pickle, text, tuple } from '../../../support/torch-bytes.ts';
import { joined, utf8, zipBytes } from '../../../support/zip-bytes.ts';

const fixture = (name: string): Buffer => readFileSync(new URL(`../../../fixtures/pytorch/${name}`, import.meta.url));
const open = (bytes: Uint8Array): Promise<Checkpoint> => inspectSource(memorySource(bytes, 'm.pt'));
const codes = ({ findings }: Checkpoint): string[] => findings.map(({ code }) => code);

const MAGIC = pickle(int(0x1950a86a20f9469cfc6cn));
const SYSTEM = pickle(dict([text('little_endian'), Uint8Array.of(0x88)]));
const i64 = (value: bigint | number): Uint8Array => new Uint8Array(BigInt64Array.of(BigInt(value)).buffer);
const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);

/** A legacy storage reference, with view metadata where given. */
const storage = (key: string, elements: bigint | number, view?: Piece): Piece =>
  joined(
    tuple(text('storage'), global('torch', 'FloatStorage'), text(key), text('cpu'), int(elements), view ?? utf8('N')),
    utf8('Q'),
  );

const legacy = (root: Piece, keys: readonly string[], ...rest: readonly Uint8Array[]): Uint8Array =>
  joined(MAGIC, pickle(int(1001)), SYSTEM, pickle(root), pickle(tuple(...keys.map(text))), ...rest);

describe('legacy files', () => {
  it('that torch wrote give torch’s values, whatever the protocol', async () => {
    for (const name of ['legacy.pt', 'legacy_p4.pt']) {
      const checkpoint = await open(fixture(name));
      expect([checkpoint.format, codes(checkpoint)]).toEqual(['pytorch-legacy', []]);
      expect(await checkpoint.get('w').exactValues()).toEqual([0, 1, 2, 3, 4, 5]);
      expect(await checkpoint.get('wt').exactValues()).toEqual([0, 3, 1, 4, 2, 5]);
      expect(await checkpoint.get('h').exactValues()).toEqual([1, 1, 1]);
    }
  });

  it('follow the order of the key list, not of use (B17)', async () => {
    const checkpoint = await open(fixture('b17_legacy.pt'));
    expect(await checkpoint.get('a').exactValues()).toEqual([1, 2]);
    expect(await checkpoint.get('b').exactValues()).toEqual([10, 11, 12]);
  });

  it('views of another storage are parts of it', async () => {
    const part = storage('1', 4, tuple(text('v'), int(1), int(2)));
    const bytes = legacy(dict([text('a'), dense(part, [2])]), ['1'], i64(4), floats(1, 2, 3, 4));
    expect(await (await open(bytes)).get('a').exactValues()).toEqual([2, 3]);
    const outside = storage('1', 4, tuple(text('v'), int(3), int(2)));
    const refused = await open(legacy(dict([text('a'), dense(outside, [2])]), ['1'], i64(4), floats(1, 2, 3, 4)));
    expect(refused.get('a').readable).toBe(false);
  });

  const two = dict([text('a'), dense(storage('1', 2), [2])], [text('b'), dense(storage('2', 2), [2])]);

  it.each<readonly [string, Uint8Array, readonly string[], readonly boolean[]]>([
    [
      'a count that disagrees',
      legacy(two, ['1', '2'], i64(3), floats(1, 2), i64(2), floats(3, 4)),
      ['storage-size-mismatch'],
      [false, false],
    ],
    [
      'a byte-swapped count',
      legacy(two, ['1', '2'], i64(2n ** 57n), floats(1, 2)),
      ['storage-size-mismatch'],
      [false, false],
    ],
    [
      'a negative count',
      legacy(dict([text('a'), dense(storage('1', -2), [2])]), ['1'], i64(-2), floats(1, 2)),
      ['storage-size-mismatch'],
      [false],
    ],
    [
      'the last storage cut',
      legacy(two, ['1', '2'], i64(2), floats(1, 2), i64(2), floats(3)),
      ['storage-size-mismatch', 'tensor-out-of-bounds'],
      [true, false],
    ],
    [
      'the file ends before a storage',
      legacy(two, ['1', '2'], i64(2), floats(1, 2)),
      ['storage-missing'],
      [true, false],
    ],
    [
      'a key never used',
      legacy(two, ['1', '7', '2'], i64(2), floats(1, 2), i64(1), floats(9), i64(2), floats(3, 4)),
      ['storage-missing'],
      [true, false],
    ],
    ['a used key that is not listed', legacy(two, ['1'], i64(2), floats(1, 2)), ['storage-missing'], [true, false]],
    [
      'a key listed twice',
      legacy(two, ['1', '1'], i64(2), floats(1, 2), i64(2), floats(3, 4)),
      ['storage-missing', 'storage-size-mismatch'],
      [false, false],
    ],
    [
      'trailing bytes',
      legacy(two, ['1', '2'], i64(2), floats(1, 2), i64(2), floats(3, 4), Uint8Array.of(1)),
      ['pickle-trailing'],
      [true, true],
    ],
  ])('%s', async (_what, bytes, expected, readable) => {
    const checkpoint = await open(bytes);
    expect(codes(checkpoint)).toEqual(expected);
    expect(checkpoint.table.rows().map((row) => row.readable)).toEqual(readable);
    if (readable[0] === true) {
      expect(await checkpoint.get('a').exactValues()).toEqual([1, 2]);
    }
  });

  it('all five pickles are graded', async () => {
    const evil = call(global('os', 'system'), text('true'));
    const bytes = joined(MAGIC, pickle(int(1001)), pickle(evil), pickle(two), pickle(tuple()));
    expect((await open(bytes)).verdict).toBe('dangerous');
  });

  it('a storage that only another object holds is passed over, and what follows is right', async () => {
    const root = dict([text('raw'), storage('1', 1)], [text('b'), dense(storage('2', 2), [2])]);
    const checkpoint = await open(legacy(root, ['1', '2'], i64(1), floats(9), i64(2), floats(3, 4)));
    expect(codes(checkpoint)).toEqual([]);
    expect(await checkpoint.get('b').exactValues()).toEqual([3, 4]);
  });

  it('a big-endian writer is noted, and nothing is swapped, as in torch (2.5)', async () => {
    const system = pickle(dict([text('little_endian'), Uint8Array.of(0x89)]));
    const bytes = joined(MAGIC, pickle(int(1001)), system, pickle(two), pickle(tuple(text('1'), text('2'))));
    const checkpoint = await open(joined(bytes, i64(2), floats(1, 2), i64(2), floats(3, 4)));
    expect(codes(checkpoint)).toEqual(['written-big-endian']);
    expect(checkpoint.verdict).toBe('clean');
    expect(await checkpoint.get('a').exactValues()).toEqual([1, 2]);
    // What torch itself makes of such a file is in torch/answers.json.
    const fixtureOfTorch = await open(fixture('torch/stacked-big-endian.pt'));
    expect(codes(fixtureOfTorch)).toEqual(['written-big-endian']);
  });

  it('what follows the last storage is looked into', async () => {
    const evil = pickle(call(global('os', 'system'), text('true')));
    const whole = legacy(two, ['1', '2'], i64(2), floats(1, 2), i64(2), floats(3, 4));
    const checkpoint = await open(joined(whole, evil));
    expect(codes(checkpoint)).toEqual(expect.arrayContaining(['pickle-trailing', 'pickle-dangerous-import']));
    expect(checkpoint.findings.find(({ code }) => code === 'pickle-dangerous-import')?.offset).toBe(whole.length + 2);
    const zip = await open(joined(whole, zipBytes({ name: 'x' })));
    expect(codes(zip)).toEqual(['pickle-trailing', 'not-scanned']);
  });

  it('another protocol version is reported', async () => {
    const bytes = joined(
      MAGIC,
      pickle(int(1002)),
      SYSTEM,
      pickle(two),
      pickle(tuple(text('1'), text('2'))),
      i64(2),
      floats(1, 2),
      i64(2),
      floats(3, 4),
    );
    expect(codes(await open(bytes))).toEqual(['pickle-broken']);
  });

  it('are told by their magic number, in any encoding', () => {
    expect(beginsLikeLegacy(MAGIC)).toBe(true);
    expect(beginsLikeLegacy(utf8('L119547037146038801333356L\n.'))).toBe(true);
    expect(beginsLikeLegacy(pickle(int(1)))).toBe(false);
    expect(beginsLikeLegacy(new Uint8Array())).toBe(false);
  });

  it('cut anywhere never throw anything but are judged', async () => {
    const whole = legacy(two, ['1', '2'], i64(2), floats(1, 2), i64(2), floats(3, 4));
    for (let length = MAGIC.length; length < whole.length; length += 1) {
      const checkpoint = await open(whole.slice(0, length));
      expect(checkpoint.verdict, `cut to ${length}`).not.toBe('clean');
    }
  });
});
