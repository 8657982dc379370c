import type { MadeTensor } from '../e2e/support/make-safetensors.ts';
import { type Encode, encoderOf, seededNumbers } from './encode-numbers.ts';

/**
 * Checkpoints such as training leaves them, small: weights of a few standard deviations with heavy tails, scales that drift
 * over the depth and jump in the first and last layers, norms near one that grow, and the buffers and zeros that real files
 * hold for good reasons. Nothing about them is odd.
 */
class Maker {
  readonly tensors: MadeTensor[] = [];
  readonly #numbers: ReturnType<typeof seededNumbers>;
  readonly #encoders = new Map<string, Encode>();

  constructor(seed: number) {
    this.#numbers = seededNumbers(seed);
  }

  put(name: string, dtype: string, shape: readonly number[], numbers: ArrayLike<number>): void {
    const encode = this.#encoders.get(dtype) ?? encoderOf(dtype);
    this.#encoders.set(dtype, encode);
    this.tensors.push({ name, dtype, shape, bytes: encode(numbers) });
  }

  raw(name: string, dtype: string, shape: readonly number[], bytes: Uint8Array): void {
    this.tensors.push({ name, dtype, shape, bytes });
  }

  /** Weights: normal, one in a thousand several times as large, as trained ones are. */
  weights(count: number, std: number): Float64Array {
    return Float64Array.from({ length: count }, () => {
      const value = this.#numbers.normal(0, std);
      return this.#numbers.uniform() < 0.001 ? value * 6 : value;
    });
  }

