import type { QuantisedRow, TensorRow } from '../../shared/checkpoint-types.ts';
import { escapeText } from '../../shared/escape-text.ts';
import { strictJson } from '../../shared/strict-json.ts';
import { rowJson } from '../../shared/tensor-forms.ts';
import type { LoupeCommand } from '../command.ts';
import { exitOfListing, withCheckpoint } from '../open-for-command.ts';
import type { Output } from '../output.ts';

const quantisedText = (quantised: QuantisedRow): string =>
  quantised.scheme === 'tensor'
    ? `(q - ${quantised.zeroPoint}) * ${quantised.scale}`
    : `a scale for each index of dimension ${quantised.axis}`;

const textLine = (row: TensorRow): string => {
  const place = `${row.bytes ?? '?'} B @ ${row.offset ?? '?'}`;
  const view = row.layout === 'strided' ? ' [view]' : '';
  const quantised = row.quantised === undefined ? '' : ` [quantised: ${quantisedText(row.quantised)}]`;
  const problem = row.readable ? '' : ` [unreadable: ${row.problem ?? ''}]`;
  return escapeText(`${row.name} ${row.dtype || '?'} [${row.shape.join(' ')}] ${place}${view}${quantised}${problem}`);
};

/** Prints row by row, so that a list of a million tensors does not become one string. */
const printRows = async (output: Output, rows: Iterable<TensorRow>): Promise<void> => {
  if (!output.json) {
    for (const row of rows) {
      await output.raw(`${textLine(row)}\n`);
    }
    return;
  }
  let separator = '[';
  for (const row of rows) {
    await output.raw(separator + strictJson(rowJson(row)));
    separator = ',\n';
  }
  await output.raw(separator === '[' ? '[]\n' : ']\n');
};

export const tensors: LoupeCommand = {
  register: (program, run) => {
    program
      .command('tensors')
      .description('every tensor in file order: name, dtype, shape, bytes, absolute offset')
      .argument('<file>')
      .argument('[prefix]', 'only names that begin with this')
      .option('--json', 'print JSON')
      .action((file: string, prefix: string | undefined, { json }: { json?: boolean }) =>
        run(json, (output) =>
          withCheckpoint(file, output, async (checkpoint) => {
            const { table } = checkpoint;
            const wanted = function* (): Generator<TensorRow> {
              for (let id = 0; id < table.length; id += 1) {
                if (prefix === undefined || table.name(id).startsWith(prefix)) {
                  yield table.row(id);
                }
              }
            };
            await printRows(output, wanted());
            return exitOfListing(checkpoint);
          }),
        ),
      );
  },
};
