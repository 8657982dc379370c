import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../../src/core/checkpoint.ts';
import {
  bool,
  call,
  dense,
  dict,
  global,
  int,
  pickle,
  stateDict,
  storage,
  text,
  torchFile,
  tuple,
} from '../../../support/torch-bytes.ts';
import { joined, utf8, zipBytes } from '../../../support/zip-bytes.ts';

const fixture = (name: string): Buffer => readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url));
const open = (bytes: Uint8Array, name = 'm.pt'): Promise<Checkpoint> => inspectSource(memorySource(bytes, name));
const codes = ({ findings }: Checkpoint): string[] => findings.map(({ code }) => code);
const floats = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const FOUR = floats(1, 2, 3, 4);

/** The manifest spells −0 and what is not finite as strings. */
const spelled = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(spelled);
  }
  if (typeof value === 'bigint') {
    return Number(value);
  }
  return value === '-0' ? -0 : value;
};

describe('archives that torch wrote', () => {
  const expected = JSON.parse(fixture('pytorch/zip_mixed.expected.json').toString()) as Record<
    string,
    { shape: number[]; values: unknown[] }
  >;

  it.each(['zip_mixed.pt', 'zip_deflated.pt', 'zip_local_name_differs.pt', 'zip_bad_crc.pt'])(
    '%s: every name, shape and value as torch has them: views, conj, neg, float8, uint16',
    async (name) => {
      const checkpoint = await open(fixture(`zip/${name}`), name);
      expect(checkpoint.format).toBe('pytorch');
      const names = checkpoint.table.rows().map((row) => row.name);
      expect(names.sort()).toEqual(
        Object.keys(expected)
          .map((key) => `state_dict.${key}`)
          .sort(),
      );
      for (const [key, { shape, values }] of Object.entries(expected)) {
        const tensor = checkpoint.get(`state_dict.${key}`);
        expect(tensor.shape, key).toEqual(shape);
        expect((await tensor.exactValues()).map(spelled), key).toEqual(values.map(spelled));
      }
    },
  );

  it('the healthy ones raise nothing but notes', async () => {
    for (const name of [
      'zip/zip_mixed.pt',
      'zip/zip_deflated.pt',
      'zip/zip_optimizer.pt',
      'zip/zip_p4.pt',
      'zip/zip_numpy.pt',
      'zip/zip_numpy_p5.pt',
      'zip/zip_quant.pt',
      'zip/zip_sparse.pt',
      'zip/torchscript.pt',
      'pytorch/b20_fp8.pt',
    ]) {
      const checkpoint = await open(fixture(name), name);
      expect(checkpoint.verdict, name).toBe('clean');
      expect(checkpoint.summary.sentence).toBe('Clean: structure whole, no suspicious imports found');
    }
  });

  it('float8 comes by an untyped storage (B20), strided views in logical order (B16, B30)', async () => {
    const b20 = await open(fixture('pytorch/b20_fp8.pt'));
    expect(await b20.get('w').exactValues()).toEqual([1, 448, Number.NaN, 0.001953125]);
    for (const name of ['zip/b16_stride.pt', 'zip/b30_stream.pt']) {
      const checkpoint = await open(fixture(name));
      expect(checkpoint.get('w').row).toMatchObject({ shape: [2, 3], layout: 'strided', bytes: 24 });
      expect(await checkpoint.get('w').exactValues()).toEqual([2, 4, 6, 3, 5, 7]);
    }
  });

  it('sparse tensors are listed as their parts, quantised ones with their scales beside them', async () => {
    const quantised = await open(fixture('zip/zip_quant.pt'));
    expect(quantised.table.rows().map(({ name, dtype }) => [name, dtype])).toEqual([
      ['q', 'QI8'],
      ['qc', 'QU8'],
      ['qc.scales', 'F64'],
      ['qc.zero_points', 'I64'],
    ]);
    const sparse = await open(fixture('zip/zip_sparse.pt'));
    expect(
      sparse.table
        .rows()
        .map(({ name }) => name)
        .slice(0, 2),
    ).toEqual(['coo.indices', 'coo.values']);
  });

  it('optimizer states, nested tensors, and the plain values beside', async () => {
    const optimizer = await open(fixture('zip/zip_optimizer.pt'));
    expect(optimizer.table.rows().map(({ name }) => name)).toContain('state[0].exp_avg');
    const mixed = await open(fixture('zip/zip_mixed.pt'));
    expect(mixed.metadata.find(({ key }) => key === 'epoch')).toMatchObject({ type: 'number' });
  });
});

