import { type Finding, finding } from '../../shared/findings.ts';
import { formatInt, formatStatistic } from '../../shared/format-number.ts';
import { layerRoles } from '../../shared/layer-roles.ts';
import { dtypeInfo } from '../dtypes/dtype-table.ts';
import type { TensorTable } from '../tensor/tensor-table.ts';
import { isComputedBuffer } from './tensor-facts.ts';
import { CONFIG_PARAMETERS_SHARE } from './thresholds.ts';

/** A model's own description of itself, out of a config.json: whatever is in it. */
export type ModelConfig = Readonly<Record<string, unknown>>;

/** Sizes as configs of one family name them. */
interface Described {
  readonly layers: number;
  readonly hidden: number;
  readonly vocabulary: number;
  readonly parameters: number;
  /** The output matrix, which a file may hold once more though it is tied to the embedding. */
  readonly head: number;
}

/** Larger sizes are no model's; products of a few stay well below 2^53 where it matters and are compared as ratios. */
const LARGEST = 1e8;

const size = (config: ModelConfig, ...keys: readonly string[]): number | undefined => {
  for (const key of keys) {
    const value = Object.hasOwn(config, key) ? config[key] : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= LARGEST) {
      return value;
    }
  }
  return undefined;
};

/** Llama's kind: grouped attention, gated MLP, norms without biases. Source: transformers' modeling files of each type. */
const gated =
  (type: {
    readonly normsALayer?: number;
    readonly headNorms?: boolean;
    readonly biases?: boolean;
    readonly tied?: boolean;
  }) =>
  (config: ModelConfig): Described | undefined => {
    const layers = size(config, 'num_hidden_layers');
    const hidden = size(config, 'hidden_size');
    const inner = size(config, 'intermediate_size');
    const vocabulary = size(config, 'vocab_size');
    const heads = size(config, 'num_attention_heads');
    if (
      layers === undefined ||
      hidden === undefined ||
      inner === undefined ||
      vocabulary === undefined ||
      heads === undefined
    ) {
      return undefined;
    }
    const headSize = size(config, 'head_dim') ?? hidden / heads;
    const queries = heads * headSize;
    const keys = (size(config, 'num_key_value_heads') ?? heads) * headSize;
    const experts = size(config, 'num_local_experts');
    const attentionBias = config.attention_bias === true ? queries + 2 * keys + hidden : 0;
    const attention = hidden * (2 * queries + 2 * keys) + (type.biases === true ? queries + 2 * keys : attentionBias);
    const mlp = 3 * hidden * inner + (config.mlp_bias === true ? 2 * inner + hidden : 0);
    const mixed = experts === undefined ? mlp : experts * (mlp + hidden);
    const norms = (type.normsALayer ?? 2) * hidden + (type.headNorms === true ? 2 * headSize : 0);
    const tied = typeof config.tie_word_embeddings === 'boolean' ? config.tie_word_embeddings : type.tied === true;
    const head = vocabulary * hidden;
    const parameters = layers * (attention + mixed + norms) + hidden + head + (tied ? 0 : head);
    return { layers, hidden, vocabulary, parameters, head: tied ? head : 0 };
  };

const gpt2 = (config: ModelConfig): Described | undefined => {
  const layers = size(config, 'n_layer');
  const hidden = size(config, 'n_embd');
  const vocabulary = size(config, 'vocab_size');
  const positions = size(config, 'n_positions', 'n_ctx');
  if (layers === undefined || hidden === undefined || vocabulary === undefined || positions === undefined) {
    return undefined;
  }
  const inner = size(config, 'n_inner') ?? 4 * hidden;
  const block = 4 * hidden * hidden + 4 * hidden + 2 * hidden * inner + inner + hidden + 4 * hidden;
  const head = vocabulary * hidden;
  return { layers, hidden, vocabulary, parameters: head + positions * hidden + layers * block + 2 * hidden, head };
};

