import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ValueTree } from '../../checkpoint-content.ts';
import { quoteName } from '../../quote-name.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import { collectTensors } from './collect-tensors.ts';
import type { RowContext } from './row-context.ts';
import type { TensorReading } from './tensor-reading.ts';
import { addTensorRow } from './tensor-rows.ts';

/** What a pickle's tensors are called: what stands before their paths, and how equal names are told apart. */
export interface Naming {
  readonly prefix: string;
  readonly unique: (name: string) => string;
  /** Tensors that are only referred to, in files that keep them apart from the object. */
  readonly resolve?: (node: PickleNode) => TensorReading | undefined;
}

/** What rows of a table stand for in a value tree. */
export type TreeTensors = Required<Pick<ValueTree, 'tensors' | 'firstTensor'>>;

/**
 * Raw storages of a big-endian archive hold elements as the writer's machine had them, so they are swapped here; torch itself
 * swaps by the storage's class and leaves these as they are (FORMATS.md 2.5).
 */
const judgeUncertain = ({ uncertain, file, findings }: RowContext): void => {
  const [first] = uncertain;
  if (first !== undefined) {
    const more = uncertain.length > 1 ? ` and ${formatInt(uncertain.length - 1)} more tensors` : '';
    const message = `the archive is big-endian and the storage of ${quoteName(first)}${more} has no type: torch may read these values with their bytes the other way round`;
    findings.add(finding('byteorder-unknown', message, { file, tensor: first }));
  }
};

/**
 * Adds a row for every tensor in a value tree.
 *
 * @returns which objects the rows stand for.
 * @throws whatever the source's reads throw.
 */
export const addTensors = async (
  root: PickleNode,
  { prefix, unique, resolve }: Naming,
  context: RowContext,
): Promise<TreeTensors> => {
  const firstTensor = context.table.length;
  const { tensors, complete } = collectTensors(root, resolve);
  for (const found of tensors) {
    const path = `${prefix}${found.path}`;
    // Most rows are there at once, and a file has tens of thousands.
    const pending = addTensorRow(context, unique(path === '' ? 'tensor' : path), found);
    if (pending !== undefined) {
      await pending;
    }
  }
  context.inline.finish();
  judgeUncertain(context);
  if (!complete) {
    const message = 'the value tree is too large to be walked whole; the tensors found so far are listed';
    context.findings.add(finding('pickle-limit', message, { file: context.file }));
  }
  return { tensors: tensors.map(({ node }) => node), firstTensor };
};