describe('storages', () => {
  it('shared ones are read by every tensor, once', async () => {
    const over = storage('FloatStorage', '0', 4);
    const checkpoint = await open(
      torchFile(stateDict({ a: dense(over, [4]), b: dense(over, [2, 2], { strides: [1, 2] }) }), { 0: FOUR }),
    );
    expect(codes(checkpoint)).toEqual([]);
    expect(await checkpoint.get('b').exactValues()).toEqual([1, 3, 2, 4]);
    expect(checkpoint.summary.dataBytes).toBe(16);
  });

  it('a missing one is named, and its tensors refused', async () => {
    const checkpoint = await open(torchFile(stateDict({ a: dense(storage('FloatStorage', '7', 4), [4]) })));
    expect(codes(checkpoint)).toEqual(['storage-missing']);
    await expect(checkpoint.get('a').bytes()).rejects.toMatchObject({ code: 'unreadable-tensor' });
  });

  it.each([
    ['wraps around 2^64 (B25)', 4611686018427387905n, [4], ['storage-size-mismatch']],
    ['is negative', -1n, [4], ['storage-size-mismatch']],
    ['is larger than the record', 10n, [4], ['storage-size-mismatch']],
  ])('a claimed size that %s is never believed', async (_what, elements, shape, expected) => {
    const checkpoint = await open(
      torchFile(stateDict({ a: dense(storage('FloatStorage', '0', elements), shape) }), { 0: FOUR }),
    );
    expect(codes(checkpoint)).toEqual(expected);
    // What the record really holds is still right.
    expect(await checkpoint.get('a').exactValues()).toEqual([1, 2, 3, 4]);
  });

  it.each<readonly [string, Parameters<typeof dense>[1], Parameters<typeof dense>[2]]>([
    ['a size', [5], {}],
    ['an offset', [4], { offset: 1 }],
    ['a stride', [2], { strides: [1000000000] }],
    ['a stride beyond 2^53', [2], { strides: [2n ** 70n] }],
    ['an offset beyond 2^64', [1], { offset: 2n ** 64n }],
    ['a product that wraps', [2n ** 32n, 2n ** 32n], { strides: [0, 1] }],
  ])('%s that leads outside is refused without a read', async (_what, shape, options) => {
    const checkpoint = await open(
      torchFile(
        stateDict({
          a: dense(storage('FloatStorage', '0', 4), shape, options),
          b: dense(storage('FloatStorage', '0', 4), [4]),
        }),
        { 0: FOUR },
      ),
    );
    const [found] = codes(checkpoint);
    expect(['tensor-out-of-bounds', 'shape-overflow']).toContain(found);
    expect(checkpoint.get('a').readable).toBe(false);
    expect(await checkpoint.get('b').exactValues()).toEqual([1, 2, 3, 4]);
  });

  it('negative sizes, strides and offsets make no tensor', async () => {
    for (const odd of [
      dense(storage('FloatStorage', '0', 4), [-1]),
      dense(storage('FloatStorage', '0', 4), [1], { offset: -1 }),
      dense(storage('FloatStorage', '0', 4), [1], { strides: [-1] }),
      dense(storage('FloatStorage', '0', 4), [2, 2], { strides: [1] }),
    ]) {
      const checkpoint = await open(torchFile(stateDict({ a: odd }), { 0: FOUR }));
      expect(checkpoint.get('a').readable).toBe(false);
    }
  });

  it('an expanded tensor of any size costs nothing to open', async () => {
    const checkpoint = await open(
      torchFile(stateDict({ a: dense(storage('FloatStorage', '0', 4), [1_000_000, 1_000_000], { strides: [0, 0] }) }), {
        0: FOUR,
      }),
    );
    expect(checkpoint.get('a').row).toMatchObject({ parameters: 10 ** 12, layout: 'strided', readable: true });
    expect([...(await checkpoint.get('a').toFloat32({ slice: '999999,::500000' }))]).toEqual([1, 1]);
  });

  it('bytes that no tensor reaches are noted', async () => {
    const checkpoint = await open(
      torchFile(stateDict({ a: dense(storage('FloatStorage', '0', 4), [1]) }), { 0: FOUR, 9: FOUR }),
    );
    expect(codes(checkpoint)).toEqual(['view-of-larger-storage', 'unreferenced-storage-bytes']);
    expect(checkpoint.verdict).toBe('clean');
  });
});