  around(count: number, mean: number, std: number): Float64Array {
    return Float64Array.from({ length: count }, () => this.#numbers.normal(mean, std));
  }

  uniform(low: number, high: number): number {
    return low + (high - low) * this.#numbers.uniform();
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => Math.floor(this.#numbers.uniform() * 256));
  }

  matrix(name: string, dtype: string, rows: number, columns: number, std: number): void {
    this.put(name, dtype, [rows, columns], this.weights(rows * columns, std));
  }
}

const product = (shape: readonly number[]): number => shape.reduce((all, size) => all * size, 1);

/** A scale over the depth: a drift, some unrest, and first and last layers of their own. */
const depthScale = (maker: Maker, layer: number, layers: number): number =>
  (0.7 + (0.8 * layer) / layers) * maker.uniform(0.85, 1.15) * (layer === 0 ? 2.2 : layer === layers - 1 ? 1.5 : 1);

export interface LlamaSize {
  readonly layers: number;
  readonly hidden: number;
  readonly inner: number;
  readonly vocabulary: number;
  readonly keyValue: number;
}

export const SMALL_LLAMA: LlamaSize = { layers: 12, hidden: 48, inner: 96, vocabulary: 320, keyValue: 24 };

/** As Llama, Mistral and Qwen: BF16 with norms, buffers of rotary frequencies, and a head tied to the embedding. */
export const llamaLike = (size: LlamaSize = SMALL_LLAMA, seed = 1): MadeTensor[] => {
  const { layers, hidden, inner, vocabulary, keyValue } = size;
  const maker = new Maker(seed);
  const embedding = maker.weights(vocabulary * hidden, 0.02);
  maker.put('model.embed_tokens.weight', 'BF16', [vocabulary, hidden], embedding);
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `model.layers.${layer}`;
    const std = (base: number): number => base * depthScale(maker, layer, layers);
    maker.matrix(`${at}.self_attn.q_proj.weight`, 'BF16', hidden, hidden, std(0.025));
    maker.matrix(`${at}.self_attn.k_proj.weight`, 'BF16', keyValue, hidden, std(0.03));
    maker.matrix(`${at}.self_attn.v_proj.weight`, 'BF16', keyValue, hidden, std(0.012));
    maker.matrix(`${at}.self_attn.o_proj.weight`, 'BF16', hidden, hidden, std(0.014));
    maker.matrix(`${at}.mlp.gate_proj.weight`, 'BF16', inner, hidden, std(0.02));
    maker.matrix(`${at}.mlp.up_proj.weight`, 'BF16', inner, hidden, std(0.018));
    maker.matrix(`${at}.mlp.down_proj.weight`, 'BF16', hidden, inner, std(0.018));
    const norm = 0.15 + (2.4 * layer) / layers;
    maker.put(`${at}.input_layernorm.weight`, 'BF16', [hidden], maker.around(hidden, norm, norm * 0.12));
    maker.put(`${at}.post_attention_layernorm.weight`, 'BF16', [hidden], maker.around(hidden, 0.3 + norm / 2, 0.05));
    const frequencies = Float64Array.from({ length: 8 }, (_, i) => 10_000 ** (-i / 8));
    maker.put(`${at}.self_attn.rotary_emb.inv_freq`, 'F32', [8], frequencies);
  }
  maker.put('model.norm.weight', 'BF16', [hidden], maker.around(hidden, 6, 0.5));
  maker.put('lm_head.weight', 'BF16', [vocabulary, hidden], embedding);
  return maker.tensors;
};

/** As BERT: F32, a zero row for padding, position ids, biases, keys' biases next to nothing. */
export const bertLike = (layers = 6, hidden = 32, vocabulary = 400, seed = 2): MadeTensor[] => {
  const maker = new Maker(seed);
  const words = maker.weights(vocabulary * hidden, 0.04);
  words.fill(0, 0, hidden);
  maker.put(
    'bert.embeddings.position_ids',
    'I64',
    [1, 64],
    Float64Array.from({ length: 64 }, (_, i) => i),
  );
  maker.put('bert.embeddings.word_embeddings.weight', 'F32', [vocabulary, hidden], words);
  maker.matrix('bert.embeddings.position_embeddings.weight', 'F32', 64, hidden, 0.02);
  maker.matrix('bert.embeddings.token_type_embeddings.weight', 'F32', 2, hidden, 0.01);
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `bert.encoder.layer.${layer}`;
    for (const [part, rows, columns] of [
      ['attention.self.query', hidden, hidden],
      ['attention.self.key', hidden, hidden],
      ['attention.self.value', hidden, hidden],
      ['attention.output.dense', hidden, hidden],
      ['intermediate.dense', hidden * 4, hidden],
      ['output.dense', hidden, hidden * 4],
    ] as const) {
      maker.matrix(`${at}.${part}.weight`, 'F32', rows, columns, 0.04 * depthScale(maker, layer, layers));
      const bias = part === 'attention.self.key' ? 0.002 : 0.1;
      maker.put(`${at}.${part}.bias`, 'F32', [rows], maker.around(rows, 0, bias * maker.uniform(0.6, 1.6)));
    }
    for (const norm of ['attention.output.LayerNorm', 'output.LayerNorm']) {
      maker.put(`${at}.${norm}.weight`, 'F32', [hidden], maker.around(hidden, maker.uniform(0.75, 0.95), 0.05));
      maker.put(`${at}.${norm}.bias`, 'F32', [hidden], maker.around(hidden, maker.uniform(-0.05, 0.05), 0.08));
    }
  }
  maker.matrix('bert.pooler.dense.weight', 'F32', hidden, hidden, 0.03);
  maker.put('bert.pooler.dense.bias', 'F32', [hidden], new Float64Array(hidden));
  return maker.tensors;
};

