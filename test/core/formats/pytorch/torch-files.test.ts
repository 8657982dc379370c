/** Every file that torch wrote for test/fixtures/pytorch/torch, against what torch reads out of it, bit for bit. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../../src/core/checkpoint.ts';

const FOLDER = new URL('../../../fixtures/pytorch/torch/', import.meta.url);

interface Answer {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Bytes of the elements, row-major and little-endian; of quantised tensors their integers. */
  readonly hex?: string;
  /** What quantised integers stand for, as float32. */
  readonly f32?: string;
}

const answers = JSON.parse(readFileSync(new URL('answers.json', FOLDER), 'utf8')) as Record<
  string,
  Record<string, Answer>
>;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('files that torch wrote', () => {
  it('all have answers', () => {
    expect(
      readdirSync(FOLDER)
        .filter((name) => name.endsWith('.pt'))
        .sort(),
    ).toEqual(Object.keys(answers).sort());
  });

  it.each(Object.entries(answers))('%s', async (name, tensors) => {
    const checkpoint = await inspectSource(memorySource(readFileSync(new URL(name, FOLDER)), name));
    const readable = checkpoint.tensors.filter((tensor) => tensor.readable);
    expect(readable.map((tensor) => tensor.name).sort()).toEqual(Object.keys(tensors).sort());
    for (const [key, answer] of Object.entries(tensors)) {
      const tensor = checkpoint.get(key);
      expect([tensor.row.dtype, tensor.shape], key).toEqual([answer.dtype, answer.shape]);
      if (answer.hex !== undefined) {
        expect(hex(await tensor.bytes()), key).toBe(answer.hex);
      }
      if (answer.f32 !== undefined) {
        const values = await tensor.toFloat32();
        expect(hex(new Uint8Array(values.buffer)), key).toBe(answer.f32);
      }
    }
    const severities = new Set(checkpoint.findings.map(({ severity }) => severity));
    severities.delete('note');
    expect([...severities]).toEqual([]);
  });
});
