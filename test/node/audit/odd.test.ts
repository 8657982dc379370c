import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/shared/findings.ts';
import { type MadeTensor, safetensorsBytes } from '../../e2e/support/make-safetensors.ts';
import { auditPath, auditTensors, codeCounts } from '../../support/audit-tensors.ts';
import { encoderOf } from '../../support/encode-numbers.ts';
import { bertLike, fp8Like, gptqLike, llamaLike, moeLike } from '../../support/healthy-models.ts';
import { temporaryFolders } from '../../support/temporary-folder.ts';

const folders = temporaryFolders();
const LLAMA = llamaLike();

const TIED = 'identical-tensors';

/** The model with one tensor changed. */
const changed = (
  tensors: readonly MadeTensor[],
  name: string,
  change: (tensor: MadeTensor) => Partial<MadeTensor>,
): MadeTensor[] => {
  expect(tensors.some((tensor) => tensor.name === name)).toBe(true);
  return tensors.map((tensor) => (tensor.name === name ? { ...tensor, ...change(tensor) } : tensor));
};

/** Numbers of a BF16, F32 or F8_E4M3 tensor changed one by one. */
const mapped =
  (change: (value: number, index: number) => number) =>
  (tensor: MadeTensor): Partial<MadeTensor> => {
    const { dtype, bytes } = tensor;
    const copy = bytes.slice();
    const values =
      dtype === 'F32'
        ? new Float32Array(copy.buffer)
        : new Float32Array(Uint32Array.from(new Uint16Array(copy.buffer), (half) => half << 16).buffer);
    return { bytes: encoderOf(dtype)(Float64Array.from(values, change)) };
  };

const find = async (tensors: readonly MadeTensor[], besides: readonly string[] = []): Promise<readonly Finding[]> =>
  (await auditTensors(folders.make(), tensors)).filter(({ code }) => !besides.includes(code));

const Q5 = 'model.layers.5.self_attn.q_proj.weight';

describe('NaN and infinities', () => {
  it('are counted, and the first one named by index and byte', async () => {
    const tensors = changed(LLAMA, Q5, ({ bytes }) => {
      const copy = new Uint16Array(bytes.slice().buffer);
      copy[48 * 7 + 11] = 0x7fc0;
      copy[48 * 9 + 1] = 0xffff;
      copy[48 * 9 + 2] = 0xff80;
      copy[48 * 20] = 0x7f80;
      return { bytes: new Uint8Array(copy.buffer) };
    });
    const found = await find(tensors, [TIED]);
    expect(found).toMatchObject([
      { code: 'has-nan', tensor: Q5, message: `tensor "${Q5}" has NaN: 2 of 2,304 values, the first at [7, 11]` },
      {
        code: 'has-infinity',
        message: `tensor "${Q5}" has infinities: 1 +Inf and 1 -Inf of 2,304 values, the first at [9, 2]`,
      },
    ]);
    const file = safetensorsBytes(tensors);
    const at = (index: number): number => file.readUInt16LE(found[index]?.offset ?? 0);
    expect([at(0), at(1)]).toEqual([0x7fc0, 0xff80]);
  });

  it('are found beyond the first window of a large tensor', async () => {
    const values = new Float32Array(3_000_000).fill(1);
    values[2_900_001] = Number.NaN;
    values[2_900_000] = Number.POSITIVE_INFINITY;
    const bytes = new Uint8Array(values.buffer);
    const found = await find([{ name: 'w', dtype: 'F32', shape: [3, 1_000_000], bytes }]);
    expect(found.map(({ message }) => message)).toEqual([
      'tensor "w" has NaN: 1 of 3,000,000 values, the first at [2, 900001]',
      'tensor "w" has infinities: 1 +Inf and 0 -Inf of 3,000,000 values, the first at [2, 900000]',
    ]);
  });
});

