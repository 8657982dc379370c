import { dirname, join } from 'node:path';
import type { ModelConfig } from '../../core/audit/model-config.ts';
import { readBytes } from '../../core/bytes/checked-read.ts';
import { OpenFileError } from '../../core/errors.ts';
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

/** Reads the config.json in the folder of a file; never throws for what it may be. */
export const readConfigBeside = async (path: string): Promise<ConfigBeside> => {
  try {
    const source = await openSource(join(dirname(path), 'config.json'));
    try {
      if (source.size > LONGEST_CONFIG) {
        return { kind: 'unreadable', reason: `it has ${source.size} bytes; none that long is read` };
      }
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(source, 0, source.size));
      const value: unknown = JSON.parse(text);
      return isRecord(value) ? { kind: 'read', config: value } : { kind: 'unreadable', reason: 'it is no JSON object' };
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
