import { describe, expect, it } from 'vitest';
import { craftFile, entry, headerOf } from '../../../src/cli/selftest/craft.ts';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../src/core/checkpoint.ts';
import { type EncodeOptions, encodeTensor } from '../../../src/core/writing/encode-tensor.ts';

const checkpoint = await inspectSource(
  memorySource(
    craftFile(
      headerOf(
        entry('f32', 'F32', '[2,2]', '[0,16]'),
        entry('c64', 'C64', '[1]', '[16,24]'),
        entry('bf16', 'BF16', '[3]', '[24,30]'),
        entry('f4', 'F4', '[4]', '[30,32]'),
        entry('f6', 'F6_E2M3', '[4]', '[32,35]'),
        entry('x', 'F8_E3M4', '[2]', '[35,37]'),
        entry('scalar', 'I8', '[]', '[37,38]'),
      ),
      new Uint8Array([
        ...new Uint8Array(Float32Array.of(1, -2, 0.1, 4).buffer),
        ...new Uint8Array(Float32Array.of(1, -2).buffer),
        ...[0x80, 0x3f, 0x00, 0xc0, 0x01, 0x00],
        ...[0x10, 0x32],
        ...[1, 2, 3],
        ...[7, 8],
        0xff,
      ]),
    ),
  ),
);

const encoded = async (name: string, options: EncodeOptions): Promise<Buffer> => {
  const { bytes, chunks } = encodeTensor(checkpoint.get(name), options);
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks()) {
    parts.push(chunk);
  }
  const whole = Buffer.concat(parts);
  if (bytes !== undefined) {
    expect(whole.length).toBe(bytes);
  }
  return whole;
};

const floats = (bytes: Buffer): number[] => Array.from(new Float32Array(new Uint8Array(bytes).buffer));

describe('encodeTensor', () => {
  it('f32 is nothing but little-endian float32', async () => {
    expect(floats(await encoded('f32', { format: 'f32' }))).toEqual([1, -2, Math.fround(0.1), 4]);
    expect(floats(await encoded('c64', { format: 'f32' }))).toEqual([1, -2]);
    expect(floats(await encoded('bf16', { format: 'f32' }))).toEqual([1, -2, 2 ** -133]);
    expect(floats(await encoded('f4', { format: 'f32', slice: '1::2' }))).toEqual([0.5, 1.5]);
  });

  it('npy keeps a dtype that numpy has, and says when it cannot', async () => {
    const c64 = await encoded('c64', { format: 'npy' });
    expect(c64.toString('latin1')).toContain("'descr': '<c8', 'fortran_order': False, 'shape': (1,)");
    const wide = await encoded('c64', { format: 'npy', dtype: 'f32' });
    expect(wide.toString('latin1')).toContain("'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)");
    expect(encodeTensor(checkpoint.get('bf16'), { format: 'npy' }).note).toContain('written as float32');
    expect(encodeTensor(checkpoint.get('f32'), { format: 'npy' }).note).toBeUndefined();
    expect(() => encodeTensor(checkpoint.get('bf16'), { format: 'npy', dtype: 'native' })).toThrow('no name for BF16');
  });

  it('csv holds exact texts, a line for each row', async () => {
    expect((await encoded('f32', { format: 'csv' })).toString()).toBe('1,-2\n0.1,4\n');
    expect((await encoded('bf16', { format: 'csv' })).toString()).toBe('1\n-2\n9.183549615799121e-41\n');
    expect((await encoded('scalar', { format: 'csv' })).toString()).toBe('-1\n');
    expect((await encoded('c64', { format: 'csv' })).toString()).toBe('1-2i\n');
  });

  it('safetensors keeps name, dtype and bits', async () => {
    for (const name of ['f32', 'c64', 'bf16', 'f4', 'f6', 'scalar']) {
      const again = await inspectSource(memorySource(await encoded(name, { format: 'safetensors' })));
      expect(again.findings).toEqual([]);
      const tensor = again.get(name);
      expect([tensor.dtype, tensor.shape]).toEqual([checkpoint.get(name).dtype, checkpoint.get(name).shape]);
      expect(await tensor.bytes()).toEqual(await checkpoint.get(name).bytes());
    }
    const f32 = await inspectSource(
      memorySource(await encoded('bf16', { format: 'safetensors', dtype: 'f32', slice: ':2' })),
    );
    expect(f32.get('bf16').dtype).toBe('F32');
    expect(Array.from(await f32.get('bf16').toFloat32())).toEqual([1, -2]);
  });

  it('raw gives the bytes of any tensor that is there, even of an unknown dtype', async () => {
    expect(Array.from(await encoded('x', { format: 'raw' }))).toEqual([7, 8]);
    expect(Array.from(await encoded('f6', { format: 'raw' }))).toEqual([1, 2, 3]);
    expect(() => encodeTensor(checkpoint.get('x'), { format: 'f32' })).toThrow('unknown dtype');
    expect(() => encodeTensor(checkpoint.get('f6'), { format: 'csv' })).toThrow('bit order');
  });

  it('refuses part of a tensor whose elements share bytes, when its dtype is to stay', () => {
    expect(() => encodeTensor(checkpoint.get('f4'), { format: 'raw', slice: '1:' })).toThrow('share bytes');
    expect(() => encodeTensor(checkpoint.get('f4'), { format: 'safetensors', slice: '1:' })).toThrow('share bytes');
  });

  it('refuses a slice that does not fit before anything is written', () => {
    for (const format of ['f32', 'npy', 'csv', 'safetensors', 'raw'] as const) {
      expect(() => encodeTensor(checkpoint.get('f32'), { format, slice: '5' }), format).toThrow('outside dimension');
    }
  });
});

describe('an empty tensor with a dimension beyond 2^53', () => {
  it.each(['npy', 'safetensors'] as const)(
    'is refused as %s rather than written with a rounded shape',
    async (format) => {
      const file = craftFile(headerOf(entry('empty', 'F32', '[0,9007199254740993]', '[0,0]')), new Uint8Array(0));
      const empty = (await inspectSource(memorySource(file))).get('empty');
      expect(() => encodeTensor(empty, { format, dtype: 'native' })).toThrow(/beyond 2\^53/);
    },
  );
});
