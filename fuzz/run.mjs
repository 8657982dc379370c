// npm run fuzz [-- --seconds 60 --seed 1 --target headers]: crafted headers, shard indexes, slices and PyTorch archives
// against the built library, for a set time. Each input is made from one number, so any failure can be made again:
// node fuzz/run.mjs --target NAME --only NUMBER.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isLoupeError } from '../out/lib/shared/errors.js';
import { TARGETS } from './targets.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    only: { type: 'string' },
    target: { type: 'string' },
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

const targets = values.target === undefined ? Object.keys(TARGETS) : [values.target];
if (!targets.every((name) => Object.hasOwn(TARGETS, name))) {
  process.stderr.write(`--target takes one of ${Object.keys(TARGETS).join(', ')}\n`);
  process.exit(2);
}

/** What an input made the program do wrong. */
const judge = async (target, input) => {
  try {
    return await TARGETS[target].judge(input);
  } catch (fault) {
    return isLoupeError(fault) ? [] : [`threw ${fault instanceof Error ? fault.stack : String(fault)}`];
  }
};

const keep = (target, number, bytes, wrong) => {
  mkdirSync(values.out, { recursive: true });
  const path = join(values.out, `${target}-${number}`);
  writeFileSync(path, bytes);
  process.stdout.write(`failed: ${target} ${number} (kept as ${path})\n${wrong.map((line) => `  ${line}\n`).join('')}`);
};

const started = performance.now();
const end = started + seconds * 1000;
const only = values.only === undefined ? undefined : Number(values.only);
let passed = 0;
let failed = 0;
process.stdout.write(only === undefined ? `seed ${seed}, ${seconds} s\n` : `input ${only}\n`);
for (let number = only ?? seed; failed < MOST_FAILURES && performance.now() < end; number += 1) {
  const target = targets[number % targets.length] ?? 'headers';
  const bytes = TARGETS[target].make(number);
  const wrong = await judge(target, bytes);
  if (wrong.length === 0) {
    passed += 1;
  } else {
    failed += 1;
    keep(target, number, bytes, wrong);
  }
  if (only !== undefined) {
    break;
  }
}
const took = (performance.now() - started) / 1000;
process.stdout.write(`${Math.round((passed + failed) / took)} inputs a second\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
