import type { FirstNonFinite } from '../../core/audit/non-finite.ts';
import type { ByteSource } from '../../core/bytes/byte-source.ts';
import { readBytes } from '../../core/bytes/checked-read.ts';
import type { DistributionData } from '../../core/distribution/distribution.ts';
import { tensorDistribution } from '../../core/distribution/tensor-distribution.ts';
import { planScan, type ScanPiece, type ScanTask } from '../../core/scan/plan-scan.ts';
import { Tensor } from '../../core/tensor/tensor.ts';
import { oneRow, type TensorTable } from '../../core/tensor/tensor-table.ts';
import { throwIfAborted } from '../../shared/errors.ts';
import type { FileSource } from '../sources/file-source.ts';
import { forEachBounded } from './for-each-bounded.ts';
import { locateNonFinite } from './one-tensor-work.ts';
import type { ScanEngine } from './scan-engine.ts';
import type { FileReference, PieceResult, ScannedTensor, TaskError } from './scan-tasks.ts';
import { TaskControl } from './task-control.ts';

/** What to scan and whom to tell. */
export interface ScanRequest {
  readonly table: TensorTable;
  /** Rows whose values can be decoded. */
  readonly ids: readonly number[];
  /** By the table's file index. */
  readonly sources: readonly ByteSource[];
  readonly bins: number;
  /** Return the distributions too: for few tensors only. */
  readonly keep: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Called as tensors are done, in no particular order. */
  readonly onTensor: (tensor: ScannedTensor) => void;
  /** A tensor that could not be scanned. */
  readonly onFailed: (tensorId: number, error: TaskError) => void;
  /** Bytes done so far, whenever it is worth telling. */
  readonly onProgress?: (bytesDone: number) => void;
}

interface LocateWanted {
  readonly nan: boolean;
  readonly infinity: boolean;
}

/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 100;

const isFile = (source: ByteSource): source is FileSource => 'identity' in source && 'path' in source;

/** How a worker opens the source again; undefined for one that only this thread can read. */
export const fileReference = (source: ByteSource): FileReference | undefined =>
  isFile(source) ? { path: source.path, identity: source.identity } : undefined;

/** Parts of tensors that were cut into pieces, until all of a tensor's are there. */
class Parts {
  readonly #parts = new Map<number, DistributionData[]>();
  readonly #failed = new Set<number>();

  /** Adds a part; returns all of them once they are complete. */
  add(piece: ScanPiece, data: DistributionData): readonly DistributionData[] | undefined {
    if (this.#failed.has(piece.tensorId)) {
      return undefined;
    }
    const parts = this.#parts.get(piece.tensorId) ?? [];
    parts.push(data);
    this.#parts.set(piece.tensorId, parts);
    if (parts.length < piece.pieces) {
      return undefined;
    }
    this.#parts.delete(piece.tensorId);
    return parts;
  }

  /** Gives the tensor up; true the first time. */
  fail(tensorId: number): boolean {
    const first = !this.#failed.has(tensorId);
    this.#failed.add(tensorId);
    this.#parts.delete(tensorId);
    return first;
  }
}

class Scan {
  readonly #engine: ScanEngine;
  readonly #request: ScanRequest;
  readonly #control: TaskControl;
  readonly #parts = new Parts();

  constructor(engine: ScanEngine, request: ScanRequest, control: TaskControl) {
    this.#engine = engine;
    this.#request = request;
    this.#control = control;
  }

