/**
 * Opens a file in the way the first parameter names, lets each event of the third happen to a fresh one, reads, and prints
 * what came of the reads as a line of JSON an event. A crash (SIGBUS) ends this process, not the tests.
 */
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  openSync,
  renameSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { FileSource } from '../../../../src/node/sources/file-source.ts';
import { mappedSource } from '../../../../src/node/sources/mapped-source.ts';
import type { Mapper } from '../../../../src/node/sources/mapping.ts';
import { positionedSource } from '../../../../src/node/sources/positioned-source.ts';
import { posixMapper } from '../../../../src/node/sources/posix-mapper.ts';
import { isLoupeError } from '../../../../src/shared/errors.ts';

const [access = '', path = '', events = '', ...reads] = process.argv.slice(2);

/** A mapper as it is where the kernel cannot fault pages in safely: every copy relies on the size check before it. */
const unsafeMapper = (): Mapper => {
  const inner = posixMapper();
  return {
    map: (file, length) => {
      const mapping = inner.map(file, length);
      return mapping === undefined ? undefined : { ...mapping, faultsSafely: false };
    },
  };
};

const open = (): FileSource => {
  if (access === 'positioned') {
    return positionedSource(path);
  }
  const source = mappedSource(path, access === 'mapped' ? posixMapper() : unsafeMapper());
  if (source === undefined) {
    throw new Error('the file was not mapped');
  }
  return source;
};

const writeInPlace = (): void => {
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, 'changed', 5000);
  closeSync(descriptor);
};

const happen = (event: string): void => {
  const [what = '', number = '0'] = event.split(':');
  switch (what) {
    case 'cut':
      truncateSync(path, Number(number));
      break;
    case 'cut-and-regrown':
      truncateSync(path, 0);
      truncateSync(path, Number(number));
      break;
    case 'appended':
      appendFileSync(path, 'more');
      break;
    case 'written':
      writeInPlace();
      break;
    case 'replaced':
      appendFileSync(`${path}.new`, 'another file');
      renameSync(`${path}.new`, path);
      break;
    case 'deleted':
      unlinkSync(path);
      break;
    case 'touched':
      utimesSync(path, 1, 1);
      break;
    default:
      throw new Error(`unknown event ${event}`);
  }
};

const readOne = (source: FileSource, place: string): unknown => {
  const [offset = 0, length = 0] = place.split('+').map(Number);
  const target = new Uint8Array(length).fill(0xaa);
  try {
    source.read(offset, target);
    return { bytes: Buffer.from(target).toString('base64') };
  } catch (fault) {
    return { error: isLoupeError(fault) ? fault.code : String(fault), message: String(fault) };
  }
};

for (const event of events.split(',')) {
  copyFileSync(`${path}.content`, path);
  const source = open();
  // Timestamps of files advance in ticks of a few milliseconds; a change within one tick cannot be told.
  await setTimeout(50);
  happen(event);
  process.stdout.write(`${JSON.stringify(reads.map((place) => readOne(source, place)))}\n`);
  source.close();
}
