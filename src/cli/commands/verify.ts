import { createHash } from 'node:crypto';
import type { ByteSource } from '../../core/bytes/byte-source.ts';
import { readInto } from '../../core/bytes/checked-read.ts';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { valueFindings } from '../../core/scan/value-findings.ts';
import { inspectPath } from '../../node/open-checkpoint.ts';
import { LoupeError } from '../../shared/errors.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { type Finding, finding, verdictOf } from '../../shared/findings.ts';
import type { JsonInput } from '../../shared/strict-json.ts';
import { checkForCommand } from '../check-for-command.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT, type ExitCode, exitOfVerdict } from '../exit-codes.ts';
import { findingJson } from '../json-forms.ts';
import type { Output } from '../output.ts';
import { scanForCommand } from '../scan-for-command.ts';

interface Options {
  readonly strict?: boolean;
  readonly sha256?: string;
  readonly values?: boolean;
  readonly json?: boolean;
}

const WINDOW = 4 * 1024 * 1024;

const sha256Of = async (source: ByteSource): Promise<string> => {
  const hash = createHash('sha256');
  const window = new Uint8Array(Math.min(WINDOW, source.size));
  for (let at = 0; at < source.size; at += window.byteLength) {
    const piece = window.subarray(0, source.size - at);
    await readInto(source, at, piece);
    hash.update(piece);
  }
  return hash.digest('hex');
};

const checkHash = async (checkpoint: Checkpoint, expected: string): Promise<void> => {
  const [source] = checkpoint.sources;
  if (source === undefined) {
    return;
  }
  const found = await sha256Of(source);
  if (found !== expected.toLowerCase()) {
    const message = `its SHA-256 is ${found}, expected ${expected.toLowerCase()}`;
    checkpoint.content.findings.add(finding('sha256-mismatch', message, { file: source.name }));
  }
};

const checkValues = async (checkpoint: Checkpoint): Promise<void> => {
  const { table } = checkpoint;
  const ids = Array.from({ length: table.length }, (_, id) => id).filter((id) => table.problem(id) === undefined);
  for (const result of await scanForCommand(checkpoint, ids, 1)) {
    const { tensorId } = result;
    const { file, name } = table.row(tensorId);
    if ('error' in result) {
      const message = `tensor "${name}" was not scanned: ${result.error.message}`;
      const code = result.error.code === 'file-changed' ? 'file-changed' : 'not-scanned';
      checkpoint.content.findings.add(finding(code, message, { file, tensor: name, tensorId }));
    } else {
      const { stats, boolOutOfRange } = result.scanned;
      checkpoint.content.findings.add(...valueFindings(stats, boolOutOfRange, { file, tensorId }));
    }
  }
};

interface Verified {
  readonly file: JsonInput;
  readonly findings: readonly Finding[];
  readonly sentence: string;
  readonly exit: ExitCode;
}

const verifyOne = async (path: string, options: Options, output: Output): Promise<Verified> => {
  const checkpoint = await inspectPath(path);
  try {
    if (options.sha256 !== undefined) {
      await checkHash(checkpoint, options.sha256);
    }
    // What a deflated member holds shows only when it is inflated; a wrong CRC only when all of it is read.
    await checkForCommand(checkpoint, options.values === true || options.sha256 !== undefined ? 'all' : 'deflated');
    if (options.values === true) {
      await checkValues(checkpoint);
    }
    const { findings, summary } = checkpoint;
    output.findings(findings);
    const { format, verdict, sentence, tensors, files } = summary;
    return {
      file: { path: files[0]?.path ?? path, bytes: files[0]?.bytes ?? 0, format, tensors, verdict },
      findings,
      sentence,
      exit: exitOfVerdict(verdict, options.strict === true),
    };
  } finally {
    checkpoint.close();
  }
};

/** Exit codes are numbered from mild to bad. */
const worstExit = (verified: readonly Verified[]): ExitCode =>
  verified.map(({ exit }) => exit).sort((a, b) => b - a)[0] ?? EXIT.done;

export const verify: LoupeCommand = {
  register: (program, run) => {
    program
      .command('verify')
      .description('whether files are whole, and what is wrong with them; the exit code tells')
      .argument('<files...>')
      .option('--strict', 'exit with 1 for warnings too')
      .option('--sha256 <hex>', 'the SHA-256 the file should have')
      .option('--values', 'read every byte: CRCs of archive members, NaN, infinities, all zero, constant')
      .option('--json', 'print JSON')
      .action((files: string[], options: Options) =>
        run(options.json, async (output) => {
          if (options.sha256 !== undefined && (files.length > 1 || !/^[0-9a-f]{64}$/i.test(options.sha256))) {
            throw new LoupeError('usage', '--sha256 takes 64 hexadecimal digits and goes with one file');
          }
          const verified: Verified[] = [];
          for (const file of files) {
            verified.push(await verifyOne(file, options, output));
          }
          const findings = verified.flatMap((one) => one.findings);
          if (output.json) {
            output.value({
              verdict: verdictOf(findings),
              findings: findings.map(findingJson),
              files: verified.map(({ file }) => file),
            });
          } else {
            verified.forEach(({ sentence }, index) => {
              output.line(escapeText(`${files[index] ?? ''}: ${sentence}`));
            });
          }
          return worstExit(verified);
        }),
      );
  },
};
