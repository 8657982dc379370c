import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planSafetensors, safetensorsChunks } from '../../../src/core/writing/plan-safetensors.ts';
import { inspectBytes } from '../../support/inspect-bytes.ts';
import { soundTensors } from '../../support/sound-tensors.ts';

interface Golden {
  readonly what: string;
  readonly metadata: Record<string, string> | null;
  readonly tensors: readonly { name: string; dtype: string; shape: number[]; base64: string }[];
  readonly file_base64: string;
}

const text = readFileSync(new URL('../../fixtures/oracle/writer-goldens.json', import.meta.url), 'utf8');
const { cases } = JSON.parse(text) as { cases: readonly Golden[] };

const written = async (parts: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const list: Uint8Array[] = [];
  for await (const part of parts) {
    list.push(part);
  }
  return Buffer.concat(list);
};

describe('what the reference wrote, byte for byte', () => {
  it.each(cases.map((golden) => [golden.what, golden] as const))('%s', async (_what, golden) => {
    const tensors = golden.tensors.map(({ name, dtype, shape, base64 }) => {
      const data = Buffer.from(base64, 'base64');
      return { name, dtype, shape, bytes: data.length, data };
    });
    const metadata = golden.metadata === null ? undefined : new Map(Object.entries(golden.metadata));
    for (const given of [tensors, tensors.toReversed()]) {
      const plan = planSafetensors(given, metadata);
      const file = await written(safetensorsChunks(plan, ({ data }) => [data]));
      expect(file.equals(Buffer.from(golden.file_base64, 'base64'))).toBe(true);
      expect(plan.fileBytes).toBe(file.length);
    }
  });
});

describe('a planned file', () => {
  it('reads back as what was put in, for any dictionary', async () => {
    await fc.assert(
      fc.asyncProperty(soundTensors(), fc.infiniteStream(fc.nat({ max: 255 })), async (tensors, fill) => {
        const given = tensors.map((tensor) => {
          const value = fill.next().value ?? 0;
          return { ...tensor, data: new Uint8Array(tensor.bytes).fill(value) };
        });
        const plan = planSafetensors(given, new Map([['format', 'pt']]));
        const file = await written(safetensorsChunks(plan, ({ data }) => [data.subarray(0, 1), data.subarray(1)]));
        const { codes, rows } = await inspectBytes(file);
        expect(codes).toEqual([]);
        expect(rows.map(({ name }) => name)).toEqual(plan.order.map(({ name }) => name));
        for (const { data, name } of given) {
          const row = rows.find((candidate) => candidate.name === name);
          const begin = row?.offset ?? 0;
          expect(file.subarray(begin, begin + data.length).equals(data)).toBe(true);
        }
      }),
    );
  });

  it('asks for the bytes of a tensor only when its turn comes', async () => {
    const asked: string[] = [];
    const tensors = ['b', 'a'].map((name) => ({ name, dtype: 'U8', shape: [1], bytes: 1 }));
    const plan = planSafetensors(tensors);
    const chunks = safetensorsChunks(plan, ({ name }) => {
      asked.push(name);
      return [Uint8Array.of(1)];
    });
    await chunks.next();
    expect(asked).toEqual([]);
    await chunks.next();
    expect(asked).toEqual(['a']);
  });

  it.each([
    ['size-mismatch', { name: 'a', dtype: 'F32', shape: [2], bytes: 4 }],
    ['size-not-whole-bytes', { name: 'a', dtype: 'F4', shape: [3], bytes: 2 }],
    ['shape-overflow', { name: 'a', dtype: 'U8', shape: [2 ** 53 - 1, 2 ** 53 - 1], bytes: 1 }],
    ['field-invalid', { name: 'a', dtype: 'U8', shape: [-1], bytes: 1 }],
    ['field-invalid', { name: 'a', dtype: 'U8', shape: [0.5], bytes: 1 }],
    ['unknown-dtype', { name: 'a', dtype: 'X', shape: [1], bytes: 1 }],
    ['reserved-name', { name: '__metadata__', dtype: 'U8', shape: [1], bytes: 1 }],
  ])('is refused with %s before a byte is written', (code, tensor) => {
    expect(() => planSafetensors([tensor])).toThrowError(expect.objectContaining({ code }));
  });
});
