import { oneRow } from '../../core/tensor/tensor-table.ts';
import { type EncodeOptions, encodeTensor } from '../../core/writing/encode-tensor.ts';
import type { InspectorPeer, Params } from '../../shared/api.ts';
import type { WrittenFile } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import { TaskControl } from '../scan/task-control.ts';
import { exportTensor } from '../writing/export-tensor.ts';
import type { Session } from './session.ts';

/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 100;

/** What a window asked for, as the encoder takes it. */
export const encodeOptions = ({
  format,
  dtype,
  slice,
}: Pick<Params<'prepareDownload'>, 'format' | 'dtype' | 'slice'>): EncodeOptions => ({ format, dtype, slice });

/**
 * Exports one tensor of a session, on a worker where it can open the file itself, telling the window of progress.
 *
 * @throws as {@link exportTensor}.
 */
export const exportSessionTensor = async (
  engine: ScanEngine,
  session: Session,
  peer: InspectorPeer,
  params: Params<'exportTensor'>,
  signal: AbortSignal,
): Promise<WrittenFile> => {
  const { sessionId, tensorId, path, overwrite = false } = params;
  const { table, sources } = session.checkpoint;
  const tensor = session.checkpoint.tensor(tensorId);
  const options = encodeOptions(params);
  const bytesTotal = encodeTensor(tensor, options).bytes ?? tensor.row.bytes ?? 0;
  const job = { row: oneRow(table, tensorId), options, path, overwrite };
  const control = new TaskControl();
  const cancel = (): void => control.cancel();
  if (signal.aborted) {
    cancel();
  }
  signal.addEventListener('abort', cancel, { once: true });
  const tell = (): void =>
    peer.emit('exportProgress', { sessionId, tensorId, bytesDone: control.bytesDone, bytesTotal });
  const timer = setInterval(tell, PROGRESS_MS);
  try {
    const file = session.fileOf(tensorId);
    if (file !== undefined) {
      return await engine.run('export', { file, job, control: control.memory });
    }
    const source = sources[table.data.fileOf[tensorId] ?? sources.length];
    if (source === undefined) {
      throw new LoupeError('internal', 'the tensor has no source');
    }
    return await exportTensor(source, job, {
      onBytes: (bytes) => control.advance(bytes),
      isCancelled: () => control.cancelled,
    });
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', cancel);
    tell();
  }
};
