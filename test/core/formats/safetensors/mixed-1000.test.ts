import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../../src/core/checkpoint.ts';
import type { Tensor } from '../../../../src/core/tensor/tensor.ts';

type Row = readonly [
  name: string,
  dtype: string,
  shape: number[],
  offset: number,
  bytes: number,
  values: unknown[],
  hash: string,
];

const read = (name: string): Buffer => readFileSync(new URL(`../../../fixtures/oracle/${name}`, import.meta.url));
const expected = JSON.parse(read('mixed-1000.expected.json').toString()) as {
  readonly metadata: Record<string, string>;
  readonly rows: readonly Row[];
};
const checkpoint = await inspectSource(memorySource(read('mixed-1000.safetensors'), 'mixed-1000.safetensors'));

/** Values in the forms of the fixture's README. */
const spelled = (value: unknown): unknown => {
  if (Array.isArray(value)) {
    return value.map(spelled);
  }
  if (typeof value === 'bigint') {
    return value >= -(2n ** 53n) && value <= 2n ** 53n && Number.isSafeInteger(Number(value))
      ? Number(value)
      : value.toString();
  }
  if (typeof value !== 'number' || Number.isFinite(value)) {
    return Object.is(value, -0) ? '-0' : value;
  }
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
};

const hashOf = async (tensor: Tensor): Promise<string> => {
  const bits = new Uint32Array((await tensor.toFloat32()).buffer);
  bits.forEach((pattern, index) => {
    if ((pattern & 0x7fffffff) > 0x7f800000) {
      bits[index] = 0x7fc00000;
    }
  });
  return createHash('sha256').update(new Uint8Array(bits.buffer)).digest('hex');
};

it('a file of 1,000 tensors that the reference wrote is read as the reference reads it', async () => {
  expect(checkpoint.findings).toEqual([]);
  expect(Object.fromEntries(checkpoint.metadata.map(({ key, value }) => [key, value]))).toEqual(expected.metadata);
  const rows = checkpoint.table.rows();
  expect(rows.map(({ name, dtype, shape, offset, bytes }) => [name, dtype, shape, offset, bytes])).toEqual(
    expected.rows.map(([name, dtype, shape, offset, bytes]) => [name, dtype, shape, offset, bytes]),
  );
  for (const [id, [name, , , , , values, hash]] of expected.rows.entries()) {
    const tensor = checkpoint.tensor(id);
    const first = (await tensor.exactValues()).slice(0, 16);
    expect(first.map(spelled), name).toEqual(values);
    expect(await hashOf(tensor), name).toBe(hash);
  }
});
