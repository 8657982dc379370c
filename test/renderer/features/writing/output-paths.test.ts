import { describe, expect, it } from 'vitest';
import {
  baseName,
  folderOf,
  joinPath,
  suggestedOutput,
} from '../../../../src/renderer/features/writing/output-paths.ts';

describe('paths', () => {
  it.each([
    ['/m/a.bin', '/m', 'a.bin'],
    ['/a.bin', '/', 'a.bin'],
    ['C:\\m\\a.bin', 'C:\\m', 'a.bin'],
    ['/odd\\name/a', '/odd\\name', 'a'],
    ['/odd\\name', '/', 'odd\\name'],
    ['a.bin', '', 'a.bin'],
    ['', '', ''],
  ])('%s: folder %s, name %s', (path, folder, name) => {
    expect([folderOf(path), baseName(path)]).toEqual([folder, name]);
  });

  it.each([
    ['/m', 'a', '/m/a'],
    ['/', 'a', '/a'],
    ['C:\\m', 'a', 'C:\\m\\a'],
    ['C:\\', 'a', 'C:\\a'],
  ])('%s and %s make %s', (folder, name, path) => {
    expect(joinPath(folder, name)).toBe(path);
  });
});

describe('a place for an output', () => {
  it.each([
    ['/m/gemma.safetensors', false, 'file', '/m/gemma-converted.safetensors'],
    ['/m/gemma.safetensors', false, 'shards', '/m/gemma-converted'],
    ['/m/gemma.safetensors', false, 'tensors', '/m/gemma-tensors'],
    ['/m/gemma/model-00001-of-00002.safetensors', true, 'file', '/m/gemma-converted.safetensors'],
    ['/m/gemma/model-00001-of-00002.safetensors', true, 'tensors', '/m/gemma-tensors'],
    ['/model-00001-of-00002.safetensors', true, 'tensors', ''],
    [undefined, false, 'file', ''],
  ] as const)('of %s (sharded: %s), %s: %s', (path, isSharded, kind, expected) => {
    expect(suggestedOutput(path, isSharded, kind)).toBe(expected);
  });
});
