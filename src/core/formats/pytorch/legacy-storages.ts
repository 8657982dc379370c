import { type FindingCode, finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import type { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import type { StorageReference } from './storage-reference.ts';
import type { MissingStorage, PlacedStorage, Reached, Storages } from './storages.ts';
import { compareReferences, unionBytes } from './storages.ts';

/** The element count before each storage's bytes: i64, little-endian on every machine (FORMATS.md 2.5, 2.11). */
const COUNT_BYTES = 8;

/**
 * The storages of a legacy file: they follow the pickles one after the other, in the order of the key list, each behind its
 * element count. Where one begins is known only when the sizes of all before it are.
 */
export class LegacyStorages implements Storages {
  readonly #placed = new Map<string, PlacedStorage | MissingStorage>();
  readonly #parts = new Map<string, PlacedStorage | MissingStorage>();
  readonly #reached = new Map<PlacedStorage, Reached[]>();
  #first: ReadonlyMap<string, StorageReference> = new Map();
  #reportDiffering: (message: string) => void = () => undefined;

  /** Bytes of storages that tensors reach, each once. */
  claimed(): number {
    return [...this.#reached.values()].reduce((sum, ranges) => sum + unionBytes(ranges), 0);
  }

  reach(storage: PlacedStorage, range: Reached): void {
    const ranges = this.#reached.get(storage) ?? [];
    ranges.push(range);
    this.#reached.set(storage, ranges);
  }

  find(reference: StorageReference): PlacedStorage | MissingStorage {
    const first = this.#first.get(reference.key);
    const differs = first === undefined ? undefined : compareReferences(first, reference, this.#reportDiffering);
    if (differs !== undefined) {
      return differs;
    }
    const whole = this.#placed.get(reference.key);
    if (whole === undefined) {
      return { problem: `its storage ${quoteName(reference.key)} is not in the file's list of storages` };
    }
    const { part } = reference;
    if (part === undefined || 'problem' in whole) {
      return whole;
    }
    const name = `${reference.key}:${part.offset}:${part.elements}`;
    const known = this.#parts.get(name) ?? partOf(whole, part, BigInt(reference.elementBytes ?? 1));
    this.#parts.set(name, known);
    return known;
  }

  /**
   * Walks the storages from `begin` on, reading their counts alone.
   *
   * @param keys in the file's order.
   * @param references what the object pickle says of each key.
   * @returns the byte after the last storage, or undefined when the walk could not go on to the end.
   */
  async place(
    source: ByteSource,
    begin: number,
    keys: readonly string[],
    references: ReadonlyMap<string, StorageReference>,
    findings: FindingList,
  ): Promise<number | undefined> {
    const report = (code: FindingCode, message: string, offset: number): void => {
      findings.add(finding(code, message, { file: source.name, offset }));
    };
    this.#first = references;
    const listed = new Set(keys);
    for (const { key } of references.values()) {
      if (!listed.has(key)) {
        report('storage-missing', `the storage ${quoteName(key)} is not in the file's list of storages`, begin);
      }
    }
    this.#reportDiffering = (message) => report('storage-size-mismatch', message, begin);
    let at = begin;
    for (const [index, key] of keys.entries()) {
      const reference = references.get(key);
      if (source.size - at < COUNT_BYTES || reference?.elementBytes === undefined) {
        const why =
          reference === undefined
            ? `nothing in the file says what the storage ${quoteName(key)} holds`
            : reference.elementBytes === undefined
              ? `the storage ${quoteName(key)} is of the unknown class ${quoteName(reference.className)}`
              : `the file ends before the storage ${quoteName(key)}`;
        report('storage-missing', `${why}; it and ${formatInt(keys.length - index - 1)} after it are lost`, at);
        return undefined;
      }
      const count = new DataView((await readBytes(source, at, COUNT_BYTES)).buffer).getBigInt64(0, true);
      at += COUNT_BYTES;
      if (count !== reference.elements || count < 0n || this.#placed.has(key)) {
        const claims = this.#placed.has(key)
          ? 'a second place in the list of storages'
          : `${formatInt(count)} elements in front of it, ${formatInt(reference.elements)} in the pickle`;
        report('storage-size-mismatch', `the storage ${quoteName(key)}: ${claims}`, at - COUNT_BYTES);
        this.#placed.set(key, { problem: `its storage ${quoteName(key)} has ${claims}` });
        return undefined;
      }
      const bytes = count * BigInt(reference.elementBytes);
      const present = bytes < BigInt(source.size - at) ? Number(bytes) : source.size - at;
      this.#placed.set(key, { file: 0, begin: at, bytes: present });
      at += present;
      if (BigInt(present) < bytes) {
        const sizes = `${formatInt(present)} of its ${formatInt(bytes)} bytes are present`;
        report('storage-size-mismatch', `the storage ${quoteName(key)} is cut off: ${sizes}`, at - present);
        return undefined;
      }
    }
    return at;
  }
}

const partOf = (
  whole: PlacedStorage,
  { offset, elements }: { readonly offset: bigint; readonly elements: bigint },
  size: bigint,
): PlacedStorage | MissingStorage => {
  const begin = offset * size;
  const end = (offset + elements) * size;
  return begin < 0n || end < begin || end > BigInt(whole.bytes)
    ? { problem: `it views elements ${offset} to ${offset + elements} of a storage of ${whole.bytes} bytes` }
    : { file: whole.file, begin: whole.begin + Number(begin), bytes: Number(end - begin) };
};
