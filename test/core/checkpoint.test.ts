import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../src/core/bytes/byte-source.ts';
import { memorySource } from '../../src/core/bytes/memory-source.ts';
import { inspectSource, strictly } from '../../src/core/checkpoint.ts';
import { CheckpointError, ClosedError, FileChangedError, TensorLookupError } from '../../src/core/errors.ts';
import { entry, fileBytes, floats, header, member } from '../support/safetensors-bytes.ts';

const SOUND = fileBytes(
  header(floats('a', 0, 8), floats('b', 8, 16)),
  Uint8Array.from({ length: 16 }, (_, i) => i),
);

const watched = (bytes: Uint8Array): ByteSource & { closed: number } => {
  const inner = memorySource(bytes, 'm.safetensors');
  const source = {
    ...inner,
    closed: 0,
    close: () => {
      source.closed += 1;
      inner.close();
    },
  };
  return source;
};

describe('an open checkpoint', () => {
  it('finds tensors by id and by name, in file order', async () => {
    const checkpoint = await inspectSource(memorySource(SOUND, 'm.safetensors'));
    expect([...checkpoint.tensors].map(({ id, name }) => [id, name])).toEqual([
      [0, 'a'],
      [1, 'b'],
    ]);
    expect(await checkpoint.get('b').bytes()).toEqual(Uint8Array.from({ length: 8 }, (_, i) => i + 8));
    expect(() => checkpoint.get('c')).toThrow(TensorLookupError);
    expect(() => checkpoint.tensor(2)).toThrow(TensorLookupError);
    expect(checkpoint.verdict).toBe('clean');
    expect(checkpoint.summary.files).toEqual([{ path: 'm.safetensors', bytes: SOUND.length }]);
  });

  it('answers every read after it is closed with an error, also of tensors taken before', async () => {
    const source = watched(SOUND);
    const checkpoint = await inspectSource(source);
    const tensor = checkpoint.get('a');
    const stream = tensor.stream();
    checkpoint.close();
    checkpoint.close();
    expect(() => checkpoint.tensor(0)).toThrow(ClosedError);
    expect(() => checkpoint.get('a')).toThrow(ClosedError);
    await expect(tensor.bytes()).rejects.toThrow(ClosedError);
    await expect(tensor.toFloat32()).rejects.toThrow(ClosedError);
    await expect(stream.next()).rejects.toThrow(ClosedError);
    expect(source.closed).toBeGreaterThan(0);
  });

  it('closes its source when reading it fails', async () => {
    const source = watched(SOUND);
    source.read = () => {
      throw new FileChangedError('m shrank');
    };
    await expect(inspectSource(source)).rejects.toThrow(FileChangedError);
    expect(source.closed).toBe(1);
  });
});

describe('opening strictly', () => {
  it('gives a whole file as it is', async () => {
    const checkpoint = strictly(await inspectSource(memorySource(SOUND, 'm.safetensors')));
    expect(checkpoint.table.length).toBe(2);
  });

  it.each<readonly [string, Uint8Array, string]>([
    ['bytes after the last tensor', fileBytes(header(floats('a', 0, 8)), 9), 'trailing-bytes'],
    ['a gap', fileBytes(header(floats('a', 4, 12)), 12), 'gap'],
    ['one name twice', fileBytes(header(floats('a', 0, 8), floats('a', 8, 16)), 16), 'duplicate-name'],
    [
      'metadata that is no string',
      fileBytes(header('"__metadata__":{"n":1}', floats('a', 0, 8)), 8),
      'metadata-not-strings',
    ],
    [
      'a tensor named __metadata__',
      fileBytes(header(member('__metadata__', entry('F32', '[1]', '[0,4]'))), 4),
      'reserved-name',
    ],
    ['a text', new TextEncoder().encode('hello there'), 'unrecognised'],
    ['nothing', new Uint8Array(), 'file-too-short'],
  ])('%s: throws the finding and closes the source', async (_what, bytes, code) => {
    const source = watched(bytes);
    const opening = inspectSource(source).then(strictly);
    await expect(opening).rejects.toBeInstanceOf(CheckpointError);
    await expect(opening).rejects.toMatchObject({ code, finding: { code, file: 'm.safetensors' } });
    expect(source.closed).toBe(1);
  });

  it('gaps and trailing bytes can be allowed', async () => {
    const both = fileBytes(header(floats('a', 4, 12)), 15);
    const checkpoint = strictly(
      await inspectSource(memorySource(both, 'm.safetensors'), { allowGaps: true, allowTrailingBytes: true }),
    );
    expect(checkpoint.table.length).toBe(1);
  });

  it('a warning is no reason to refuse', async () => {
    expect(strictly(await inspectSource(memorySource(SOUND, 'm.pt'))).findings).toMatchObject([
      { code: 'extension-mismatch' },
    ]);
  });
});
