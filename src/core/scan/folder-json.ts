import type { TensorStats } from '../../shared/checkpoint-types.ts';
import type { JsonInput } from '../../shared/strict-json.ts';
import { statsJson } from '../../shared/tensor-forms.ts';
import type { FolderStats } from './folder-fold.ts';

const withoutName = (stats: TensorStats | undefined): JsonInput => {
  if (stats === undefined) {
    return null;
  }
  const { name: _name, ...form } = statsJson(stats);
  return form;
};

/** `stats --folders`' form of a folder; `folder` is null for the whole model. */
export const folderJson = ({ path, tensors, unread, floats, integers }: FolderStats): JsonInput => ({
  folder: path ?? null,
  tensors,
  unread: unread > 0 ? unread : undefined,
  floats: withoutName(floats),
  integers: withoutName(integers),
});
