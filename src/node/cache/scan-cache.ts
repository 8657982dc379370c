import { homedir } from 'node:os';
import { join } from 'node:path';
import { env, platform } from 'node:process';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { componentsOf } from '../../core/dtypes/dtype-table.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import { RecentlyUsed } from '../service/recently-used.ts';
import type { CachedScan } from './cached-scan.ts';
import { filesKey } from './file-key.ts';

/** Scans kept in memory. */
const IN_MEMORY = 8;
/** Tensors of a scan that is worth keeping: more would hold up the thread that takes them in. */
const MOST_TENSORS = 30_000;
/**
 * Milliseconds that a file must not have changed for before it is opened: a change in the same tick of the file system's
 * clock as an earlier one would not show (FAT counts in 2 seconds).
 */
const SETTLED_MS = 4000;

/** The folder for things that can be made again, by the customs of the system; `LOUPE_SETTINGS_DIR` overrides it. */
export const cacheFolder = (): string => {
  if (env.LOUPE_SETTINGS_DIR) {
    return join(env.LOUPE_SETTINGS_DIR, 'scans');
  }
  switch (platform) {
    case 'win32':
      return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'tensor-loupe', 'Cache', 'scans');
    case 'darwin':
      return join(homedir(), 'Library', 'Caches', 'tensor-loupe', 'scans');
    default:
      return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tensor-loupe', 'scans');
  }
};

/** Whether a scan is one of this checkpoint: a fact for every tensor that can be scanned, with as many numbers. */
const fits = ({ table }: Checkpoint, { facts }: CachedScan): boolean => {
  let readable = 0;
  for (let id = 0; id < table.length; id += 1) {
    readable += table.problem(id) === undefined ? 1 : 0;
  }
  return (
    facts.length === readable &&
    new Set(facts.map(({ tensorId }) => tensorId)).size === readable &&
    facts.every(({ tensorId, stats }) => {
      const count = table.count(tensorId);
      return (
        table.problem(tensorId) === undefined &&
        count !== undefined &&
        (stats.dtype === table.dtype(tensorId) || table.strided(tensorId)?.quantised !== undefined) &&
        stats.count === Number(count) * componentsOf(stats.dtype)
      );
    })
  );
};

/**
 * What scans found, so that opening the same files again is instant: in memory and in a folder, under the identity of every
 * file. Nothing is given back for a file that changed in any way that its system tells, and nothing stored is trusted.
 * Failing to read or write it is no error: the file is scanned.
 */
export class ScanCache {
  readonly #engine: ScanEngine;
  readonly #folder: string;
  readonly #memory = new RecentlyUsed<string, CachedScan>(IN_MEMORY);

  constructor(engine: ScanEngine, folder: string = cacheFolder()) {
    this.#engine = engine;
    this.#folder = folder;
  }

  /** What an earlier scan found in these files, as they are now. */
  async recall(checkpoint: Checkpoint): Promise<CachedScan | undefined> {
    const key = checkpoint.table.length > MOST_TENSORS ? undefined : await filesKey(checkpoint);
    if (key === undefined) {
      return undefined;
    }
    const scan = this.#memory.get(key.text) ?? (await this.#load(key.text));
    if (scan === undefined || !fits(checkpoint, scan)) {
      return undefined;
    }
    this.#memory.set(key.text, scan);
    const { table } = checkpoint;
    // Names are the file's, not the cache's.
    const facts = scan.facts.map((fact) => ({ ...fact, stats: { ...fact.stats, name: table.name(fact.tensorId) } }));
    return { ...scan, facts };
  }

  /**
   * Keeps a whole scan, unless the files changed meanwhile, or so shortly before they were opened that another change might
   * not show.
   *
   * @param opened when they were, in milliseconds since 1970
   */
  async store(checkpoint: Checkpoint, opened: number, scan: CachedScan): Promise<void> {
    const key = checkpoint.table.length > MOST_TENSORS ? undefined : await filesKey(checkpoint);
    if (key === undefined || key.modified > opened - SETTLED_MS || !fits(checkpoint, scan)) {
      return;
    }
    this.#memory.set(key.text, scan);
    try {
      await this.#engine.run('storeScan', { folder: this.#folder, key: key.text, scan });
    } catch {
      // A folder that cannot be written: it is kept in memory.
    }
  }

  async #load(key: string): Promise<CachedScan | undefined> {
    try {
      return await this.#engine.run('loadScan', { folder: this.#folder, key });
    } catch {
      // The engine is being closed, or its worker died.
      return undefined;
    }
  }
}