/** As GPT-2: F16 with the buffers of its causal masks, biases that training never moved from zero. */
export const gpt2Like = (layers = 8, hidden = 32, seed = 3): MadeTensor[] => {
  const maker = new Maker(seed);
  maker.matrix('wte.weight', 'F16', 300, hidden, 0.14);
  maker.matrix('wpe.weight', 'F16', 64, hidden, 0.12);
  const mask = Float64Array.from({ length: 64 * 64 }, (_, i) => (i % 64 <= Math.floor(i / 64) ? 1 : 0));
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `h.${layer}`;
    const std = 0.14 * depthScale(maker, layer, layers);
    maker.put(`${at}.attn.bias`, 'F16', [1, 1, 64, 64], mask);
    maker.put(`${at}.attn.masked_bias`, 'F16', [], [-10_000]);
    maker.matrix(`${at}.attn.c_attn.weight`, 'F16', hidden, hidden * 3, std);
    maker.put(`${at}.attn.c_attn.bias`, 'F16', [hidden * 3], new Float64Array(hidden * 3));
    maker.matrix(`${at}.attn.c_proj.weight`, 'F16', hidden, hidden, std * 0.8);
    maker.matrix(`${at}.mlp.c_fc.weight`, 'F16', hidden, hidden * 4, std);
    maker.matrix(`${at}.mlp.c_proj.weight`, 'F16', hidden * 4, hidden, std * 0.6);
    const norm = 0.2 + 0.3 * (layer / layers);
    maker.put(`${at}.ln_1.weight`, 'F16', [hidden], maker.around(hidden, norm, 0.04));
    maker.put(`${at}.ln_1.bias`, 'F16', [hidden], maker.around(hidden, 0, 0.03));
  }
  return maker.tensors;
};

/** A fresh model and a LoRA adapter: norms of ones, biases of zeros, B matrices of zeros. */
export const loraLike = (layers = 8, hidden = 32, rank = 4, seed = 4): MadeTensor[] => {
  const maker = new Maker(seed);
  for (let layer = 0; layer < layers; layer += 1) {
    for (const part of ['q_proj', 'v_proj']) {
      const at = `base_model.model.model.layers.${layer}.self_attn.${part}`;
      const bound = Math.sqrt(1 / hidden);
      const a = Float64Array.from({ length: rank * hidden }, () => maker.uniform(-bound, bound));
      maker.put(`${at}.lora_A.weight`, 'F32', [rank, hidden], a);
      maker.put(`${at}.lora_B.weight`, 'F32', [hidden, rank], new Float64Array(rank * hidden));
    }
  }
  return maker.tensors;
};

/** Layers as a framework makes them before any training. */
export const untrained = (layers = 8, hidden = 32, seed = 5): MadeTensor[] => {
  const maker = new Maker(seed);
  for (let layer = 0; layer < layers; layer += 1) {
    maker.matrix(`blocks.${layer}.linear.weight`, 'F32', hidden, hidden, 0.02);
    maker.put(`blocks.${layer}.linear.bias`, 'F32', [hidden], new Float64Array(hidden));
    maker.put(`blocks.${layer}.norm.weight`, 'F32', [hidden], new Float64Array(hidden).fill(1));
    maker.put(`blocks.${layer}.norm.bias`, 'F32', [hidden], new Float64Array(hidden));
  }
  return maker.tensors;
};

/** Weights of 8 bits with a scale a tensor, a row or a block, each scaled so that its largest fits the format exactly. */
export const fp8Like = (layers = 8, hidden = 64, seed = 6): MadeTensor[] => {
  const maker = new Maker(seed);
  const MAX = 448;
  for (let layer = 0; layer < layers; layer += 1) {
    const std = 0.02 * depthScale(maker, layer, layers);
    for (const [part, groups] of [
      ['q_proj', 1],
      ['o_proj', hidden],
      ['down_proj', (hidden * hidden) / 256],
    ] as const) {
      const numbers = maker.weights(hidden * hidden, std);
      const size = numbers.length / groups;
      const scales = Float64Array.from(
        { length: groups },
        (_, group) => Math.max(...numbers.subarray(group * size, (group + 1) * size).map(Math.abs)) / MAX,
      );
      const at = `model.layers.${layer}.${part}`;
      maker.put(
        `${at}.weight`,
        'F8_E4M3',
        [hidden, hidden],
        numbers.map((value, i) => value / (scales[Math.floor(i / size)] ?? 1)),
      );
      maker.put(`${at}.weight_scale`, 'F32', groups === 1 ? [] : [groups, 1], scales);
      maker.put(`${at}.input_scale`, 'F32', [], [maker.uniform(0.5, 2)]);
    }
    maker.put(`model.layers.${layer}.input_layernorm.weight`, 'BF16', [hidden], maker.around(hidden, 1, 0.1));
  }
  return maker.tensors;
};

