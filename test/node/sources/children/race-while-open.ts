/**
 * Reads a file through a mapping while a thread cuts it and writes it again, over and over. Prints how many reads ended how.
 * Where a copy can run into a page that has just gone, this process ends by SIGBUS.
 */
import { openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { FileChangedError } from '../../../../src/core/errors.ts';
import { mappedSource } from '../../../../src/node/sources/mapped-source.ts';
import { posixMapper } from '../../../../src/node/sources/posix-mapper.ts';

const [path = '', rounds = '0', size = '0'] = process.argv.slice(2);
const BYTES = 8 * 2 ** 20;

const cutter = new Worker(
  `const { ftruncateSync, writeSync } = require('node:fs');
   const { workerData: { descriptor, bytes } } = require('node:worker_threads');
   const content = Buffer.alloc(bytes, 1);
   for (;;) {
     writeSync(descriptor, content, 0, bytes, 0);
     ftruncateSync(descriptor, 100);
   }`,
  { eval: true, workerData: { descriptor: openSync(path, 'w+'), bytes: BYTES } },
);
await new Promise((resolve) => cutter.once('online', resolve));

const mapper = posixMapper();
const target = new Uint8Array(Number(size));
let read = 0;
let refused = 0;
for (let round = 0; round < Number(rounds); round += 1) {
  const source = mappedSource(path, mapper);
  if (source === undefined || source.size < target.byteLength) {
    source?.close();
    continue;
  }
  try {
    for (let again = 0; again < 50; again += 1) {
      source.read(source.size - target.byteLength, target);
      read += 1;
    }
  } catch (fault) {
    if (!(fault instanceof FileChangedError)) {
      throw fault;
    }
    refused += 1;
  }
  source.close();
}
process.stdout.write(`${JSON.stringify({ read, refused })}\n`, () => process.exit(0));
