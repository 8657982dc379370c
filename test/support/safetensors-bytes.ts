/** Helpers that spell out safetensors files, sound or not. Nothing here checks what it is given. */

const encoder = new TextEncoder();

/** Length field, header and data as they are given; `declared` overrides the length field. */
export const fileBytes = (
  header: string | Uint8Array,
  data: Uint8Array | number = 0,
  declared?: bigint,
): Uint8Array<ArrayBuffer> => {
  const text = typeof header === 'string' ? encoder.encode(header) : header;
  const bytes = typeof data === 'number' ? new Uint8Array(data) : data;
  const file = new Uint8Array(8 + text.byteLength + bytes.byteLength);
  new DataView(file.buffer).setBigUint64(0, declared ?? BigInt(text.byteLength), true);
  file.set(text, 8);
  file.set(bytes, 8 + text.byteLength);
  return file;
};

/** A tensor's entry out of raw JSON parts: `entry('F32', '[1]', '[0,4]')`. */
export const entry = (dtype: string, shape: string, offsets: string): string =>
  `{"dtype":"${dtype}","shape":${shape},"data_offsets":${offsets}}`;

/** A member of the header; the name is quoted, the value is raw JSON. */
export const member = (name: string, value: string): string => `${JSON.stringify(name)}:${value}`;

/** A whole F32 tensor of `(end - begin) / 4` elements as a member. */
export const floats = (name: string, begin: number, end: number): string =>
  member(name, entry('F32', `[${(end - begin) / 4}]`, `[${begin},${end}]`));

/** A whole U8 tensor as a member. */
export const octets = (name: string, begin: number, end: number): string =>
  member(name, entry('U8', `[${end - begin}]`, `[${begin},${end}]`));

/** The header of these members. */
export const header = (...members: readonly string[]): string => `{${members.join(',')}}`;

/** Where the data of a file with this header begins. */
export const dataStart = (text: string): number => 8 + encoder.encode(text).byteLength;
