import { deadLineFindings, mayHaveDeadLines } from '../../core/audit/dead-lines.ts';
import { groupFindings } from '../../core/audit/group-findings.ts';
import { identicalCandidates, identicalFindings } from '../../core/audit/identical.ts';
import { configFindings } from '../../core/audit/model-config.ts';
import type { TensorFacts } from '../../core/audit/tensor-facts.ts';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { numberedShard } from '../../core/formats/shards/shard-names.ts';
import { quoteName } from '../../core/quote-name.ts';
import { Tensor } from '../../core/tensor/tensor.ts';
import { oneRow } from '../../core/tensor/tensor-table.ts';
import { isLoupeError, throwIfAborted } from '../../shared/errors.ts';
import { type Finding, finding } from '../../shared/findings.ts';
import { forEachBounded } from '../scan/for-each-bounded.ts';
import { findDeadLines, hashOfTensor } from '../scan/one-tensor-work.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import { fileReference } from '../scan/scan-tensors.ts';
import { TaskControl } from '../scan/task-control.ts';
import { readConfigBeside } from './read-config.ts';

/** A scan whose results are to be judged together. */
export interface FollowUpRequest {
  readonly checkpoint: Checkpoint;
  /** By tensor id; of tensors that could not be scanned there are none. */
  readonly facts: ReadonlyMap<number, TensorFacts>;
  readonly signal?: AbortSignal | undefined;
}

/** Work on one tensor, on a worker that can open its file, or else here. */
const onTensor = (
  engine: ScanEngine,
  { checkpoint: { table, sources } }: FollowUpRequest,
  id: number,
  control: TaskControl,
) => {
  const source = sources[table.data.fileOf[id] ?? 0];
  if (source === undefined) {
    throw new RangeError('a tensor of a file that is not open');
  }
  const file = fileReference(source);
  const task = file === undefined ? undefined : { file, row: oneRow(table, id), control: control.memory };
  return {
    deadLines: () =>
      task === undefined ? findDeadLines(new Tensor(table, id, source), control) : engine.run('deadLines', task),
    hash: () =>
      task === undefined ? hashOfTensor(new Tensor(table, id, source), control) : engine.run('hashTensor', task),
  };
};

/** Runs work on tensors; what fails becomes a finding. @throws CancelledError */
const onEach = async (
  engine: ScanEngine,
  request: FollowUpRequest,
  ids: readonly number[],
  work: (id: number, control: TaskControl) => Promise<void>,
): Promise<Finding[]> => {
  const { signal, checkpoint } = request;
  const failed: Finding[] = [];
  const control = new TaskControl();
  const onAbort = (): void => control.cancel();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    await forEachBounded(ids, engine.threads, async (id) => {
      throwIfAborted(signal, 'the scan');
      try {
        await work(id, control);
      } catch (fault) {
        throwIfAborted(signal, 'the scan');
        const { file, name } = checkpoint.table.row(id);
        const code = isLoupeError(fault) && fault.code === 'file-changed' ? 'file-changed' : 'not-scanned';
        const reason = fault instanceof Error ? fault.message : String(fault);
        failed.push(
          finding(code, `tensor ${quoteName(name)} was not looked at again: ${reason}`, {
            file,
            tensor: name,
            tensorId: id,
          }),
        );
      }
    });
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
  return failed;
};

const deadLines = async (engine: ScanEngine, request: FollowUpRequest): Promise<Finding[]> => {
  const { table } = request.checkpoint;
  const shapeOf = (id: number): number[] => table.shape(id).map(Number);
  const candidates = [...request.facts.values()].filter((facts) => mayHaveDeadLines(facts, shapeOf(facts.tensorId)));
  const found = new Map<number, Finding[]>();
  const ids = candidates.map(({ tensorId }) => tensorId).sort((a, b) => a - b);
  const failed = await onEach(engine, request, ids, async (id, control) => {
    const facts = request.facts.get(id);
    if (facts !== undefined) {
      const lines = await onTensor(engine, request, id, control).deadLines();
      found.set(id, deadLineFindings(facts, lines, shapeOf(id), table.row(id).file));
    }
  });
  return [...ids.flatMap((id) => found.get(id) ?? []), ...failed];
};

const identical = async (engine: ScanEngine, request: FollowUpRequest): Promise<Finding[]> => {
  const { table } = request.checkpoint;
  const candidates = identicalCandidates(table, request.facts.values());
  const hashes = new Map<number, string>();
  const failed = await onEach(engine, request, candidates.flat(), async (id, control) => {
    hashes.set(id, await onTensor(engine, request, id, control).hash());
  });
  return [...identicalFindings(table, candidates, (id) => hashes.get(id)), ...failed];
};

const config = async ({ checkpoint }: FollowUpRequest): Promise<Finding[]> => {
  const { table, findings, summary } = checkpoint;
  const [first] = summary.files;
  const isPart = table.data.files.length === 1 && numberedShard(table.data.files[0] ?? '') !== undefined;
  const isWhole = !isPart && !findings.some(({ code }) => code === 'shard-missing');
  const source = checkpoint.sources[0];
  if (first === undefined || source === undefined || fileReference(source) === undefined || !isWhole) {
    return [];
  }
  const beside = await readConfigBeside(first.path);
  const file = table.data.files[0] ?? '';
  switch (beside.kind) {
    case 'absent':
      return [];
    case 'unreadable':
      return [finding('config-unreadable', `the config.json beside it was not read: ${beside.reason}`, { file })];
    case 'read':
      return configFindings(beside.config, table, file);
  }
};

/**
 * Judges all tensors together once they are scanned: what their statistics give away, and what takes a second look at a few
 * of them, the rows and columns of matrices with many zeros and the contents of tensors with equal statistics.
 *
 * @throws CancelledError
 */
export const auditFollowUp = async (engine: ScanEngine, request: FollowUpRequest): Promise<Finding[]> => [
  ...groupFindings(request.checkpoint.table, request.facts),
  ...(await deadLines(engine, request)),
  ...(await identical(engine, request)),
  ...(await config(request)),
];
