import { elementTexts } from '../../core/dtypes/exact-text.ts';
import { elementValues } from '../../core/dtypes/exact-values.ts';
import type { Selection, Tensor } from '../../core/tensor/tensor.ts';
import type { JsonInput } from '../../shared/strict-json.ts';
import type { LoupeCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { tensorsNamed, withCheckpoint } from '../open-for-command.ts';
import { f6OrderOption, parseCount } from '../options.ts';

const DEFAULT_COUNT = 8;

interface Options {
  readonly json?: boolean;
  readonly slice?: string;
  readonly f6Order?: 'lsb' | 'msb';
}

/** The first `limit` elements of a selection, exactly: as values and as texts. */
const firstValues = async (
  tensor: Tensor,
  selection: Selection,
  limit: number,
): Promise<{ values: JsonInput[]; texts: string[] }> => {
  const values: JsonInput[] = [];
  const texts: string[] = [];
  const { f6Order } = selection;
  for await (const { bytes, firstElement, count } of tensor.select(selection).chunks()) {
    const wanted = Math.min(count, limit - values.length);
    const options = { firstElement, f6Order };
    values.push(...elementValues(tensor.dtype, bytes, wanted, options));
    texts.push(...elementTexts(tensor.dtype, bytes, wanted, options));
    if (values.length >= limit) {
      break;
    }
  }
  return { values, texts };
};

export const head: LoupeCommand = {
  register: (program, run) => {
    program
      .command('head')
      .description('the first values of a tensor, row-major')
      .argument('<file>')
      .argument('<name>', 'name of a tensor, or #ID')
      .argument('[n]', `how many values (default ${DEFAULT_COUNT})`, parseCount)
      .option('--slice <slice>', 'start:stop:step per dimension, such as "0,:,::2"')
      .addOption(f6OrderOption())
      .option('--json', 'print JSON')
      .action((file: string, name: string, n: number | undefined, { json, slice, f6Order }: Options) =>
        run(json, (output) =>
          withCheckpoint(file, output, async (checkpoint) => {
            const [tensor] = tensorsNamed(checkpoint, [name]);
            if (tensor === undefined) {
              return EXIT.usage;
            }
            const selection: Selection = { slice, f6Order };
            const { values, texts } = await firstValues(tensor, selection, n ?? DEFAULT_COUNT);
            const { quantised } = tensor;
            if (output.json) {
              const shape = slice === undefined ? tensor.shape : tensor.select(selection).shape;
              const { name: own, dtype } = tensor;
              output.value({ name: own, dtype, shape, values, dequantisedFrom: quantised?.dtype });
            } else {
              output.line(texts.join(' '));
            }
            if (quantised !== undefined) {
              output.note(`note: the values that the integers of ${quantised.dtype} stand for, as float32`);
            }
            return EXIT.done;
          }),
        ),
      );
  },
};
