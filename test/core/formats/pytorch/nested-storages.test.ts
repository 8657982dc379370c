import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../../src/core/checkpoint.ts';
import {
  call,
  dense,
  dict,
  global,
  int,
  type Piece,
  pickle,
  text,
  torchFile,
  tuple,
} from '../../../support/torch-bytes.ts';
import { joined, numbers, utf8 } from '../../../support/zip-bytes.ts';

const open = (bytes: Uint8Array, name = 'm.pkl'): Promise<Checkpoint> => inspectSource(memorySource(bytes, name));

/** A stacked-pickle file of one storage, `torch.save(storage)` as plain pickles hold it. */
const nested = (
  elements: number,
  data: Uint8Array,
  lies: { readonly count?: number; readonly keys?: readonly string[]; readonly magic?: bigint } = {},
): Uint8Array => {
  const id = tuple(text('storage'), global('torch', 'FloatStorage'), text('7'), text('cpu'), int(elements), utf8('N'));
  return joined(
    pickle(int(lies.magic ?? 0x1950a86a20f9469cfc6cn)),
    pickle(int(1001)),
    pickle(dict([text('little_endian'), int(1)])),
    pickle(joined(id, utf8('Q'))),
    pickle(joined(utf8(']('), ...(lies.keys ?? ['7']).map(text), utf8('e'))),
    numbers([8, lies.count ?? elements]),
    data,
  );
};

const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
/** BINBYTES of protocol 3. */
const bytes = (value: Uint8Array): Piece => joined(utf8('B'), numbers([4, value.length]), value);
const loaded = (stream: Uint8Array): Piece => call(global('torch.storage', '_load_from_bytes'), bytes(stream));

describe('tensors whose storage the pickle holds itself', () => {
  it('read in place, at the offset where they stand', async () => {
    const stream = nested(4, FOUR);
    const file = pickle(dict([text('a'), dense(loaded(stream), [2, 2], { strides: [1, 2] })]));
    const checkpoint = await open(file);
    expect(await checkpoint.get('a').exactValues()).toEqual([1, 3, 2, 4]);
    const { offset } = checkpoint.get('a').row;
    expect([...file.subarray(offset, (offset ?? 0) + 16)]).toEqual([...FOUR]);
    expect(checkpoint.summary.dataBytes).toBe(stream.length);
  });

  it('are little-endian also in a big-endian archive', async () => {
    const root = pickle(dict([text('a'), dense(loaded(nested(4, FOUR)), [4])]));
    const checkpoint = await open(torchFile(root, {}, { 'm/byteorder': utf8('big') }), 'm.pt');
    expect(await checkpoint.get('a').exactValues()).toEqual([1, 2, 3, 4]);
  });

  it.each<[string, Uint8Array]>([
    ['a count that is not the pickle’s', nested(4, FOUR, { count: 5 })],
    ['a negative count', nested(-1, FOUR, { count: 2 ** 53 })],
    ['fewer bytes than elements', nested(5, FOUR)],
    ['another key in the list', nested(4, FOUR, { keys: ['8'] })],
    ['two keys in the list', nested(4, FOUR, { keys: ['7', '8'] })],
    ['another magic number', nested(4, FOUR, { magic: 7n })],
    ['nothing', new Uint8Array()],
    ['a stream cut inside its pickles', nested(4, FOUR).slice(0, 60)],
  ])('are refused over %s', async (_what, stream) => {
    const checkpoint = await open(pickle(dict([text('a'), dense(loaded(stream), [4])])));
    expect(checkpoint.get('a').row.problem).toBe('its storage is no storage reference');
    expect(checkpoint.verdict).toBe('damaged');
  });

  it('never lead outside, as numpy.json shows of whole ones', async () => {
    const checkpoint = await open(pickle(dict([text('a'), dense(loaded(nested(4, FOUR)), [5])])));
    expect(checkpoint.findings.map(({ code }) => code)).toContain('tensor-out-of-bounds');
    const { cases } = JSON.parse(
      readFileSync(new URL('../../../fixtures/pickle/numpy.json', import.meta.url), 'utf8'),
    ) as { cases: { name: string }[] };
    expect(cases.filter(({ name }) => name.startsWith('tensors by plain pickle'))).toHaveLength(6);
  });
});
