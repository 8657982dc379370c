import type { InspectorPeer, ScanOutcome, TensorStatsMessage } from '../../shared/api.ts';
import { checkArchives, uncheckedBytes } from '../scan/check-archives.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import { scanTensors } from '../scan/scan-tensors.ts';
import type { InspectorServiceOptions } from './service-types.ts';
import type { Session } from './session.ts';

/** Milliseconds that results are collected before they are sent together. */
const BATCH_MS = 100;
/** Bins of the histogram in every summary. */
export const DEFAULT_BINS = 128;

/** Bytes of all readable rows: what a whole scan reads. */
const scanBytes = (session: Session, ids: readonly number[]): number =>
  ids.reduce((sum, id) => {
    const [begin, end] = session.checkpoint.table.range(id) ?? [0, 0];
    return sum + end - begin;
  }, 0);

/**
 * Scans every tensor of a session that has not been scanned, and reads archive members through once, telling the window of
 * progress and results as they come.
 *
 * @throws CancelledError; what is done by then is kept.
 */
export const scanSession = async (
  engine: ScanEngine,
  session: Session,
  peer: InspectorPeer,
  signal: AbortSignal,
  { cache, guard }: Pick<InspectorServiceOptions, 'cache' | 'guard'> = {},
): Promise<ScanOutcome> => {
  const wasScanned = session.unscanned();
  const recalled = wasScanned.length === 0 ? undefined : await cache?.recall(session.checkpoint);
  const foundEarlier = recalled !== undefined && session.recall(recalled);
  const ids = session.unscanned();
  const tensorBytes = scanBytes(session, ids);
  const memberBytes = session.membersChecked ? 0 : uncheckedBytes(session.checkpoint, 'all');
  const bytesTotal = tensorBytes + memberBytes;
  const started = performance.now();
  const left = new Set(ids);
  const known = wasScanned.filter((id) => !left.has(id));
  let batch: TensorStatsMessage[] = known.flatMap((tensorId) => {
    const stats = session.stats(tensorId);
    return stats === undefined ? [] : [{ tensorId, stats }];
  });
  let scanned = known.length;
  let skipped = session.checkpoint.table.length - wasScanned.length;
  let foundMore = foundEarlier;
  let changed: string | undefined;
  let bytesDone = 0;

  const flush = (): void => {
    if (batch.length > 0) {
      peer.emit('tensorStats', { sessionId: session.id, results: batch });
      batch = [];
    }
    if (foundMore) {
      peer.emit('findingsChanged', session.findingsEvent());
      foundMore = false;
    }
    const seconds = Math.max((performance.now() - started) / 1000, 1e-3);
    peer.emit('scanProgress', {
      sessionId: session.id,
      bytesDone,
      bytesTotal,
      bytesPerSecond: bytesDone / seconds,
      tensorsDone: scanned,
      tensorsTotal: wasScanned.length,
    });
  };

  const timer = setInterval(flush, BATCH_MS);
  try {
    await scanTensors(engine, {
      table: session.checkpoint.table,
      ids,
      sources: session.checkpoint.sources,
      bins: DEFAULT_BINS,
      keep: false,
      signal,
      onTensor: (tensor) => {
        scanned += 1;
        foundMore = session.keep(tensor) || foundMore;
        batch.push({ tensorId: tensor.tensorId, stats: tensor.stats });
      },
      onFailed: (_tensorId, error) => {
        skipped += 1;
        if (error.code === 'file-changed') {
          changed ??= error.message;
        }
      },
      onProgress: (bytes) => {
        bytesDone = bytes;
      },
    });
    if (memberBytes > 0) {
      const onProgress = (bytes: number): void => {
        bytesDone = tensorBytes + bytes;
      };
      const { checkpoint } = session;
      const found = await checkArchives(engine, { checkpoint, which: 'all', signal, onProgress });
      foundMore = session.keepChecked(found) || foundMore;
    }
    if (changed === undefined) {
      foundMore = (await session.audit(engine, signal, guard)) || foundMore;
    }
    const whole = recalled === undefined ? session.wholeScan : undefined;
    if (whole !== undefined) {
      await cache?.store(session.checkpoint, session.openedAt, whole);
    }
    return { scanned, skipped };
  } finally {
    clearInterval(timer);
    if (changed !== undefined && session.noteChanged(changed)) {
      foundMore = true;
    }
    flush();
  }
};
