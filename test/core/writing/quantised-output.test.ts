import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../src/core/checkpoint.ts';
import { type EncodeOptions, encodeTensor } from '../../../src/core/writing/encode-tensor.ts';
import { planConversion } from '../../../src/core/writing/plan-conversion.ts';

const FOLDER = new URL('../../fixtures/pytorch/torch/', import.meta.url);
const open = (): Promise<Checkpoint> =>
  inspectSource(memorySource(readFileSync(new URL('quantised-zip.pt', FOLDER)), 'quantised-zip.pt'));
const answers = JSON.parse(readFileSync(new URL('answers.json', FOLDER), 'utf8'))['quantised-zip.pt'] as Record<
  string,
  { hex: string; f32: string }
>;

const encoded = async (checkpoint: Checkpoint, name: string, options: EncodeOptions) => {
  const { bytes, chunks, note } = encodeTensor(checkpoint.get(name), options);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks()) {
    parts.push(chunk.slice());
  }
  const whole = Buffer.concat(parts);
  return { whole, bytes, note };
};

describe('exporting a quantised tensor', () => {
  const NAME = 'qint8.axis1';

  it.each<[EncodeOptions, 'hex' | 'f32', string]>([
    [{ format: 'f32' }, 'f32', ''],
    [{ format: 'raw' }, 'hex', ''],
    [{ format: 'npy', dtype: 'native' }, 'hex', "'descr': '|i1'"],
    [{ format: 'npy' }, 'hex', "'descr': '|i1'"],
    [{ format: 'npy', dtype: 'f32' }, 'f32', "'descr': '<f4'"],
    [{ format: 'safetensors', dtype: 'native' }, 'hex', '"dtype":"I8"'],
    [{ format: 'safetensors', dtype: 'f32' }, 'f32', '"dtype":"F32"'],
  ])('%j writes the integers or what they stand for, and says which', async (options, kind, header) => {
    const { whole, bytes, note } = await encoded(await open(), NAME, options);
    const expected = answers[NAME]?.[kind] ?? '';
    expect(whole.toString('hex').endsWith(expected)).toBe(true);
    expect(whole.length).toBe(bytes);
    expect(whole.toString('latin1')).toContain(header);
    expect(note?.startsWith('the integers of QI8 were written')).toBe(kind === 'hex' ? true : undefined);
  });

  it('of a slice too', async () => {
    const checkpoint = await open();
    const { whole, bytes } = await encoded(checkpoint, NAME, { format: 'npy', dtype: 'native', slice: '1' });
    expect(whole.subarray(-5).toString('hex')).toBe(answers[NAME]?.hex.slice(10, 20));
    expect(whole.length).toBe(bytes);
    const csv = await encoded(checkpoint, 'qint8.scalar', { format: 'csv' });
    const [value] = await checkpoint.get('qint8.scalar').exactValues();
    expect(Math.fround(Number(csv.whole.toString()))).toBe(value);
  });

  it('of integers that share bytes only the bytes, or what they stand for', async () => {
    const checkpoint = await open();
    const name = 'quint4x2_float';
    expect(() => encodeTensor(checkpoint.get(name), { format: 'npy', dtype: 'native' })).toThrow(/no name for U4/);
    expect(() => encodeTensor(checkpoint.get(name), { format: 'safetensors' })).toThrow(/no dtype "U4"/);
    const { whole, note } = await encoded(checkpoint, name, { format: 'npy' });
    expect(note).toBe('npy has no name for U4: written as float32');
    expect(whole.toString('hex').endsWith(answers[name]?.f32 ?? '')).toBe(true);
    const raw = await encoded(checkpoint, name, { format: 'raw' });
    expect(raw.whole.length).toBe(8);
  });
});

describe('converting quantised tensors', () => {
  it('writes integers under a name that says so, scale and zero point of one as metadata', async () => {
    const plan = planConversion(await open(), { include: ['qint8.tensor', 'qint8.axis0*'] });
    const [file] = plan.files;
    expect(file?.plan.order.map(({ name, dtype, bytes }) => [name, dtype, bytes])).toEqual([
      ['qint8.axis0.zero_points', 'I64', 24],
      ['qint8.axis0.scales', 'F64', 24],
      ['qint8.axis0.int_repr', 'I8', 15],
      ['qint8.tensor.int_repr', 'I8', 15],
    ]);
    const header = new TextDecoder().decode(file?.plan.prefix);
    expect(header).toMatch(/"qint8.tensor.scale":"0\.\d+"/);
    expect(header).toMatch(/"qint8.tensor.zero_point":"\d+"/);
    expect(plan.notes).toEqual([
      '"qint8.tensor" is quantised: its integers were written as "qint8.tensor.int_repr", their scale and zero point as metadata',
      '"qint8.axis0" is quantised: its integers were written as "qint8.axis0.int_repr", their scales and zero points are tensors of their own',
    ]);
  });

  it('is refused for integers that share bytes', async () => {
    const checkpoint = await open();
    expect(() => planConversion(checkpoint)).toThrow(/no dtype "U[24]"/);
  });
});
