import type { TensorStatsMessage } from '../../shared/api.ts';
import { batch } from './batch.ts';
import { storeStats } from './load-session.ts';
import type { SessionStore } from './session.ts';

/** Collects scan results per session, so that the window draws at most about ten times a second for them. */
export interface Batcher<T> {
  add(sessionId: number, items: readonly T[]): void;
  /** Hands over everything that waits. */
  flush(): void;
}

const DELAY_MS = 100;

/** Makes the collector of scan results. */
export const createBatchers = (
  sessionById: (sessionId: number) => SessionStore | undefined,
): Batcher<TensorStatsMessage> => {
  const bySession = new Map<number, ReturnType<typeof batch<TensorStatsMessage>>>();
  return {
    add: (sessionId, items) => {
      let collector = bySession.get(sessionId);
      if (collector === undefined) {
        collector = batch<TensorStatsMessage>(DELAY_MS, (results) => {
          const session = sessionById(sessionId);
          if (session === undefined) {
            bySession.delete(sessionId);
          } else {
            storeStats(session, results);
          }
        });
        bySession.set(sessionId, collector);
      }
      collector.add(items);
    },
    flush: () => {
      for (const collector of bySession.values()) {
        collector.flush();
      }
    },
  };
};
