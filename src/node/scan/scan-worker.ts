import { countAtLimits } from '../../core/audit/limit-counts.ts';
import { readBytes, readInto } from '../../core/bytes/checked-read.ts';
import type { Distribution } from '../../core/distribution/distribution.ts';
import type { DistributionKernel } from '../../core/distribution/kernels.ts';
import { distributionFromData, newDistribution } from '../../core/distribution/new-distribution.ts';
import { tensorDistribution } from '../../core/distribution/tensor-distribution.ts';
import { parseHeader } from '../../core/formats/safetensors/parse-header.ts';
import type { ScanPiece } from '../../core/scan/plan-scan.ts';
import { Tensor } from '../../core/tensor/tensor.ts';
import { TensorTable, type TensorTableData } from '../../core/tensor/tensor-table.ts';
import { CancelledError, isLoupeError } from '../../shared/errors.ts';
import type { FileSource } from '../sources/file-source.ts';
import { openSameSource } from '../sources/open-source.ts';
import { exportTensor } from '../writing/export-tensor.ts';
import { checkOne } from './check-archives.ts';
import { KernelPool } from './kernel-pool.ts';
import { findDeadLines, hashOfSource, hashOfTensor, locateNonFinite } from './one-tensor-work.ts';
import type {
  FileReference,
  PieceResult,
  ScannedTensor,
  TaskError,
  TaskMessage,
  TaskOutcome,
  WorkerTaskName,
  WorkerTasks,
} from './scan-tasks.ts';
import { TaskControl } from './task-control.ts';

/** This thread's kernels. */
const kernels = new KernelPool();

type Task<K extends WorkerTaskName> = WorkerTasks[K]['task'];
type Result<K extends WorkerTaskName> = WorkerTasks[K]['result'];

const taskError = (fault: unknown): TaskError =>
  isLoupeError(fault)
    ? { code: fault.code, message: fault.message, details: fault.details }
    : {
        code: 'internal',
        message: fault instanceof Error ? `${fault.message}\n${fault.stack ?? ''}` : String(fault),
        details: {},
      };

const withFile = async <R>(file: FileReference, use: (source: FileSource) => Promise<R>): Promise<R> => {
  const source = await openSameSource(file.path, file.identity);
  try {
    return await use(source);
  } finally {
    source.close();
  }
};

const stopIfCancelled = (control: TaskControl): void => {
  if (control.cancelled) {
    throw new CancelledError('the scan');
  }
};

const scanView = (
  source: FileSource,
  row: TensorTableData,
  control: TaskControl,
  kernel: DistributionKernel,
): Promise<Distribution> =>
  tensorDistribution(new Tensor(new TensorTable(row), 0, source), {
    kernel,
    onBytes: (bytes) => {
      stopIfCancelled(control);
      control.advance(bytes);
    },
  });

const scanPiece = async (
  source: FileSource,
  piece: ScanPiece,
  control: TaskControl,
  kernel: DistributionKernel,
): Promise<Distribution> => {
  if (piece.view !== undefined) {
    return scanView(source, piece.view, control, kernel);
  }
  const distribution = newDistribution(piece.dtype, { kernel });
  for (let done = 0; done < piece.bytes; ) {
    stopIfCancelled(control);
    const length = Math.min(kernel.window.byteLength, piece.bytes - done);
    // Out of the mapping straight into the kernel's memory.
    const bytes = kernel.window.subarray(0, length);
    await readInto(source, piece.begin + done, bytes);
    distribution.add(bytes);
    control.advance(length);
    done += length;
  }
  return distribution;
};

const summarised = (
  distribution: Distribution,
  tensorId: number,
  name: string,
  { bins, keep }: { readonly bins: number; readonly keep: boolean },
): ScannedTensor => {
  const stats = distribution.summarise(name, bins);
  return {
    kind: 'whole',
    tensorId,
    stats,
    boolOutOfRange: distribution.boolOutOfRange,
    atLimit: countAtLimits(distribution, stats),
    data: keep ? distribution.toData() : undefined,
  };
};

