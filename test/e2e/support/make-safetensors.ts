import { writeFileSync } from 'node:fs';

/** One tensor to write: its bytes are taken as they are. */
export interface MadeTensor {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** The bytes of a safetensors file with these tensors, in this order. */
export const safetensorsBytes = (
  tensors: readonly MadeTensor[],
  metadata?: Readonly<Record<string, string>>,
): Buffer => {
  let offset = 0;
  const entries = tensors.map(({ name, dtype, shape, bytes }) => {
    const start = offset;
    offset += bytes.byteLength;
    return `${JSON.stringify(name)}:${JSON.stringify({ dtype, shape, data_offsets: [start, offset] })}`;
  });
  const all = metadata === undefined ? entries : [`"__metadata__":${JSON.stringify(metadata)}`, ...entries];
  const text = `{${all.join(',')}}`;
  const header = Buffer.from(
    text.padEnd(Math.ceil(Buffer.byteLength(text) / 8) * 8 - Buffer.byteLength(text) + text.length),
  );
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.byteLength));
  return Buffer.concat([length, header, ...tensors.map(({ bytes }) => bytes)]);
};

/** Writes such a file. */
export const writeSafetensors = (
  path: string,
  tensors: readonly MadeTensor[],
  metadata?: Readonly<Record<string, string>>,
): void => writeFileSync(path, safetensorsBytes(tensors, metadata));

/** Float32 values as little-endian bytes. */
export const f32 = (...values: readonly number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
