import { type DeadLines, deadLineFindings, mayHaveDeadLines } from '../../core/audit/dead-lines.ts';
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
import type { PathGuard } from '../model/path-guard.ts';
import { forEachBounded } from '../scan/for-each-bounded.ts';
import { findDeadLines, hashOfTensor } from '../scan/one-tensor-work.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import { fileReference } from '../scan/scan-tensors.ts';
import { TaskControl } from '../scan/task-control.ts';
import { readConfigBeside } from './read-config.ts';

/** What looking at a few tensors again found, by tensor id. */
export interface SecondLook {
  /** SHA-256 of tensors with equal statistics. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly deadLines: ReadonlyMap<number, DeadLines>;
}

/** What judging all tensors together found. */
export interface FollowUp {
  readonly findings: readonly Finding[];
  readonly looked: SecondLook;
  /** Everything could be looked at that was to be. */
  readonly whole: boolean;
}

/** A scan whose results are to be judged together. */
export interface FollowUpRequest {
  readonly checkpoint: Checkpoint;
  /** By tensor id; of tensors that could not be scanned there are none. */
  readonly facts: ReadonlyMap<number, TensorFacts>;
  readonly signal?: AbortSignal | undefined;
  /** Judges files beside the model before they are opened. */
  readonly guard?: PathGuard | undefined;
  /** What an earlier second look at the same files found: those tensors are not looked at again. */
  readonly looked?: SecondLook | undefined;
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

interface Looked<T> {
  readonly findings: Finding[];
  readonly found: ReadonlyMap<number, T>;
  readonly failed: Finding[];
}

const deadLines = async (engine: ScanEngine, request: FollowUpRequest): Promise<Looked<DeadLines>> => {
  const { table } = request.checkpoint;
  const shapeOf = (id: number): number[] => table.shape(id).map(Number);
  const candidates = [...request.facts.values()].filter((facts) => mayHaveDeadLines(facts, shapeOf(facts.tensorId)));
  const found = new Map(request.looked?.deadLines);
  const ids = candidates.map(({ tensorId }) => tensorId).sort((a, b) => a - b);
  const unknown = ids.filter((id) => !found.has(id));
  const failed = await onEach(engine, request, unknown, async (id, control) => {
    found.set(id, await onTensor(engine, request, id, control).deadLines());
  });
  const findings = ids.flatMap((id) => {
    const facts = request.facts.get(id);
    const lines = found.get(id);
    return facts === undefined || lines === undefined
      ? []
      : deadLineFindings(facts, lines, shapeOf(id), table.row(id).file);
  });
  return { findings, found, failed };
};

const identical = async (engine: ScanEngine, request: FollowUpRequest): Promise<Looked<string>> => {
  const { table } = request.checkpoint;
  const candidates = identicalCandidates(table, request.facts.values());
  const found = new Map(request.looked?.hashes);
  const unknown = candidates.flat().filter((id) => !found.has(id));
  const failed = await onEach(engine, request, unknown, async (id, control) => {
    found.set(id, await onTensor(engine, request, id, control).hash());
  });
  return { findings: identicalFindings(table, candidates, (id) => found.get(id)), found, failed };
};

const config = async ({ checkpoint, guard }: FollowUpRequest): Promise<Finding[]> => {
  const { table, findings, summary } = checkpoint;
  const [first] = summary.files;
  const isPart = table.data.files.length === 1 && numberedShard(table.data.files[0] ?? '') !== undefined;
  const isWhole = !isPart && !findings.some(({ code }) => code === 'shard-missing');
  const source = checkpoint.sources[0];
  if (first === undefined || source === undefined || fileReference(source) === undefined || !isWhole) {
    return [];
  }
  const beside = await readConfigBeside(first.path, guard);
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
export const auditFollowUp = async (engine: ScanEngine, request: FollowUpRequest): Promise<FollowUp> => {
  const group = groupFindings(request.checkpoint.table, request.facts);
  const lines = await deadLines(engine, request);
  const same = await identical(engine, request);
  const failed = [...lines.failed, ...same.failed];
  return {
    findings: [...group, ...lines.findings, ...same.findings, ...failed, ...(await config(request))],
    looked: { hashes: same.found, deadLines: lines.found },
    whole: failed.length === 0,
  };
};
