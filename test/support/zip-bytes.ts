import { deflateRawSync, crc32 as nodeCrc } from 'node:zlib';

/** What a header of a crafted archive says, where it is not the truth. */
export interface Lies {
  readonly signature?: number;
  readonly name?: string | Uint8Array;
  readonly flags?: number;
  readonly method?: number;
  readonly crc32?: number;
  readonly compressedBytes?: number;
  readonly bytes?: number;
  readonly extra?: Uint8Array;
  /** The directory's entries alone. */
  readonly header?: number;
  readonly madeBy?: number;
  readonly disk?: number;
  readonly attributes?: number;
}

/** A member of a crafted archive: `both` headers lie alike, `local` and `central` for themselves. */
export interface CraftedMember {
  readonly name: string | Uint8Array;
  readonly content?: Uint8Array;
  readonly deflate?: boolean;
  /** Instead of the content as it is, or deflated. */
  readonly payload?: Uint8Array;
  /** A data descriptor of that many bytes follows, and bit 3 is set: 12, 16, 20 or 24. */
  readonly descriptor?: 12 | 16 | 20 | 24;
  /** Numbers of the descriptor, where they are not the truth. */
  readonly descriptorLies?: Pick<Lies, 'signature' | 'crc32' | 'compressedBytes' | 'bytes'>;
  readonly both?: Lies;
  readonly local?: Lies;
  readonly central?: Lies;
  /** The directory's sizes and offset stand in a zip64 field. */
  readonly zip64?: boolean;
  /** Bytes in front of the local header that belong to nothing. */
  readonly gap?: Uint8Array;
}

/** What an end record says, where it is not the truth. */
export interface EndLies {
  readonly disk?: number;
  readonly directoryDisk?: number;
  readonly entriesHere?: number | bigint;
  readonly entries?: number | bigint;
  readonly bytes?: number | bigint;
  readonly offset?: number | bigint;
}

/** A crafted archive. */
export interface CraftedZip {
  readonly members: readonly CraftedMember[];
  readonly prefix?: Uint8Array;
  /** Offsets count from the file's beginning; otherwise from the end of the prefix, as when bytes are put in front later. */
  readonly offsetsCountPrefix?: boolean;
  readonly beforeDirectory?: Uint8Array;
  readonly behindDirectory?: Uint8Array;
  /** A zip64 end record and its locator, which torch always writes. */
  readonly zip64End?: EndLies & { readonly recordBytes?: bigint; readonly locator?: bigint; readonly disks?: number };
  readonly end?: EndLies;
  readonly comment?: Uint8Array;
  readonly commentBytes?: number;
  readonly trailing?: Uint8Array;
}

const encoder = new TextEncoder();

/** Text as UTF-8. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text);

/** Bytes one after the other. */
export const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

type Field = readonly [bytes: 2 | 4 | 8, value: number | bigint];

/** Little-endian numbers of 2, 4 or 8 bytes. */
export const numbers = (...fields: readonly Field[]): Uint8Array =>
  joined(
    ...fields.map(([bytes, value]) =>
      Uint8Array.from({ length: bytes }, (_, index) => Number((BigInt(value) >> BigInt(8 * index)) & 0xffn)),
    ),
  );

/** An extra field. */
export const extraField = (id: number, content: Uint8Array): Uint8Array =>
  joined(numbers([2, id], [2, content.length]), content);

/** CRC-32 bit by bit, straight from the definition. */
export const slowCrc = (bytes: Uint8Array): number => {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return ~crc >>> 0;
};

/** CRC-32 by another implementation than the program's: Node's where it has one. */
export const crcOf = (bytes: Uint8Array): number => (typeof nodeCrc === 'function' ? nodeCrc(bytes) : slowCrc(bytes));

const nameBytes = (name: string | Uint8Array): Uint8Array => (typeof name === 'string' ? utf8(name) : name);

interface Truth {
  readonly payload: Uint8Array;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly bytes: number;
}

const truthOf = (member: CraftedMember): Truth => {
  const content = member.content ?? new Uint8Array();
  const deflated = member.deflate === true;
  return {
    payload: member.payload ?? (deflated ? deflateRawSync(content) : content),
    flags: member.descriptor === undefined ? 0 : 8,
    method: deflated ? 8 : 0,
    crc32: crcOf(content),
    bytes: content.length,
  };
};

