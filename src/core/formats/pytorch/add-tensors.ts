import { finding } from '../../../shared/findings.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import { collectTensors } from './collect-tensors.ts';
import type { RowContext } from './row-context.ts';
import { addTensorRow } from './tensor-rows.ts';

/** What a pickle's tensors are called: what stands before their paths, and how equal names are told apart. */
export interface Naming {
  readonly prefix: string;
  readonly unique: (name: string) => string;
}

/**
 * Adds a row for every tensor in a value tree.
 *
 * @returns whether all of the tree was walked.
 * @throws whatever the source's reads throw.
 */
export const addTensors = async (
  root: PickleNode,
  { prefix, unique }: Naming,
  context: RowContext,
): Promise<boolean> => {
  const { tensors, complete } = collectTensors(root);
  for (const found of tensors) {
    const path = `${prefix}${found.path}`;
    // Most rows are there at once, and a file has tens of thousands.
    const pending = addTensorRow(context, unique(path === '' ? 'tensor' : path), found);
    if (pending !== undefined) {
      await pending;
    }
  }
  context.inline.finish();
  if (!complete) {
    const message = 'the value tree is too large to be walked whole; the tensors found so far are listed';
    context.findings.add(finding('pickle-limit', message, { file: context.file }));
  }
  return complete;
};
