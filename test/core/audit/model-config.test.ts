import { describe, expect, it } from 'vitest';
import { configFindings, type ModelConfig } from '../../../src/core/audit/model-config.ts';
import { TensorTable } from '../../../src/core/tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../../src/core/tensor/tensor-table-builder.ts';

/** A table of one tensor with so many elements: only counts matter here. */
const tableOf = (parameters: number, dtype = 'BF16', file = 'model.safetensors'): TensorTable => {
  const builder = new TensorTableBuilder([file]);
  builder.add({
    name: 'all',
    dtype,
    shape: [parameters],
    count: parameters,
    begin: 0,
    end: parameters * 2,
    layout: 'contiguous',
    file: 0,
  });
  return new TensorTable(builder.finish());
};

/** Parameters of published models, as their cards and papers give them, with their configs. */
const PUBLISHED: readonly [string, number, ModelConfig][] = [
  [
    'Llama 2 7B',
    6_738_415_616,
    {
      model_type: 'llama',
      hidden_size: 4096,
      intermediate_size: 11008,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      vocab_size: 32000,
    },
  ],
  [
    'Llama 3.1 8B',
    8_030_261_248,
    {
      model_type: 'llama',
      hidden_size: 4096,
      intermediate_size: 14336,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      vocab_size: 128256,
    },
  ],
  [
    'TinyLlama 1.1B',
    1_100_048_384,
    {
      model_type: 'llama',
      hidden_size: 2048,
      intermediate_size: 5632,
      num_hidden_layers: 22,
      num_attention_heads: 32,
      num_key_value_heads: 4,
      vocab_size: 32000,
    },
  ],
  [
    'Mistral 7B',
    7_241_732_096,
    {
      model_type: 'mistral',
      hidden_size: 4096,
      intermediate_size: 14336,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      vocab_size: 32000,
    },
  ],
  [
    'Mixtral 8x7B',
    46_702_792_704,
    {
      model_type: 'mixtral',
      hidden_size: 4096,
      intermediate_size: 14336,
      num_hidden_layers: 32,
      num_attention_heads: 32,
      num_key_value_heads: 8,
      num_local_experts: 8,
      vocab_size: 32000,
    },
  ],
  [
    'Qwen2 0.5B',
    494_032_768,
    {
      model_type: 'qwen2',
      hidden_size: 896,
      intermediate_size: 4864,
      num_hidden_layers: 24,
      num_attention_heads: 14,
      num_key_value_heads: 2,
      vocab_size: 151936,
      tie_word_embeddings: true,
    },
  ],
  [
    'Gemma 2B',
    2_506_172_416,
    {
      model_type: 'gemma',
      hidden_size: 2048,
      intermediate_size: 16384,
      num_hidden_layers: 18,
      num_attention_heads: 8,
      num_key_value_heads: 1,
      head_dim: 256,
      vocab_size: 256000,
    },
  ],
  [
    'GPT-2',
    124_439_808,
    { model_type: 'gpt2', n_embd: 768, n_layer: 12, n_head: 12, n_positions: 1024, vocab_size: 50257 },
  ],
  [
    'BERT base',
    109_482_240,
    {
      model_type: 'bert',
      hidden_size: 768,
      intermediate_size: 3072,
      num_hidden_layers: 12,
      num_attention_heads: 12,
      max_position_embeddings: 512,
      type_vocab_size: 2,
      vocab_size: 30522,
    },
  ],
];

describe('parameters that a config describes', () => {
  it.each(PUBLISHED)('%s', (_, parameters, config) => {
    expect(configFindings(config, tableOf(parameters), 'model.safetensors')).toEqual([]);
    for (const other of [Math.round(parameters * 0.9), Math.round(parameters * 1.9)]) {
      const [found] = configFindings(config, tableOf(other), 'model.safetensors');
      expect(found?.code).toBe('config-mismatch');
      // The exact count, not one near it.
      expect(found?.message).toContain(`of the ${parameters.toLocaleString('en')} that`);
    }
  });

  it('are not compared with codes of quantised weights', () => {
    const [, [, , config] = []] = PUBLISHED;
    expect(configFindings(config ?? {}, tableOf(1000, 'I32'), 'm')).toEqual([]);
    expect(configFindings(config ?? {}, tableOf(1000, 'F8_E4M3'), 'm')).toEqual([]);
    expect(configFindings(config ?? {}, tableOf(1000, 'BF16', 'adapter_model.bin'), 'm')).toEqual([]);
    expect(configFindings(config ?? {}, tableOf(1000, 'BF16', 'model.fp16.safetensors'), 'm')).toHaveLength(1);
  });
});
