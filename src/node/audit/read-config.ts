import { dirname, join } from 'node:path';
import type { ModelConfig } from '../../core/audit/model-config.ts';
import { readBytes } from '../../core/bytes/checked-read.ts';
import { OpenFileError } from '../../core/errors.ts';
import { anyPath, type PathGuard } from '../model/path-guard.ts';
import { openSource } from '../sources/open-source.ts';

/** What lies beside a model as its config.json: read, not there, or not to be read and why. */
export type ConfigBeside =
  | { readonly kind: 'read'; readonly config: ModelConfig }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Longest config.json read, in bytes; real ones have some thousands. */
const LONGEST_CONFIG = 1_000_000;

const isRecord = (value: unknown): value is ModelConfig =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands in a text; nothing of it is repeated in the reason, for the file may be a link to somebody's secrets. */
const parse = (bytes: Uint8Array): ConfigBeside => {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { kind: 'unreadable', reason: 'it is not JSON' };
  }
  return isRecord(value) ? { kind: 'read', config: value } : { kind: 'unreadable', reason: 'it is no JSON object' };
};

/**
 * Reads the config.json in the folder of a file; never throws for what it may be.
 *
 * @param guard judges it before it is opened: one that may not be is as good as absent
 */
export const readConfigBeside = async (path: string, guard: PathGuard = anyPath): Promise<ConfigBeside> => {
  const beside = join(dirname(path), 'config.json');
  try {
    await guard(beside);
  } catch {
    return { kind: 'absent' };
  }
  try {
    const source = await openSource(beside);
    try {
      if (source.size > LONGEST_CONFIG) {
        return { kind: 'unreadable', reason: `it has ${source.size} bytes; none that long is read` };
      }
      return parse(await readBytes(source, 0, source.size));
    } finally {
      source.close();
    }
  } catch (fault) {
    if (fault instanceof OpenFileError && fault.code === 'not-found') {
      return { kind: 'absent' };
    }
    return { kind: 'unreadable', reason: fault instanceof Error ? fault.message : String(fault) };
  }
};
