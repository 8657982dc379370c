import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { f32, type MadeTensor, safetensorsBytes } from './make-safetensors.ts';

/** Name of a shard as the hubs spell it, counted from 1. */
export const shardName = (number: number, total: number): string =>
  `model-${String(number).padStart(5, '0')}-of-${String(total).padStart(5, '0')}.safetensors`;

/** The tensors of a shard: a weight and a bias of its layer. */
export const layerTensors = (layer: number): readonly MadeTensor[] => [
  { name: `model.layers.${layer}.mlp.weight`, dtype: 'F32', shape: [2, 2], bytes: f32(layer, 0.5, -0, 1e-45) },
  { name: `model.layers.${layer}.mlp.bias`, dtype: 'F32', shape: [2], bytes: f32(-layer - 1, 0.25) },
];

/** Writes a model of one layer a shard with its index, but for the shards that are to be missing (counted from 1). */
export const writeModel = (folder: string, shards: number, missing: readonly number[] = []): void => {
  mkdirSync(folder, { recursive: true });
  const weightMap: Record<string, string> = {};
  for (let number = 1; number <= shards; number += 1) {
    const tensors = layerTensors(number - 1);
    for (const { name } of tensors) {
      weightMap[name] = shardName(number, shards);
    }
    if (!missing.includes(number)) {
      writeFileSync(join(folder, shardName(number, shards)), safetensorsBytes(tensors, { format: 'pt' }));
    }
  }
  const bytes = shards * 24;
  const index = JSON.stringify({ metadata: { total_size: bytes }, weight_map: weightMap });
  writeFileSync(join(folder, 'model.safetensors.index.json'), index);
};