const localPart = (member: CraftedMember, truth: Truth): Uint8Array => {
  const lies = { ...member.both, ...member.local };
  const later = member.descriptor !== undefined;
  const name = nameBytes(lies.name ?? member.name);
  const extra = lies.extra ?? new Uint8Array();
  const { descriptorLies } = member;
  const size: 4 | 8 = (member.descriptor ?? 0) >= 20 ? 8 : 4;
  const signed = member.descriptor === 16 || member.descriptor === 24;
  const descriptor: Field[] = [
    [4, descriptorLies?.crc32 ?? truth.crc32],
    [size, descriptorLies?.compressedBytes ?? truth.payload.length],
    [size, descriptorLies?.bytes ?? truth.bytes],
  ];
  return joined(
    numbers(
      [4, lies.signature ?? 0x04034b50],
      [2, 20],
      [2, lies.flags ?? truth.flags],
      [2, lies.method ?? truth.method],
    ),
    numbers([4, 0], [4, lies.crc32 ?? (later ? 0 : truth.crc32)]),
    numbers(
      [4, lies.compressedBytes ?? (later ? 0 : truth.payload.length)],
      [4, lies.bytes ?? (later ? 0 : truth.bytes)],
    ),
    numbers([2, name.length], [2, extra.length]),
    name,
    extra,
    truth.payload,
    ...(signed ? [numbers([4, descriptorLies?.signature ?? 0x08074b50])] : []),
    ...(later ? [numbers(...descriptor)] : []),
  );
};

const centralPart = (member: CraftedMember, truth: Truth, offset: number): Uint8Array => {
  const lies = { ...member.both, ...member.central };
  const name = nameBytes(lies.name ?? member.name);
  const compressed = lies.compressedBytes ?? truth.payload.length;
  const bytes = lies.bytes ?? truth.bytes;
  const header = lies.header ?? offset;
  const wide = member.zip64 === true;
  const field = wide ? extraField(1, numbers([8, bytes], [8, compressed], [8, header])) : new Uint8Array();
  const extra = lies.extra ?? field;
  const slot = (value: number): number => (wide ? 0xffffffff : value);
  return joined(
    numbers([4, lies.signature ?? 0x02014b50], [2, lies.madeBy ?? 0], [2, 20], [2, lies.flags ?? truth.flags]),
    numbers([2, lies.method ?? truth.method], [4, 0], [4, lies.crc32 ?? truth.crc32]),
    numbers([4, slot(compressed)], [4, slot(bytes)], [2, name.length], [2, extra.length], [2, 0]),
    numbers([2, lies.disk ?? 0], [2, 0], [4, lies.attributes ?? 0], [4, slot(header)]),
    name,
    extra,
  );
};

/** Where the parts of a crafted archive lie in its bytes. */
export interface Crafted {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Local headers. */
  readonly headers: readonly number[];
  readonly directory: number;
  readonly directoryEnd: number;
  readonly endRecord: number;
}

/** Makes an archive byte by byte, true but for the lies it is told to tell. */
export const craftZip = (zip: CraftedZip): Crafted => {
  const prefix = zip.prefix ?? new Uint8Array();
  const base = zip.offsetsCountPrefix === true ? 0 : prefix.length;
  const parts: Uint8Array[] = [prefix];
  const central: Uint8Array[] = [];
  const headers: number[] = [];
  let at = prefix.length;
  const put = (part: Uint8Array): void => {
    parts.push(part);
    at += part.length;
  };
  for (const member of zip.members) {
    const truth = truthOf(member);
    put(member.gap ?? new Uint8Array());
    headers.push(at);
    central.push(centralPart(member, truth, at - base));
    put(localPart(member, truth));
  }
  put(zip.beforeDirectory ?? new Uint8Array());
  const directory = at;
  for (const entry of central) {
    put(entry);
  }
  const directoryEnd = at;
  put(zip.behindDirectory ?? new Uint8Array());
  const truth = { entries: central.length, bytes: directoryEnd - directory, offset: directory - base };
  if (zip.zip64End !== undefined) {
    const lies = zip.zip64End;
    const record = at;
    put(numbers([4, 0x06064b50], [8, lies.recordBytes ?? 44], [2, 0x031e], [2, 45]));
    put(numbers([4, lies.disk ?? 0], [4, lies.directoryDisk ?? 0]));
    put(numbers([8, lies.entriesHere ?? truth.entries], [8, lies.entries ?? truth.entries]));
    put(numbers([8, lies.bytes ?? truth.bytes], [8, lies.offset ?? truth.offset]));
    put(numbers([4, 0x07064b50], [4, 0], [8, lies.locator ?? record - base], [4, lies.disks ?? 1]));
  }
  const endRecord = at;
  const lies = zip.end ?? {};
  const comment = zip.comment ?? new Uint8Array();
  put(numbers([4, 0x06054b50], [2, lies.disk ?? 0], [2, lies.directoryDisk ?? 0]));
  put(numbers([2, lies.entriesHere ?? truth.entries], [2, lies.entries ?? truth.entries]));
  put(
    numbers([4, lies.bytes ?? truth.bytes], [4, lies.offset ?? truth.offset], [2, zip.commentBytes ?? comment.length]),
  );
  put(comment);
  put(zip.trailing ?? new Uint8Array());
  return { bytes: joined(...parts), headers, directory, directoryEnd, endRecord };
};

/** The bytes of a crafted archive of these members. */
export const zipBytes = (...members: readonly CraftedMember[]): Uint8Array<ArrayBuffer> => craftZip({ members }).bytes;
