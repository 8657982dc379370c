import { LoupeError } from '../../shared/errors.ts';
import { utf8Order } from '../bytes/compare-utf8.ts';

/** What a model's files are called before the number and the extension, as the hubs name them. */
const STEM = 'model';
/** Numbers have five digits (FORMATS.md 1.9), so there are at most this many shards. */
const MOST_SHARDS = 99_999;

/**
 * Spreads tensors over shards as huggingface_hub does (FORMATS.md 1.9): in order; a new shard begins where the sum would
 * pass the limit; a tensor larger than the limit gets a shard of its own at once, while the shard before it stays open.
 *
 * @param mostBytes the limit of the tensors' bytes of a shard.
 * @throws LoupeError `too-many-shards`
 */
export const splitIntoShards = <T extends { readonly bytes: number }>(
  tensors: readonly T[],
  mostBytes: number,
): T[][] => {
  const shards: T[][] = [];
  let open: T[] = [];
  let held = 0;
  for (const tensor of tensors) {
    if (tensor.bytes > mostBytes) {
      shards.push([tensor]);
      continue;
    }
    if (held + tensor.bytes > mostBytes) {
      shards.push(open);
      open = [];
      held = 0;
    }
    open.push(tensor);
    held += tensor.bytes;
  }
  if (open.length > 0) {
    shards.push(open);
  }
  if (shards.length > MOST_SHARDS) {
    throw new LoupeError('too-many-shards', `${shards.length} shards are too many: give a larger --max-shard-size`, {
      shards: shards.length,
    });
  }
  return shards;
};

/** Names of a model's shards: `model-00001-of-00003.safetensors`, …; of one alone `model.safetensors`. */
export const shardNames = (count: number): string[] => {
  const digits = (number: number): string => String(number).padStart(5, '0');
  return count <= 1
    ? [`${STEM}.safetensors`]
    : Array.from({ length: count }, (_, index) => `${STEM}-${digits(index + 1)}-of-${digits(count)}.safetensors`);
};

/** Name of the index beside several shards. */
export const INDEX_NAME = `${STEM}.safetensors.index.json`;

/** JSON text as Python writes it: everything beyond printable ASCII as `\uxxxx`. */
const asciiJson = (text: string): string => {
  const json = JSON.stringify(text);
  return /[\u007f-\uffff]/.test(json)
    ? json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    : json;
};

/**
 * The text of a shard index, byte for byte as transformers writes it: `json.dumps(…, indent=2, sort_keys=True)` and a
 * newline. Made by hand, since a JavaScript object would move keys that look like numbers.
 *
 * @param totalSize bytes of all tensors.
 * @param weightMap file name, as {@link shardNames} gives it, by tensor name; in any order.
 */
export const indexText = (totalSize: number, weightMap: Iterable<readonly [tensor: string, file: string]>): string => {
  const pairs = [...weightMap];
  const compare = utf8Order(pairs.map(([name]) => name));
  const lines = pairs.sort(([a], [b]) => compare(a, b)).map(([name, file]) => `    ${asciiJson(name)}: "${file}"`);
  const map = lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
  return `{\n  "metadata": {\n    "total_size": ${totalSize}\n  },\n  "weight_map": ${map}\n}\n`;
};
