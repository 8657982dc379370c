// npm run fuzz [-- --seconds 60 --seed 1]: crafted safetensors files against the built library, for a set time. Each file is
// made from one number, so any failure can be made again: node fuzz/run.mjs --only NUMBER.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { memorySource } from '../out/lib/core/bytes/memory-source.js';
import { readCheckpoint } from '../out/lib/core/formats/registry.js';
import { isLoupeError } from '../out/lib/shared/errors.js';
import { craftFile } from './craft.mjs';
import { violations } from './naive-check.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    only: { type: 'string' },
    out: { type: 'string', default: 'test-results/fuzz' },
  },
});
/** Failures after which the run ends early. */
const MOST_FAILURES = 20;

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const seconds = Number(values.seconds);
if (!Number.isInteger(seed) || !(seconds > 0)) {
  process.stderr.write('--seed takes an integer, --seconds a number above 0\n');
  process.exit(2);
}

/** What a file made the program do wrong. */
const judge = async (bytes) => {
  try {
    return violations(bytes, await readCheckpoint(memorySource(bytes, 'crafted.safetensors'), {}));
  } catch (fault) {
    return isLoupeError(fault) ? [] : [`threw ${fault instanceof Error ? fault.stack : String(fault)}`];
  }
};

const keep = (number, bytes, wrong) => {
  mkdirSync(values.out, { recursive: true });
  const path = join(values.out, `crafted-${number}.safetensors`);
  writeFileSync(path, bytes);
  process.stdout.write(`failed: ${number} (kept as ${path})\n${wrong.map((line) => `  ${line}\n`).join('')}`);
};

const started = performance.now();
const end = started + seconds * 1000;
const only = values.only === undefined ? undefined : Number(values.only);
let passed = 0;
let failed = 0;
process.stdout.write(only === undefined ? `seed ${seed}, ${seconds} s\n` : `file ${only}\n`);
for (let number = only ?? seed; failed < MOST_FAILURES && performance.now() < end; number += 1) {
  const bytes = craftFile(number);
  const wrong = await judge(bytes);
  if (wrong.length === 0) {
    passed += 1;
  } else {
    failed += 1;
    keep(number, bytes, wrong);
  }
  if (only !== undefined) {
    break;
  }
}
const took = (performance.now() - started) / 1000;
process.stdout.write(`${Math.round((passed + failed) / took)} files a second\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
