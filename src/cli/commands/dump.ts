import { elementTexts } from '../../core/dtypes/exact-text.ts';
import { elementValues } from '../../core/dtypes/exact-values.ts';
import type { Tensor } from '../../core/tensor/tensor.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { strictJson } from '../../shared/strict-json.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { exitOfListing, withCheckpoint } from '../open-for-command.ts';
import type { Output } from '../output.ts';

const headJson = ({ name, dtype, shape }: Tensor): string => strictJson({ name, dtype, shape }).slice(0, -1);

const dumpJson = async (tensor: Tensor, output: Output): Promise<void> => {
  await output.raw(`${headJson(tensor)},"values":[`);
  let separator = '';
  for await (const { bytes, count, firstElement } of tensor.select().chunks()) {
    const values = elementValues(tensor.dtype, bytes, count, { firstElement });
    await output.raw(separator + strictJson(values).slice(1, -1));
    separator = ',';
  }
  await output.raw(']}\n');
};

const dumpText = async (tensor: Tensor, output: Output): Promise<void> => {
  await output.raw(`${escapeText(tensor.name)} ${tensor.dtype} [${tensor.shape.join(' ')}]\n`);
  for await (const { bytes, count, firstElement } of tensor.select().chunks()) {
    await output.raw(`${elementTexts(tensor.dtype, bytes, count, { firstElement }).join('\n')}\n`);
  }
};

const dumpRefused = async (tensor: Tensor, output: Output): Promise<void> => {
  const problem = tensor.row.problem ?? '';
  output.note(`loupe: tensor "${tensor.name}" cannot be read: ${problem}`);
  if (output.json) {
    await output.raw(`${headJson(tensor)},"values":null,"problem":${strictJson(problem)}}\n`);
  } else {
    await output.raw(escapeText(`${tensor.name} ${tensor.dtype} [unreadable: ${problem}]\n`));
  }
};

export const dump: LoupeCommand = {
  register: (program, run) => {
    program
      .command('dump')
      .description('every value of every tensor; JSON Lines with --json, one tensor a line')
      .argument('<file>')
      .option('--json', 'print JSON Lines')
      .action((file: string, { json }: { json?: boolean }) =>
        run(json, (output) =>
          withCheckpoint(file, output, async (checkpoint) => {
            let exit: ExitCode = exitOfListing(checkpoint);
            for (const tensor of checkpoint.tensors) {
              if (!tensor.readable) {
                await dumpRefused(tensor, output);
                exit = EXIT.damaged;
              } else if (output.json) {
                await dumpJson(tensor, output);
              } else {
                await dumpText(tensor, output);
              }
            }
            return exit;
          }),
        ),
      );
  },
};