describe('a layer far from its siblings', () => {
  const cases: readonly [string, string, (value: number, index: number) => number, RegExp][] = [
    [
      'a matrix fifteen times as large',
      Q5,
      (x) => x * 15,
      /root mean square 0\.\d+ where the role's median is 0\.0\d+ \(robust z = \d/,
    ],
    ['a matrix a hundredth as large', Q5, (x) => x / 100, /root mean square .* \(robust z = -\d/],
    [
      'a norm eighty times as large',
      'model.layers.7.input_layernorm.weight',
      (x) => x * 80,
      /mean \d+ where the role's median/,
    ],
    ['a matrix whose mean is off', Q5, (x) => x / 10 + 0.1, /mean 0\.1\d* where the role's median is/],
    ['a matrix half zeros', Q5, (x, i) => (i % 2 === 0 ? 0 : x), /50 % zeros where the role's median is 0 %/],
  ];
  it.each(cases)('%s', async (_, name, change, message) => {
    const found = await find(changed(LLAMA, name, mapped(change)), [TIED, 'dead-columns']);
    expect(found).toMatchObject([{ code: 'layer-outlier', severity: 'warning', tensor: name }]);
    expect(found[0]?.message).toMatch(message);
    expect(found[0]?.message).toMatch(/differs from the 11 others of its role/);
  });

  it('an expert among all of all layers', async () => {
    const name = 'model.layers.3.block_sparse_moe.experts.2.w1.weight';
    const found = await find(
      changed(
        moeLike(),
        name,
        mapped((x) => x * 50),
      ),
    );
    expect(found).toMatchObject([{ code: 'layer-outlier', tensor: name }]);
    expect(found[0]?.message).toMatch(/the 47 others/);
  });

  it('is not looked for among few, or of other shapes', async () => {
    const few = llamaLike({ layers: 5, hidden: 48, inner: 96, vocabulary: 64, keyValue: 24 });
    const name = 'model.layers.2.self_attn.q_proj.weight';
    expect(
      await find(
        changed(
          few,
          name,
          mapped((x) => x * 40),
        ),
        [TIED],
      ),
    ).toEqual([]);
  });
});

describe('dead rows and columns', () => {
  it('of a projection: the first of one row', async () => {
    const name = 'model.layers.5.mlp.up_proj.weight';
    const found = await find(
      changed(
        LLAMA,
        name,
        mapped((x, i) => (Math.floor(i / 48) === 31 || i % 48 === 7 || i % 48 === 40 ? 0 : x)),
      ),
      [TIED],
    );
    expect(found).toMatchObject([
      { code: 'dead-rows', severity: 'note', message: `tensor "${name}" has 1 of 96 rows all zero: 31` },
      { code: 'dead-columns', message: `tensor "${name}" has 2 of 48 columns all zero: 7, 40` },
    ]);
  });

  it('of a convolution: all of a filter', async () => {
    const bytes = encoderOf('F16')(
      Float64Array.from({ length: 8 * 6 * 9 }, (_, i) =>
        Math.floor(i / 54) === 3 || Math.floor(i / 9) % 6 === 5 ? 0 : i + 1,
      ),
    );
    expect(await find([{ name: 'conv.weight', dtype: 'F16', shape: [8, 6, 3, 3], bytes }])).toMatchObject([
      { code: 'dead-rows', message: 'tensor "conv.weight" has 1 of 8 rows all zero: 3' },
      { code: 'dead-columns', message: 'tensor "conv.weight" has 1 of 6 columns all zero: 5' },
    ]);
  });

  it('of an embedding: more than padding and spare tokens', async () => {
    const name = 'bert.embeddings.word_embeddings.weight';
    const zeroed = (rows: number) =>
      changed(
        bertLike(),
        name,
        mapped((x, i) => (i < rows * 32 ? 0 : x)),
      );
    expect(await find(zeroed(20), ['all-zero'])).toEqual([]);
    expect(await find(zeroed(21), ['all-zero'])).toMatchObject([
      { code: 'dead-rows', message: `tensor "${name}" has 21 of 400 rows all zero: 0, 1, 2 and 18 more` },
    ]);
  });
});

describe('numbers cut off at the limits of their dtype', () => {
  it('of 8 bits: many', async () => {
    const name = 'model.layers.4.q_proj.weight';
    const bytes =
      (share: number) =>
      ({ bytes: original }: MadeTensor) => ({
        bytes: original.map((code, i) => (i % 100 < share ? (i % 2 === 0 ? 0x7e : 0xfe) : code)),
      });
    expect(await find(changed(fp8Like(), name, bytes(2)))).toEqual([]);
    const found = await find(changed(fp8Like(), name, bytes(10)), ['layer-outlier']);
    expect(found).toMatchObject([{ code: 'saturated', severity: 'warning', tensor: name }]);
    expect(found[0]?.message).toMatch(/has 4\d\d of 4,096 values \(10 %\) at ±448, the limit of F8_E4M3/);
  });

  it('of 16 bits: a single one', async () => {
    const numbers = Float64Array.from({ length: 64 }, (_, i) => (i === 9 ? 65_504 : i / 64));
    const tensor = { name: 'w', dtype: 'F16', shape: [8, 8], bytes: encoderOf('F16')(numbers) };
    expect((await find([tensor])).map(({ message }) => message)).toEqual([
      'tensor "w" has 1 of 64 values (1.6 %) at ±65504, the limit of F16: cut off, it seems',
    ]);
    const mask = Float64Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? -65_504 : 0));
    expect(await find([{ ...tensor, bytes: encoderOf('F16')(mask) }], ['dead-columns'])).toEqual([]);
  });
});

describe('quantisation', () => {
  const scale = 'model.layers.2.q_proj.weight_scale';
  it.each([
    [[-0.5], 'its smallest value is -0.5'],
    [[0], '1 of 1 values are zero'],
    [[Number.NaN], '1 of 1 values are not finite'],
  ])('a scale of %j', async (numbers, what) => {
    const bytes = new Uint8Array(Float32Array.from(numbers).buffer);
    const found = await find(
      changed(fp8Like(), scale, () => ({ bytes })),
      ['has-nan'],
    );
    expect(found).toMatchObject([{ code: 'scale-not-positive', severity: 'warning', tensor: scale }]);
    expect(found[0]?.message).toContain(what);
  });

  it('a zero point that no code of 8 bits can be', async () => {
    const zeroPoint = (value: number) => ({
      name: 'l.0.weight_zero_point',
      dtype: 'I32',
      shape: [4],
      bytes: encoderOf('I32')([0, 3, 5, value]),
    });
    const weight = {
      name: 'l.0.weight',
      dtype: 'I8',
      shape: [4, 4],
      bytes: Uint8Array.from({ length: 16 }, (_, i) => i),
    };
    expect(await find([weight, zeroPoint(255)])).toEqual([]);
    expect(await find([weight, zeroPoint(256)])).toMatchObject([
      { code: 'zero-point-out-of-range', message: /reaches from 0 to 256$/ },
    ]);
  });

  it('names mean nothing without quantised weights beside them', async () => {
    const scales = [0, 1].map((layer) => ({
      name: `blocks.${layer}.norm.scale`,
      dtype: 'F32',
      shape: [3],
      bytes: encoderOf('F32')([-1, 0, 2]),
    }));
    expect(await find([...scales, ...gptqLike()], ['constant'])).toEqual([]);
  });
});

describe('tensors among each other', () => {
  it('a layer that is a copy of another', async () => {
    const copy = LLAMA.find(({ name }) => name === 'model.layers.8.mlp.down_proj.weight')?.bytes ?? expect.fail();
    const found = await find(changed(LLAMA, 'model.layers.3.mlp.down_proj.weight', () => ({ bytes: copy })));
    expect(found).toMatchObject([
      { code: TIED, tensor: 'lm_head.weight' },
      { code: TIED, tensor: 'model.layers.8.mlp.down_proj.weight' },
    ]);
  });

  it('equal statistics are no equal contents', async () => {
    const numbers = Float64Array.from({ length: 64 }, (_, i) => i * i);
    const tensor = (name: string, values: Float64Array) => ({
      name,
      dtype: 'F32',
      shape: [64],
      bytes: encoderOf('F32')(values),
    });
    const found = await find([tensor('a', numbers), tensor('b', numbers.toReversed()), tensor('c', numbers)]);
    expect(found.map(({ message }) => message)).toEqual([
      'tensors "a", "c" hold the same 64 values; stored once they would take 256 B less',
    ]);
  });

  it('a role of two dtypes', async () => {
    const name = 'model.layers.11.mlp.down_proj.weight';
    const wide = changed(LLAMA, name, ({ bytes }) => ({
      dtype: 'F32',
      bytes: new Uint8Array(Uint32Array.from(new Uint16Array(bytes.slice().buffer), (half) => half << 16).buffer),
    }));
    expect(await find(wide, [TIED])).toMatchObject([
      {
        code: 'mixed-dtypes',
        severity: 'note',
        tensor: name,
        message: '"model.layers.{}.mlp.down_proj.weight" is BF16 in 11 of 12 tensors, but F32 in layer 11',
      },
    ]);
  });
});

describe('config.json beside the file', () => {
  const CONFIG = {
    model_type: 'llama',
    hidden_size: 48,
    intermediate_size: 96,
    num_hidden_layers: 12,
    num_attention_heads: 8,
    num_key_value_heads: 4,
    vocab_size: 320,
  };
  const withConfig = async (config: string | object, name = 'model.safetensors', tensors = LLAMA) => {
    const folder = folders.make();
    writeFileSync(join(folder, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config));
    return (await auditTensors(folder, tensors, name)).filter(({ code }) => code !== TIED);
  };

  it('agrees with the tensors, tied or not', async () => {
    expect(await withConfig(CONFIG)).toEqual([]);
    expect(await withConfig({ ...CONFIG, tie_word_embeddings: true })).toEqual([]);
  });

  it('describes another model', async () => {
    expect(await withConfig({ ...CONFIG, num_hidden_layers: 16 })).toMatchObject([
      { code: 'config-mismatch', severity: 'warning', message: /names count 12 layers, config.json beside them 16/ },
    ]);
    expect(await withConfig({ ...CONFIG, intermediate_size: 192 })).toMatchObject([
      {
        code: 'config-mismatch',
        message: /^the tensors hold 281,328 parameters, 63 % of the 447,216 that config.json/,
      },
    ]);
  });

  it('is not about other files, types it does not know, or parts of models', async () => {
    const other = { ...CONFIG, num_hidden_layers: 16 };
    expect(await withConfig(other, 'adapter_model.safetensors')).toEqual([]);
    expect(await withConfig(other, 'model-00001-of-00002.safetensors')).toEqual([]);
    expect(await withConfig({ ...other, model_type: 'other' })).toEqual([]);
    expect(await withConfig({ ...other, model_type: '__proto__' })).toEqual([]);
    expect(await withConfig({ ...other, hidden_size: 'x' })).toEqual([]);
    expect(await withConfig({ ...other, hidden_size: 1e300 })).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[1]'],
    ['no UTF-8', '\u{fffd}'],
    ['too long', ' '.repeat(1_000_001)],
  ])('that is %s is noted and no more', async (_, text) => {
    expect(await withConfig(text)).toMatchObject([{ code: 'config-unreadable', severity: 'note' }]);
  });
});

it('findings of the audit of a PyTorch file name its views', async () => {
  expect(
    codeCounts(await auditPath(new URL('../../fixtures/zip/zip_mixed.pt', import.meta.url).pathname)),
  ).not.toHaveProperty('not-scanned');
});
