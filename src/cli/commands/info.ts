import type { CheckpointSummary } from '../../shared/checkpoint-types.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { formatBytes, formatInt, formatParameters } from '../../shared/format-number.ts';
import type { LoupeCommand } from '../command.ts';
import { infoJson } from '../json-forms.ts';
import { exitOfListing, withCheckpoint } from '../open-for-command.ts';

/** Longest metadata value printed as text; `--json` has all of it. */
const LONGEST_VALUE = 200;

const textLines = (summary: CheckpointSummary): string[] => {
  const lines = [
    escapeText(summary.sentence),
    `format      ${summary.format}`,
    ...summary.files.map(({ path, bytes }) => `file        ${escapeText(path)} (${formatBytes(bytes)})`),
    `tensors     ${formatInt(summary.tensors)}`,
    `parameters  ${formatInt(summary.parameters)} (${formatParameters(summary.parameters)})`,
    `data        ${formatInt(summary.dataBytes)} bytes (${formatBytes(summary.dataBytes)})`,
  ];
  for (const { dtype, tensors, parameters, bytes } of summary.dtypes) {
    const share = `${formatInt(tensors)} ${tensors === 1 ? 'tensor' : 'tensors'}, ${formatInt(parameters)} parameters, ${formatBytes(bytes)}`;
    lines.push(`dtype       ${escapeText(dtype)}: ${share}`);
  }
  for (const { key, value } of summary.metadata) {
    const shown = value.length > LONGEST_VALUE ? `${value.slice(0, LONGEST_VALUE)}…` : value;
    lines.push(`metadata    ${escapeText(key)}: ${escapeText(shown)}`);
  }
  for (const { name, bytes } of summary.code ?? []) {
    lines.push(`code        ${escapeText(name)} (${formatBytes(bytes)}), not run`);
  }
  return lines;
};

export const info: LoupeCommand = {
  register: (program, run) => {
    program
      .command('info')
      .description('what a file holds: format, tensors, parameters, dtypes, metadata, verdict')
      .argument('<file>')
      .option('--json', 'print JSON')
      .action((file: string, { json }: { json?: boolean }) =>
        run(json, (output) =>
          withCheckpoint(file, output, async (checkpoint) => {
            const { summary } = checkpoint;
            if (output.json) {
              output.value(infoJson(summary, checkpoint.findings));
            } else {
              for (const line of textLines(summary)) {
                output.line(line);
              }
            }
            return exitOfListing(checkpoint);
          }),
        ),
      );
  },
};