const bert = (config: ModelConfig): Described | undefined => {
  const layers = size(config, 'num_hidden_layers');
  const hidden = size(config, 'hidden_size');
  const inner = size(config, 'intermediate_size');
  const vocabulary = size(config, 'vocab_size');
  const positions = size(config, 'max_position_embeddings');
  if (
    layers === undefined ||
    hidden === undefined ||
    inner === undefined ||
    vocabulary === undefined ||
    positions === undefined
  ) {
    return undefined;
  }
  const embeddings = (vocabulary + positions + (size(config, 'type_vocab_size') ?? 2)) * hidden + 2 * hidden;
  const block = 4 * (hidden * hidden + hidden) + 2 * hidden * inner + inner + hidden + 4 * hidden;
  return {
    layers,
    hidden,
    vocabulary,
    parameters: embeddings + layers * block + hidden * hidden + hidden,
    head: vocabulary * hidden,
  };
};

/** How many parameters a config of a type describes. Types with parts that are not counted here have no row. */
const FAMILIES: ReadonlyMap<string, (config: ModelConfig) => Described | undefined> = new Map([
  ['llama', gated({})],
  ['mistral', gated({})],
  ['mixtral', gated({})],
  ['qwen2', gated({ biases: true })],
  ['qwen3', gated({ headNorms: true })],
  ['gemma', gated({ tied: true })],
  ['gemma2', gated({ normsALayer: 4, tied: true })],
  ['gpt2', gpt2],
  ['bert', bert],
  ['roberta', bert],
]);

/** Files that a config.json beside them describes, by the names that model hubs use. */
const DESCRIBED = /^(?:model|pytorch_model)(?:[.-][\w.-]+)?\.(?:safetensors|bin)$/;

/** Elements of learned tensors; undefined when some are unknown, or hold codes of quantised weights. */
const learnedParameters = (table: TensorTable): number | undefined => {
  let sum = 0;
  for (let id = 0; id < table.length; id += 1) {
    const info = dtypeInfo(table.dtype(id));
    const count = table.count(id);
    const name = table.name(id);
    if (info === undefined || count === undefined) {
      return undefined;
    }
    const isMask = /\.attn\.(?:masked_)?bias$/.test(name) && table.shape(id).length !== 1;
    if (isComputedBuffer(name) || isMask) {
      continue;
    }
    if (info.kind !== 'float' || info.bits < 16) {
      return undefined;
    }
    sum += Number(count);
  }
  return sum;
};

/** Layers that the names of tensors count. */
const layersOf = (table: TensorTable): number =>
  layerRoles(table.length, (id) => table.name(id)).reduce((most, { indexes }) => Math.max(most, indexes.length), 0);

/**
 * Compares the parameters in the files with what the model's own config.json describes, for types whose count is known.
 *
 * @param file what the finding is about: base name of the file or index
 */
export const configFindings = (config: ModelConfig, table: TensorTable, file: string): Finding[] => {
  const type = typeof config.model_type === 'string' ? config.model_type : '';
  const described = FAMILIES.get(type)?.(config);
  const isDescribed = table.data.files.every((name) => DESCRIBED.test(name));
  const held = learnedParameters(table);
  if (described === undefined || !isDescribed || held === undefined || table.length === 0) {
    return [];
  }
  const { layers, hidden, vocabulary, parameters, head } = described;
  const what = `${type}, ${formatInt(layers)} layers of ${formatInt(hidden)}, vocabulary ${formatInt(vocabulary)}`;
  const found = layersOf(table);
  if (found > 1 && found !== layers) {
    const message = `the tensors' names count ${formatInt(found)} layers, config.json beside them ${formatInt(layers)} (${what})`;
    return [finding('config-mismatch', message, { file })];
  }
  const near = (expected: number): boolean => Math.abs(held - expected) <= expected * CONFIG_PARAMETERS_SHARE;
  if (near(parameters) || near(parameters + head)) {
    return [];
  }
  const share = formatStatistic((held / parameters) * 100, 3);
  const message = `the tensors hold ${formatInt(held)} parameters, ${share} % of the ${formatInt(Math.round(parameters))} that config.json beside them describes (${what})`;
  return [finding('config-mismatch', message, { file })];
};
