import type { ScanEngine } from './scan-engine.ts';
import { resultOf, type WorkerTaskName, type WorkerTasks } from './scan-tasks.ts';
import runTask from './scan-worker.ts';

/**
 * An engine without threads: tasks run where they are called. For small files, where starting a thread costs more than
 * the work, and for tests.
 */
export const inlineEngine = (): ScanEngine => ({
  threads: 1,
  run: async <K extends WorkerTaskName>(name: K, task: WorkerTasks[K]['task']) =>
    resultOf(await runTask({ name, task })),
  destroy: async () => undefined,
});
