import { resolve } from 'node:path';
import { findingJson } from '../../core/json-forms.ts';
import { LoupeError } from '../../shared/errors.ts';
import { escapeText } from '../../shared/escape-text.ts';
import type { LoupeCommand } from '../command.ts';
import { exitOfVerdict } from '../exit-codes.ts';

interface Options {
  readonly output: string;
  readonly force?: boolean;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export const audit: LoupeCommand = {
  register: (program, run) => {
    program
      .command('audit')
      .description('verify a file with all its values and write a report: one page of HTML, Markdown or JSON')
      .argument('<file>')
      .requiredOption('-o, --output <report>', 'the report; its name ends in .html, .md or .json')
      .option('--force', 'replace a report that is already there')
      .option('--strict', 'exit with 1 for warnings too')
      .option('--json', 'print JSON')
      .action((file: string, { output: path, force, strict, json }: Options) =>
        run(json, async (output) => {
          const { reportFormat, writeReport } = await import('../write-report.ts');
          const format = reportFormat(path);
          if (format === undefined) {
            throw new LoupeError('usage', `${path}: a report ends in .html, .md or .json`);
          }
          const written = resolve(path);
          const { report, bytes } = await writeReport(file, written, format, { overwrite: force === true });
          const { verdict, sentence } = report.summary;
          output.findings(report.findings);
          if (output.json) {
            output.value({
              verdict,
              findings: report.findings.map(findingJson),
              written: [{ name: format, path: written, bytes }],
            });
          } else {
            output.line(escapeText(`${file}: ${sentence}`));
            output.line(escapeText(`the report is ${written}`));
          }
          return exitOfVerdict(verdict, strict === true);
        }),
      );
  },
};
