import { resolve } from 'node:path';
import { readBytes } from '../core/bytes/checked-read.ts';
import { type Checkpoint, inspectSource } from '../core/checkpoint.ts';
import type { ReadOptions } from '../core/formats/read-options.ts';
import { parseHeader } from '../core/formats/safetensors/parse-header.ts';
import { modelFiles } from './model/model-files.ts';
import { inspectShards } from './model/open-shards.ts';
import { anyPath, type PathGuard } from './model/path-guard.ts';
import type { ScanEngine } from './scan/scan-engine.ts';
import { fileReference } from './scan/scan-tensors.ts';
import { openSource } from './sources/open-source.ts';

/** Headers longer than this, in bytes, are parsed by a worker, so that the calling thread never stalls. */
const LONGEST_HERE = 1_000_000;

/** Read options that parse long headers on the engine's workers. */
export const parsingOn = (engine: ScanEngine, options: ReadOptions = {}): ReadOptions => ({
  ...options,
  parseElsewhere: async (source, offset, length, frame) => {
    if (length <= LONGEST_HERE) {
      return parseHeader(await readBytes(source, offset, length), frame);
    }
    const file = fileReference(source);
    const from = file === undefined ? await readBytes(source, offset, length) : { file, offset, length };
    return engine.run('parseHeader', { from, frame });
  },
});

/**
 * Opens a path leniently (see {@link inspectSource}): a file, a shard index, a shard of a set, or a folder.
 *
 * @param guard Judges every file before it is opened; a shard it refuses is a finding like one that cannot be read.
 * @throws OpenFileError, and what the guard throws.
 */
export const inspectPath = async (
  path: string,
  options: ReadOptions = {},
  guard: PathGuard = anyPath,
): Promise<Checkpoint> => {
  const files = await modelFiles(resolve(path));
  if (files.kind !== 'file') {
    return inspectShards(files, options, guard);
  }
  await guard(files.path);
  return inspectSource(await openSource(files.path), options, files.path);
};