const scanPieces = async (
  source: FileSource,
  task: Task<'scan'>,
  kernel: DistributionKernel,
): Promise<Result<'scan'>> => {
  const control = new TaskControl(task.control);
  const results: PieceResult[] = [];
  for (const piece of task.pieces) {
    try {
      const distribution = await scanPiece(source, piece, control, kernel);
      results.push(
        piece.pieces === 1
          ? summarised(distribution, piece.tensorId, piece.name, task)
          : { kind: 'piece', tensorId: piece.tensorId, data: distribution.toData() },
      );
    } catch (fault) {
      if (fault instanceof CancelledError) {
        throw fault;
      }
      results.push({ kind: 'failed', tensorId: piece.tensorId, error: taskError(fault) });
    }
  }
  return results;
};

const scan = (task: Task<'scan'>): Promise<Result<'scan'>> =>
  withFile(task.file, (source) => kernels.lend((kernel) => scanPieces(source, task, kernel)));

const scanBytes = ({ piece, bytes }: Task<'scanBytes'>): Promise<Result<'scanBytes'>> =>
  kernels.lend(async (kernel) => {
    const distribution = newDistribution(piece.dtype, { kernel });
    distribution.add(bytes);
    return distribution.toData();
  });

const combine = async (task: Task<'combine'>): Promise<Result<'combine'>> => {
  const [first, ...others] = task.parts.map((part) => distributionFromData(part));
  if (first === undefined) {
    throw new RangeError('no parts to combine');
  }
  for (const other of others) {
    first.merge(other);
  }
  return summarised(first, task.tensorId, task.name, task);
};

const parse = async ({ from, frame }: Task<'parseHeader'>): Promise<Result<'parseHeader'>> =>
  from instanceof Uint8Array
    ? parseHeader(from, frame)
    : withFile(from.file, async (source) => parseHeader(await readBytes(source, from.offset, from.length), frame));

const check = async ({ file, which, share, control }: Task<'checkArchive'>): Promise<Result<'checkArchive'>> => {
  const shared = new TaskControl(control);
  return withFile(file, (source) => checkOne(source, { which, ...(share === undefined ? {} : { share }) }, shared));
};

const exportOne = async ({ file, job, control }: Task<'export'>): Promise<Result<'export'>> => {
  const shared = new TaskControl(control);
  return withFile(file, (source) =>
    exportTensor(source, job, {
      onBytes: (bytes) => shared.advance(bytes),
      isCancelled: () => shared.cancelled,
    }),
  );
};

const withTensor = <R>(
  { file, row, control }: Task<'hashTensor'>,
  work: (tensor: Tensor, control: TaskControl) => Promise<R>,
): Promise<R> =>
  withFile(file, (source) => work(new Tensor(new TensorTable(row), 0, source), new TaskControl(control)));

const HANDLERS: { readonly [K in WorkerTaskName]: (task: Task<K>) => Promise<Result<K>> } = {
  scan,
  scanBytes,
  combine,
  locate: (task) => withTensor(task, (tensor, control) => locateNonFinite(tensor, task.wanted, control)),
  deadLines: (task) => withTensor(task, findDeadLines),
  hashTensor: (task) => withTensor(task, hashOfTensor),
  hashFile: ({ file, control }) => withFile(file, (source) => hashOfSource(source, new TaskControl(control))),
  // Checking what is stored takes a library that no scan wants to load.
  loadScan: async ({ folder, key }) => (await import('../cache/cache-files.ts')).loadScan(folder, key),
  storeScan: async ({ folder, key, scan: found }) =>
    (await import('../cache/cache-files.ts')).storeScan(folder, key, found),
  parseHeader: parse,
  checkArchive: check,
  export: exportOne,
};

/** The worker's one entry: runs a task and answers with its result or its error. Never rejects. */
const runTask = async <K extends WorkerTaskName>({ name, task }: TaskMessage<K>): Promise<TaskOutcome<Result<K>>> => {
  try {
    return { ok: true, result: await HANDLERS[name](task) };
  } catch (fault) {
    return { ok: false, error: taskError(fault) };
  }
};

export default runTask;