describe('byte order (B21)', () => {
  const big = Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0);
  const root = stateDict({ a: dense(storage('FloatStorage', '0', 2), [2]) });

  it('is the record’s, little without one', async () => {
    const swapped = await open(torchFile(root, { 0: big }, { 'm/byteorder': utf8('big') }));
    expect(codes(swapped)).toEqual([]);
    expect(await swapped.get('a').exactValues()).toEqual([1, -2]);
    expect(await (await open(torchFile(root, { 0: floats(1, -2) }))).get('a').exactValues()).toEqual([1, -2]);
    expect(
      await (await open(torchFile(root, { 0: floats(1, -2) }, { 'm/byteorder': utf8('little') })))
        .get('a')
        .exactValues(),
    ).toEqual([1, -2]);
  });

  it('is not sure for raw storages of several bytes an element, which torch leaves as they are', async () => {
    const untyped = (dtype: string, bytes: number): Uint8Array =>
      stateDict({ a: dense(storage('UntypedStorage', '0', 4), [4 / bytes], { dtype }) });
    const record = { 'm/byteorder': utf8('big') };
    const wide = await open(torchFile(untyped('uint16', 2), { 0: Uint8Array.of(1, 2, 3, 4) }, record));
    expect(codes(wide)).toEqual(['byteorder-unknown']);
    expect(await wide.get('a').exactValues()).toEqual([0x102, 0x304]);
    const narrow = await open(torchFile(untyped('float8_e4m3fn', 1), { 0: Uint8Array.of(0x38, 0, 0, 0) }, record));
    expect(codes(narrow)).toEqual([]);
  });

  it.each(['BIG', '', 'big\n', 'x'.repeat(1_000_000)])('%j is a finding, read as little-endian', async (word) => {
    const checkpoint = await open(torchFile(root, { 0: floats(1, -2) }, { 'm/byteorder': utf8(word) }));
    expect(codes(checkpoint)).toEqual(['byteorder-unknown']);
    expect(await checkpoint.get('a').exactValues()).toEqual([1, -2]);
  });
});

