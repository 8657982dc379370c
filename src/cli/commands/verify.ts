import { findingJson } from '../../core/json-forms.ts';
import { LoupeError } from '../../shared/errors.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { type Finding, verdictOf } from '../../shared/findings.ts';
import type { JsonInput } from '../../shared/strict-json.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT, type ExitCode, exitOfVerdict } from '../exit-codes.ts';

import type { Output } from '../output.ts';
import { verifyFile } from '../verify-file.ts';

interface Options {
  readonly strict?: boolean;
  readonly sha256?: string;
  readonly checksums?: boolean;
  readonly values?: boolean;
  readonly json?: boolean;
}

interface Verified {
  readonly file: JsonInput;
  readonly findings: readonly Finding[];
  readonly lines: readonly string[];
  readonly exit: ExitCode;
}

const verifyOne = async (path: string, options: Options, output: Output): Promise<Verified> => {
  const { checkpoint, hashes } = await verifyFile(path, {
    sha256: options.sha256,
    checksums: options.checksums === true ? 'required' : undefined,
    valueBins: options.values === true ? 1 : undefined,
  });
  try {
    const { findings, summary } = checkpoint;
    output.findings(findings);
    const { format, verdict, sentence, tensors, files } = summary;
    const agreed = hashes.filter((checked) => checked.finding === undefined);
    return {
      file: {
        path: files[0]?.path ?? path,
        bytes: files[0]?.bytes ?? 0,
        format,
        tensors,
        verdict,
        hashes:
          hashes.length === 0
            ? undefined
            : hashes.map(({ path: hashed, sha256, expected }) => ({
                path: hashed,
                sha256,
                expected: expected.sha256,
                from: expected.from,
              })),
      },
      findings,
      lines: [
        `${path}: ${sentence}`,
        ...agreed.map(({ path: hashed, expected }) => `${hashed}: SHA-256 as ${expected.from} says`),
      ],
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
      .option(
        '--sha256 <hex>',
        'the SHA-256 the file should have, or a file that says it: .sha256 or a Git LFS pointer',
      )
      .option('--checksums', 'compare each file with the SHA-256 beside it: NAME.sha256, SHA256SUMS or a hub’s record')
      .option(
        '--values',
        'read every byte: CRCs of archive members, NaN, infinities, zeros, layers unlike the others, …',
      )
      .option('--json', 'print JSON')
      .action((files: string[], options: Options) =>
        run(options.json, async (output) => {
          if (options.sha256 !== undefined && files.length > 1) {
            throw new LoupeError('usage', '--sha256 is that of one file: name one');
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
            for (const line of verified.flatMap(({ lines }) => lines)) {
              output.line(escapeText(line));
            }
          }
          return worstExit(verified);
        }),
      );
  },
};