/** As GPTQ writes: packed integers with scales. */
export const gptqLike = (layers = 6, hidden = 64, seed = 7): MadeTensor[] => {
  const maker = new Maker(seed);
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `model.layers.${layer}.self_attn.q_proj`;
    maker.raw(`${at}.qweight`, 'I32', [hidden / 8, hidden], maker.bytes((hidden * hidden) / 2));
    maker.raw(`${at}.qzeros`, 'I32', [2, hidden / 8], new Uint8Array(2 * (hidden / 8) * 4).fill(0x77));
    maker.put(`${at}.scales`, 'F16', [2, hidden], maker.around(2 * hidden, 0.01, 0.002).map(Math.abs));
    maker.put(
      `${at}.g_idx`,
      'I32',
      [hidden],
      Float64Array.from({ length: hidden }, (_, i) => Math.floor(i / 32)),
    );
  }
  return maker.tensors;
};

/** A convolutional network with batch norms: variances over decades, counters, two kinds of layers in one list. */
export const resnetLike = (blocks = 5, seed = 8): MadeTensor[] => {
  const maker = new Maker(seed);
  for (let block = 0; block < blocks; block += 1) {
    const at = `layer1.${block}`;
    for (const [conv, shape] of [
      ['conv1', [16, 16, 3, 3]],
      ['conv2', [16, 16, 3, 3]],
    ] as const) {
      maker.put(`${at}.${conv}.weight`, 'F32', shape, maker.weights(product(shape), 0.05 * maker.uniform(0.6, 1.6)));
    }
    maker.put(`${at}.bn1.weight`, 'F32', [16], maker.around(16, 0.3, 0.1));
    maker.put(`${at}.bn1.bias`, 'F32', [16], maker.around(16, -0.1, 0.15));
    maker.put(`${at}.bn1.running_mean`, 'F32', [16], maker.around(16, 0, 0.4 * maker.uniform(0.3, 2)));
    const variance = maker.around(16, 0, 1).map((value) => 0.2 * Math.exp(value) * (block + 1));
    maker.put(`${at}.bn1.running_var`, 'F32', [16], variance);
    maker.put(`${at}.bn1.num_batches_tracked`, 'I64', [], [53_320]);
  }
  for (let at = 0; at < 6; at += 2) {
    maker.put(`features.${at}.weight`, 'F32', [16, 16, 3, 3], maker.weights(2304, 0.05));
    maker.put(`features.${at + 1}.weight`, 'F32', [16], maker.around(16, 1, 0.1));
  }
  return maker.tensors;
};

/** A mixture of experts with its routers in F32. */
export const moeLike = (layers = 6, experts = 8, hidden = 24, seed = 9): MadeTensor[] => {
  const maker = new Maker(seed);
  for (let layer = 0; layer < layers; layer += 1) {
    const at = `model.layers.${layer}.block_sparse_moe`;
    maker.matrix(`${at}.gate.weight`, 'F32', experts, hidden, 0.1);
    const std = 0.02 * depthScale(maker, layer, layers);
    for (let expert = 0; expert < experts; expert += 1) {
      for (const part of ['w1', 'w2', 'w3']) {
        maker.matrix(`${at}.experts.${expert}.${part}.weight`, 'BF16', hidden, hidden, std * maker.uniform(0.9, 1.1));
      }
    }
  }
  return maker.tensors;
};

/** All of them, by name. */
export const HEALTHY: ReadonlyMap<string, () => MadeTensor[]> = new Map([
  ['Llama', () => llamaLike()],
  ['BERT', () => bertLike()],
  ['GPT-2', () => gpt2Like()],
  ['LoRA', () => loraLike()],
  ['untrained', () => untrained()],
  ['FP8', () => fp8Like()],
  ['GPTQ', () => gptqLike()],
  ['ResNet', () => resnetLike()],
  ['mixture of experts', () => moeLike()],
]);