describe('what a pickle would run', () => {
  it('is graded, wherever it hides, and the tensors are still listed', async () => {
    const evil = call(global('os', 'system'), text('true'));
    const checkpoint = await open(
      torchFile(stateDict({ a: dense(storage('FloatStorage', '0', 4), [4]), x: evil }), { 0: FOUR }),
    );
    expect(checkpoint.verdict).toBe('dangerous');
    expect(codes(checkpoint)).toContain('pickle-dangerous-import');
    expect(await checkpoint.get('a').exactValues()).toEqual([1, 2, 3, 4]);
  });

  it('in a member that nothing refers to (B33), and not in a referenced storage (B40)', async () => {
    const evil = pickle(call(global('os', 'system'), text('true')));
    const hidden = await open(torchFile(stateDict({ n: int(1) }), {}, { 'm/notes.txt': evil }));
    expect(codes(hidden)).toEqual(expect.arrayContaining(['hidden-pickle', 'pickle-dangerous-import']));
    const unreferenced = await open(torchFile(stateDict({ n: int(1) }), { 9: evil }));
    expect(unreferenced.verdict).toBe('dangerous');
    const data = Uint8Array.of(0x80, 2, 0x4b, 1, 0x2e, 0, 0, 0);
    const referenced = await open(
      torchFile(stateDict({ a: dense(storage('FloatStorage', '0', 2), [2]) }), { 0: data }),
    );
    expect(referenced.verdict).toBe('clean');
  });

  it('in a second archive behind the first', async () => {
    const evil = pickle(call(global('os', 'system'), text('true')));
    const first = torchFile(stateDict({ a: dense(storage('FloatStorage', '0', 4), [4]) }), { 0: FOUR });
    const checkpoint = await open(joined(first, torchFile(evil)));
    expect(checkpoint.verdict).toBe('dangerous');
  });

  it('a broken pickle keeps what came before it', async () => {
    const broken = joined(
      Uint8Array.of(0x80, 2),
      global('os', 'system'),
      tuple(text('true')),
      utf8('R'),
      Uint8Array.of(0xff, 0xff),
    );
    const checkpoint = await open(torchFile(broken));
    expect(codes(checkpoint)).toEqual(expect.arrayContaining(['pickle-broken', 'pickle-dangerous-import']));
    expect(checkpoint.table.length).toBe(0);
  });
});

describe('names', () => {
  it('are typed paths, and equal ones are told apart', async () => {
    const one = (): Uint8Array => dense(storage('FloatStorage', '0', 4), [4]);
    const root = pickle(
      dict(
        [text('model'), dict([text('a.b'), one()], [int(3), one()], [text('a'), dict([text('b'), one()])])],
        [text('list'), tuple(one(), bool(true), one())],
      ),
    );
    const checkpoint = await open(torchFile(root, { 0: FOUR }));
    expect(checkpoint.table.rows().map(({ name }) => name)).toEqual([
      'model.a.b',
      'model[3]',
      'model.a.b~2',
      'list[0]',
      'list[2]',
    ]);
  });

  it('a tensor alone at the root has one too', async () => {
    const checkpoint = await open(torchFile(pickle(dense(storage('FloatStorage', '0', 4), [4])), { 0: FOUR }));
    expect(checkpoint.table.rows().map(({ name }) => name)).toEqual(['tensor']);
  });
});

describe('other zips and other names', () => {
  it('a zip without data.pkl is named, not opened', async () => {
    const npz = await open(zipBytes({ name: 'a.npy', content: utf8('x') }), 'm.npz');
    expect(npz.format).toBe('unrecognised');
    expect(npz.findings[0]?.message).toContain('numpy archive');
  });

  it('a PyTorch archive called .safetensors opens as what it is', async () => {
    const bytes = torchFile(stateDict({ a: dense(storage('FloatStorage', '0', 4), [4]) }), { 0: FOUR });
    const checkpoint = await open(bytes, 'm.safetensors');
    expect([checkpoint.format, codes(checkpoint)]).toEqual(['pytorch', ['extension-mismatch']]);
  });

  it('two data.pkl are refused, and both are scanned', async () => {
    const evil = pickle(call(global('os', 'system'), text('true')));
    const checkpoint = await open(
      zipBytes({ name: 'm/data.pkl', content: evil }, { name: 'm/data.pkl', content: stateDict({}) }),
    );
    expect(codes(checkpoint)).toEqual(expect.arrayContaining(['zip-duplicate-member', 'pickle-dangerous-import']));
    expect(checkpoint.table.length).toBe(0);
  });

  it('a cut archive says which members were seen', async () => {
    const bytes = torchFile(stateDict({ a: dense(storage('FloatStorage', '0', 4), [4]) }), { 0: FOUR });
    const checkpoint = await open(bytes.slice(0, -40));
    expect(checkpoint.findings[0]).toMatchObject({
      code: 'zip-truncated',
      message: expect.stringContaining('m/data.pkl'),
    });
  });
});
