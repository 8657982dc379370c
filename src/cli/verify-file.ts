import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TensorFacts } from '../core/audit/tensor-facts.ts';
import type { Checkpoint } from '../core/checkpoint.ts';
import { quoteName } from '../core/quote-name.ts';
import { valueFindings } from '../core/scan/value-findings.ts';
import type { CheckedFile } from '../node/audit/checksums.ts';
import { inspectPath } from '../node/open-checkpoint.ts';
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
}

/** A verified checkpoint, still open, with what was computed of it. */
export interface VerifiedFile {
  readonly checkpoint: Checkpoint;
  /** By tensor id; empty unless values were scanned. */
  readonly facts: ReadonlyMap<number, TensorFacts>;
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

const checkValues = async (checkpoint: Checkpoint, bins: number): Promise<ReadonlyMap<number, TensorFacts>> => {
  const { auditFollowUp } = await import('../node/audit/follow-up.ts');
  const { table, content } = checkpoint;
  const ids = Array.from({ length: table.length }, (_, id) => id).filter((id) => table.problem(id) === undefined);
  const facts = new Map<number, TensorFacts>();
  for (const result of await scanForCommand(checkpoint, ids, bins)) {
    const { tensorId } = result;
    if ('scanned' in result) {
      facts.set(tensorId, result.scanned);
      content.findings.add(...valueFindings(result.scanned, table));
    } else {
      const { file, name } = table.row(tensorId);
      const message = `tensor ${quoteName(name)} was not scanned: ${result.error.message}`;
      const code = result.error.code === 'file-changed' ? 'file-changed' : 'not-scanned';
      content.findings.add(finding(code, message, { file, tensor: name, tensorId }));
    }
  }
  const engine = await engineForCommand(sizeOf(checkpoint));
  try {
    content.findings.add(...(await auditFollowUp(engine, { checkpoint, facts })));
  } finally {
    await engine.destroy();
  }
  return facts;
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
    const facts =
      options.valueBins === undefined
        ? new Map<number, TensorFacts>()
        : await checkValues(checkpoint, options.valueBins);
    return { checkpoint, facts, hashes };
  } catch (fault) {
    checkpoint.close();
    throw fault;
  }
};
