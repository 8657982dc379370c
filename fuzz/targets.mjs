// What is fuzzed: each target makes an input from a number and says what the program did wrong with it, if anything.
import { readdirSync, readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { memorySource } from '../out/lib/core/bytes/memory-source.js';
import { inspectSource } from '../out/lib/core/checkpoint.js';
import { readCheckpoint } from '../out/lib/core/formats/registry.js';
import { parseIndex } from '../out/lib/core/formats/shards/parse-index.js';
import { shardNameProblem } from '../out/lib/core/formats/shards/shard-names.js';
import { planReads } from '../out/lib/core/tensor/plan-reads.js';
import { parseSlice, pickedShape, pickSlice, sliceRuns } from '../out/lib/core/tensor/slice.js';
import { isLoupeError } from '../out/lib/shared/errors.js';
import { craftFile } from './craft.mjs';
import { violations } from './naive-check.mjs';
import { createRandom } from './random.mjs';

const randomFrom = (number) => createRandom(number).next;

const pick = (random, items) => items[Math.floor(random() * items.length)];

/** Some bytes changed, some cut out, some put in, or the end cut off. */
const mutate = (random, bytes) => {
  let changed = Uint8Array.from(bytes);
  for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
    const at = Math.floor(random() * changed.length);
    const kind = random();
    if (kind < 0.6) {
      changed[at] =
        random() < 0.5 ? pick(random, [0, 1, 0x7f, 0x80, 0xff, 0x22, 0x2e, 0x5c]) : Math.floor(random() * 256);
    } else if (kind < 0.8) {
      const length = Math.floor(random() * 16);
      changed = Uint8Array.from([...changed.subarray(0, at), ...changed.subarray(at + length)]);
    } else if (kind < 0.95) {
      const from = Math.floor(random() * changed.length);
      const piece = changed.slice(from, from + Math.floor(random() * 16));
      changed = Uint8Array.from([...changed.subarray(0, at), ...piece, ...changed.subarray(at)]);
    } else {
      changed = changed.slice(0, at);
    }
  }
  return changed;
};

const NAMES = [
  'model-00001-of-00002.safetensors',
  '../x.safetensors',
  'a/b.safetensors',
  'C:x.safetensors',
  '\\\\h\\s.safetensors',
  'con.safetensors',
  'x.bin',
  '',
  '.',
  'a\u0000.safetensors',
  '/x.safetensors',
  'nul/x.safetensors',
  'x.safetensors.',
];

const indexText = (random) => {
  const members = Array.from(
    { length: Math.floor(random() * 5) },
    (_, k) => `"t${k}":${JSON.stringify(pick(random, NAMES))}`,
  );
  const total = pick(random, ['20', '"20"', '20.0', '1e30', '-1', '18446744073709551616', 'null']);
  return `{"metadata":{"total_size":${total}},"weight_map":{${members.join(',')}}}`;
};

/** Whether a name leads to a file below a folder by the rules of both kinds of system. */
const staysBelow = (name) =>
  posix.resolve('/m', name).startsWith('/m/') &&
  win32.resolve('C:\\m', name).startsWith('C:\\m\\') &&
  !name.includes('\0');

const indexes = {
  make: (number) => {
    const random = randomFrom(number);
    return mutate(random, new TextEncoder().encode(indexText(random)));
  },
  judge: (bytes) => {
    const { weightMap } = parseIndex(bytes, 'model.safetensors.index.json');
    return [...weightMap.values()]
      .filter((name) => shardNameProblem(name, 'safetensors') === undefined && !staysBelow(name))
      .map((name) => `would follow ${JSON.stringify(name)}`);
  },
};

const sliceText = (random) => {
  const number = () => pick(random, ['', '0', '1', '-1', '3', '-7', '99', '9007199254740993', '-0', '+2', 'x']);
  const item = () =>
    pick(random, [number(), `${number()}:${number()}`, `${number()}:${number()}:${number()}`, ':', '::', ' 1 : 2 ']);
  return Array.from({ length: Math.floor(random() * 5) }, item).join(',');
};

const slices = {
  make: (number) => {
    const random = randomFrom(number);
    const shape = Array.from({ length: Math.floor(random() * 5) }, () => Math.floor(random() * 9));
    const text =
      random() < 0.8
        ? sliceText(random)
        : new TextDecoder().decode(mutate(random, new TextEncoder().encode(`${sliceText(random)}:`)));
    return new TextEncoder().encode(JSON.stringify({ shape, text }));
  },
  judge: (bytes) => {
    const { shape, text } = JSON.parse(new TextDecoder().decode(bytes));
    const picked = pickSlice(parseSlice(text), shape);
    const wanted = picked.reduce((product, { count }) => product * count, 1);
    const total = shape.reduce((product, size) => product * size, 1);
    const places = [...planReads(sliceRuns(picked, shape), 16)].flatMap(({ low, high, picks }) =>
      picks.flatMap(({ start, step, count }) =>
        Array.from({ length: count }, (_, k) => start + k * step).map((at) => (at >= low && at < high ? at : -1)),
      ),
    );
    const wrong = places.filter((at) => !(at >= 0 && at < total));
    const sizes = pickedShape(picked).reduce((product, size) => product * size, 1);
    return [
      ...(wrong.length > 0 ? [`reads element ${wrong[0]} of ${total}`] : []),
      ...(places.length !== wanted || sizes !== wanted ? [`gives ${places.length} elements, ${wanted} wanted`] : []),
    ];
  },
};

const headers = {
  make: craftFile,
  judge: async (bytes) => violations(bytes, await readCheckpoint(memorySource(bytes, 'crafted.safetensors'), {})),
};

const archiveFiles = () =>
  ['zip', 'pytorch'].flatMap((folder) => {
    const url = new URL(`../test/fixtures/${folder}/`, import.meta.url);
    return readdirSync(url)
      .filter((name) => name.endsWith('.pt'))
      .sort()
      .map((name) => readFileSync(new URL(name, url)));
  });
const archives = {
  make: (number) => {
    const random = randomFrom(number);
    return mutate(random, pick(random, archiveFiles()));
  },
  judge: async (bytes) => {
    const checkpoint = await inspectSource(memorySource(bytes, 'crafted.pt'));
    const wrong = [];
    for (const tensor of checkpoint.tensors) {
      const { readable, parameters, bytes: size } = tensor.row;
      if (!readable || Number(parameters) > 100_000) {
        continue;
      }
      try {
        const values = await tensor.toFloat32();
        const given = (await tensor.bytes()).length;
        if (given !== size || values.length !== Number(parameters) * tensor.info.components) {
          wrong.push(`tensor ${tensor.name} gives ${values.length} values and ${given} bytes of ${size}`);
        }
      } catch (fault) {
        if (!isLoupeError(fault)) {
          throw fault;
        }
      }
    }
    return wrong;
  },
};

/** By the name given on the command line. */
export const TARGETS = { headers, indexes, slices, archives };
