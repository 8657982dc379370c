import type { ScanEngine } from '../node/scan/scan-engine.ts';

/** Bytes under which starting threads costs more than the work. */
const WORTH_THREADS = 16 * 1024 * 1024;

/** An engine for so many bytes. Loads only the one that is needed: starting up is most of what a small command does. */
export const engineForCommand = async (bytes: number): Promise<ScanEngine> =>
  bytes < WORTH_THREADS
    ? (await import('../node/scan/inline-engine.ts')).inlineEngine()
    : (await import('../node/scan/scan-engine.ts')).createScanEngine({
        workerFile: new URL('../node/scan/scan-worker.js', import.meta.url),
      });
