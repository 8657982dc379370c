import { expect, it } from 'vitest';
import { type DroppedItem, splitDrop } from '../../../../src/renderer/features/drop/split-drop.ts';

const item = (name: string, isDirectory: boolean | undefined, kind = 'file'): DroppedItem => ({
  kind,
  getAsFile: () => new File([], name),
  webkitGetAsEntry: () => (isDirectory === undefined ? null : { isDirectory }),
});

it('tells folders from files, and leaves out what is neither', () => {
  const { files, folders } = splitDrop([
    item('a.safetensors', false),
    item('gemma', true),
    item('made in the page', undefined),
    item('text', undefined, 'string'),
    { kind: 'file', getAsFile: () => null, webkitGetAsEntry: () => null },
  ]);
  expect(files.map(({ name }) => name)).toEqual(['a.safetensors', 'made in the page']);
  expect(folders).toEqual(['gemma']);
});