  async runTask(task: ScanTask): Promise<void> {
    throwIfAborted(this.#request.signal, 'the scan');
    const source = this.#request.sources[task.pieces[0]?.file ?? 0];
    if (source === undefined) {
      throw new RangeError('a piece of a file that is not open');
    }
    const file = fileReference(source);
    if (file === undefined) {
      for (const piece of task.pieces) {
        await this.#pull(source, piece);
      }
      return;
    }
    const { bins, keep } = this.#request;
    const { pieces } = task;
    try {
      const results = await this.#engine.run('scan', { file, pieces, bins, keep, control: this.#control.memory });
      await Promise.all(results.map((result, index) => this.#take(pieces[index], result)));
    } catch (fault) {
      throwIfAborted(this.#request.signal, 'the scan');
      // A worker that died or a file that went away costs its pieces, not the scan.
      for (const { tensorId } of pieces) {
        this.#fail(tensorId, asTaskError(fault));
      }
    }
  }

  /** Scans a piece of a source that no worker can open: the bytes are read here and counted there. */
  async #pull(source: ByteSource, piece: ScanPiece): Promise<void> {
    try {
      const data =
        piece.view === undefined
          ? await this.#engine.run('scanBytes', { piece, bytes: await readBytes(source, piece.begin, piece.bytes) })
          : (await tensorDistribution(new Tensor(this.#request.table, piece.tensorId, source))).toData();
      this.#control.advance(piece.bytes);
      await this.#add(piece, data);
    } catch (fault) {
      throwIfAborted(this.#request.signal, 'the scan');
      this.#fail(piece.tensorId, asTaskError(fault));
    }
  }

  async #take(piece: ScanPiece | undefined, result: PieceResult): Promise<void> {
    if (result.kind === 'failed') {
      this.#fail(result.tensorId, result.error);
    } else if (result.kind === 'whole') {
      await this.#deliver(result);
    } else if (piece !== undefined) {
      await this.#add(piece, result.data);
    }
  }

  async #add(piece: ScanPiece, data: DistributionData): Promise<void> {
    const parts = this.#parts.add(piece, data);
    if (parts === undefined) {
      return;
    }
    const { tensorId, name } = piece;
    const { bins, keep } = this.#request;
    await this.#deliver(await this.#engine.run('combine', { tensorId, name, parts, bins, keep }));
  }

  /** Hands a tensor's result on; where it has NaN or infinities, with the places of the first ones. */
  async #deliver(scanned: ScannedTensor): Promise<void> {
    const { nan, posInf, negInf } = scanned.stats;
    const wanted = { nan: nan > 0, infinity: posInf + negInf > 0 };
    if (!wanted.nan && !wanted.infinity) {
      this.#request.onTensor(scanned);
      return;
    }
    this.#request.onTensor({ ...scanned, first: await this.#locate(scanned.tensorId, wanted) });
  }

  async #locate(tensorId: number, wanted: LocateWanted): Promise<FirstNonFinite | undefined> {
    const { table, sources, signal } = this.#request;
    const source = sources[table.data.fileOf[tensorId] ?? 0];
    const file = source === undefined ? undefined : fileReference(source);
    try {
      if (file !== undefined) {
        const row = oneRow(table, tensorId);
        return await this.#engine.run('locate', { file, row, wanted, control: this.#control.memory });
      }
      return source === undefined
        ? undefined
        : await locateNonFinite(new Tensor(table, tensorId, source), wanted, this.#control);
    } catch {
      // The counts stand; only where the first one is stays unsaid.
      throwIfAborted(signal, 'the scan');
      return undefined;
    }
  }

  #fail(tensorId: number, error: TaskError): void {
    if (this.#parts.fail(tensorId)) {
      this.#request.onFailed(tensorId, error);
    }
  }
}

const asTaskError = (fault: unknown): TaskError => ({
  code: fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : 'internal',
  message: fault instanceof Error ? fault.message : String(fault),
  details: {},
});

/**
 * Scans tensors on the engine's workers. Each local file is mapped by the workers themselves; other sources are read here
 * piece by piece. Memory is bounded by the pieces under way.
 *
 * @throws CancelledError when the signal aborts; workers stop within one window (about a millisecond).
 */
export const scanTensors = async (engine: ScanEngine, request: ScanRequest): Promise<void> => {
  const { signal, onProgress } = request;
  throwIfAborted(signal, 'the scan');
  const control = new TaskControl();
  const scan = new Scan(engine, request, control);
  const onAbort = (): void => control.cancel();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = onProgress === undefined ? undefined : setInterval(() => onProgress(control.bytesDone), PROGRESS_MS);
  try {
    // Two tasks a thread, so that none waits for this thread to hand out the next.
    await forEachBounded(planScan(request.table, request.ids), engine.threads * 2, (task) => scan.runTask(task));
    throwIfAborted(signal, 'the scan');
    onProgress?.(control.bytesDone);
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
  }
};
