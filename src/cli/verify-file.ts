import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TensorFacts } from '../core/audit/tensor-facts.ts';
import type { Checkpoint } from '../core/checkpoint.ts';
import { quoteName } from '../core/quote-name.ts';
import { FolderFold, type FolderStats } from '../core/scan/folder-fold.ts';
import { folderOrder, folderTree } from '../core/scan/folder-tree.ts';
import { valueFindings } from '../core/scan/value-findings.ts';
import type { CheckedFile } from '../node/audit/checksums.ts';
import { inspectPath } from '../node/open-checkpoint.ts';
import type { TaskError } from '../node/scan/scan-tasks.ts';
import { LoupeError } from '../shared/errors.ts';
import { finding } from '../shared/findings.ts';
import { checkForCommand } from './check-for-command.ts';
import { engineForCommand } from './engine-for-command.ts';
import { scanForCommand } from './scan-for-command.ts';

/** How thoroughly a file is verified. */
export interface VerifyOptions {
  /** The SHA-256 the file should have: digits, or the path of a file that holds them. */
  readonly sha256?: string | undefined;
  /** Compare with checksums beside the files: `required` reports files without one. */
  readonly checksums?: 'if-there' | 'required' | undefined;
  /** Bins of the histograms when the numbers are scanned; they are not when this is left out. */
  readonly valueBins?: number | undefined;
  /** Sum up folders too, when the numbers are scanned. */
  readonly folders?: boolean | undefined;
}

/** A verified checkpoint, still open, with what was computed of it. */
export interface VerifiedFile {
  readonly checkpoint: Checkpoint;
  /** By tensor id; empty unless values were scanned. */
  readonly facts: ReadonlyMap<number, TensorFacts>;
  /** Of all folders, in no particular order; empty unless they were asked for. */
  readonly folders: readonly FolderStats[];
  readonly hashes: readonly CheckedFile[];
}

const sizeOf = (checkpoint: Checkpoint): number => checkpoint.sources.reduce((sum, { size }) => sum + size, 0);

/** @throws LoupeError `usage` when the path is no single file, or the SHA-256 is none */
const checkGiven = async (path: string, given: string): Promise<CheckedFile> => {
  const whole = resolve(path);
  const found = await stat(whole);
  if (!found.isFile()) {
    throw new LoupeError('usage', `--sha256 is that of one file, and ${path} is none`);
  }
  const { checkFile, checksumGiven } = await import('../node/audit/checksums.ts');
  const expected = await checksumGiven(given, whole);
  const engine = await engineForCommand(found.size);
  try {
    return await checkFile(engine, whole, expected);
  } finally {
    await engine.destroy();
  }
};

const checkBeside = async (checkpoint: Checkpoint, required: boolean): Promise<CheckedFile[]> => {
  const { checkFile, checksumBeside } = await import('../node/audit/checksums.ts');
  const checked: CheckedFile[] = [];
  const engine = await engineForCommand(sizeOf(checkpoint));
  try {
    for (const { path } of checkpoint.summary.files) {
      const expected = await checksumBeside(path);
      if (expected !== undefined) {
        checked.push(await checkFile(engine, path, expected));
      } else if (required) {
        const file = path.split(/[\\/]/).at(-1) ?? path;
        const message = 'there is no SHA-256 beside it to compare with (NAME.sha256, SHA256SUMS or a hub’s record)';
        checkpoint.content.findings.add(finding('checksum-not-found', message, { file }));
      }
    }
    return checked;
  } finally {
    await engine.destroy();
  }
};

interface ScannedValues {
  readonly facts: ReadonlyMap<number, TensorFacts>;
  readonly folders: readonly FolderStats[];
}

/** Scans all readable tensors, adds what is found in each, and sums up folders when asked to. */
const scanValues = async (checkpoint: Checkpoint, bins: number, withFolders: boolean): Promise<ScannedValues> => {
  const { table, content } = checkpoint;
  const all = Array.from({ length: table.length }, (_, id) => id);
  const facts = new Map<number, TensorFacts>();
  const folders: FolderStats[] = [];
  const tree = withFolders ? folderTree(table.length, (id) => table.name(id)) : undefined;
  const fold = tree && new FolderFold(tree, bins, (stats) => folders.push(stats));
  const readable = (tree === undefined ? all : [...folderOrder(tree)]).filter((id) => {
    const isReadable = table.problem(id) === undefined;
    if (!isReadable) {
      fold?.skip(id);
    }
    return isReadable;
  });
  const failed = new Map<number, TaskError>();
  await scanForCommand(checkpoint, readable, bins, {
    keep: withFolders,
    onResult: (result) => {
      if ('error' in result) {
        failed.set(result.tensorId, result.error);
        fold?.skip(result.tensorId);
        return;
      }
      const { data, ...fact } = result.scanned;
      facts.set(result.tensorId, fact);
      if (data !== undefined) {
        fold?.add(result.tensorId, data);
      }
    },
  });
  for (const id of all) {
    const fact = facts.get(id);
    const error = failed.get(id);
    if (fact !== undefined) {
      content.findings.add(...valueFindings(fact, table));
    } else if (error !== undefined) {
      const { file, name } = table.row(id);
      const message = `tensor ${quoteName(name)} was not scanned: ${error.message}`;
      const code = error.code === 'file-changed' ? 'file-changed' : 'not-scanned';
      content.findings.add(finding(code, message, { file, tensor: name, tensorId: id }));
    }
  }
  return { facts, folders };
};

const checkValues = async (checkpoint: Checkpoint, bins: number, withFolders: boolean): Promise<ScannedValues> => {
  const { auditFollowUp } = await import('../node/audit/follow-up.ts');
  const scanned = await scanValues(checkpoint, bins, withFolders);
  const engine = await engineForCommand(sizeOf(checkpoint));
  try {
    const { findings } = await auditFollowUp(engine, { checkpoint, facts: scanned.facts });
    checkpoint.content.findings.add(...findings);
  } finally {
    await engine.destroy();
  }
  return scanned;
};

/**
 * Opens a path leniently and verifies it; what is found is added to the checkpoint's findings. The caller closes it.
 *
 * @throws OpenFileError; LoupeError `usage`
 */
export const verifyFile = async (path: string, options: VerifyOptions): Promise<VerifiedFile> => {
  const given = options.sha256 === undefined ? [] : [await checkGiven(path, options.sha256)];
  const checkpoint = await inspectPath(path);
  try {
    const beside =
      options.checksums === undefined ? [] : await checkBeside(checkpoint, options.checksums === 'required');
    const hashes = [...given, ...beside];
    checkpoint.content.findings.add(...hashes.flatMap((checked) => checked.finding ?? []));
    // What a deflated member holds shows only when it is inflated; a wrong CRC only when all of it is read.
    const readsAll = options.valueBins !== undefined || hashes.length > 0;
    await checkForCommand(checkpoint, readsAll ? 'all' : 'deflated');
    const scanned: ScannedValues =
      options.valueBins === undefined
        ? { facts: new Map(), folders: [] }
        : await checkValues(checkpoint, options.valueBins, options.folders === true);
    return { checkpoint, ...scanned, hashes };
  } catch (fault) {
    checkpoint.close();
    throw fault;
  }
};
