import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { resultOf, type TaskOutcome, type WorkerTaskName, type WorkerTasks } from './scan-tasks.ts';

export interface EngineOptions {
  /** The compiled scan-worker module. */
  readonly workerFile: URL;
  /** Worker threads at the most; all of the machine's when left out. */
  readonly threads?: number;
}

/** Worker threads that decode, scan, parse and export. One for a process; its threads start when first needed. */
export interface ScanEngine {
  readonly threads: number;
  /**
   * Runs one task on a worker.
   *
   * @throws LoupeError with the code the task failed with; CancelledError.
   */
  run<K extends WorkerTaskName>(name: K, task: WorkerTasks[K]['task']): Promise<WorkerTasks[K]['result']>;
  /** Ends the threads; tasks under way are rejected. */
  destroy(): Promise<void>;
}

/** Idle threads end after this many milliseconds. */
const IDLE_MS = 30_000;

export const createScanEngine = ({ workerFile, threads = availableParallelism() }: EngineOptions): ScanEngine => {
  const pool = new Piscina({
    filename: fileURLToPath(workerFile),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
  });
  return {
    threads,
    run: async <K extends WorkerTaskName>(name: K, task: WorkerTasks[K]['task']) => {
      const outcome = (await pool.run({ name, task })) as TaskOutcome<WorkerTasks[K]['result']>;
      return resultOf(outcome);
    },
    destroy: () => pool.destroy(),
  };
};
