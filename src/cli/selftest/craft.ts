/** Header text made by hand, so that it can say what no serializer would. */
export const craftFile = (
  header: string | Uint8Array,
  data: Uint8Array | number = 0,
  declaredLength?: bigint,
): Uint8Array => {
  const text = typeof header === 'string' ? new TextEncoder().encode(header) : header;
  const body = typeof data === 'number' ? Uint8Array.from({ length: data }, (_, index) => index % 251) : data;
  const file = new Uint8Array(8 + text.length + body.length);
  new DataView(file.buffer).setBigUint64(0, declaredLength ?? BigInt(text.length), true);
  file.set(text, 8);
  file.set(body, 8 + text.length);
  return file;
};

/** One tensor entry, `"name":{…}`; every part is the JSON text given. */
export const entry = (name: string, dtype: string, shape: string, offsets: string): string =>
  `"${name}":{"dtype":"${dtype}","shape":${shape},"data_offsets":${offsets}}`;

/** A header of these members. */
export const headerOf = (...members: readonly string[]): string => `{${members.join(',')}}`;
