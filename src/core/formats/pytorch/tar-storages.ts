import { type FindingCode, finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import type { FindingList } from '../../finding-list.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import { type PickleOutcome, runPickle } from '../pickle/run-pickle.ts';
import type { TarMember } from '../tar/read-tar.ts';
import { integerOf, itemsOf } from './read-node.ts';
import type { StorageReference } from './storage-reference.ts';
import { type MissingStorage, type PlacedStorage, type Reached, type Storages, unionBytes } from './storages.ts';
import { storageClass } from './torch-dtypes.ts';

/** Bytes read at first to find the end of a small pickle; four times as many when it goes on. */
const FIRST_BYTES = 4096;
const COUNT_BYTES = 8;

/** A storage of the file, by its key. */
interface TarStorage {
  readonly reference: StorageReference;
  readonly placed: PlacedStorage | MissingStorage;
}

/** The storages of a tar file of torch 0.1: one after the other, each behind a pickle that says what it is (FORMATS.md 2.12). */
export class TarStorages implements Storages {
  readonly #storages = new Map<string, TarStorage>();
  readonly #reached = new Map<PlacedStorage, Reached[]>();

  /** The storage of that key, as a tensor refers to it; undefined when there is none. */
  reference(key: string): StorageReference | undefined {
    return this.#storages.get(key)?.reference;
  }

  find({ key }: StorageReference): PlacedStorage | MissingStorage {
    return this.#storages.get(key)?.placed ?? { problem: 'its storage is not in the file' };
  }

  reach(storage: PlacedStorage, range: Reached): void {
    const ranges = this.#reached.get(storage) ?? [];
    ranges.push(range);
    this.#reached.set(storage, ranges);
  }

  /** Bytes of the file that tensors reach, each once. */
  claimed(): number {
    return unionBytes(
      [...this.#reached].flatMap(([{ begin }, ranges]) =>
        ranges.map(([from, to]) => [begin + from, begin + to] as const),
      ),
    );
  }

  /**
   * Walks the member `storages`. Every pickle on the way is handed to `grade`.
   *
   * @throws whatever the source's reads throw.
   */
  async read(
    source: ByteSource,
    member: TarMember,
    grade: (outcome: PickleOutcome, begin: number) => void,
    findings: FindingList,
  ): Promise<void> {
    const report = (code: FindingCode, message: string, offset: number): void => {
      findings.add(finding(code, message, { file: source.name, offset }));
    };
    let at = member.begin;
    const next = async (): Promise<PickleNode | undefined> => {
      const outcome = await nextPickle(source, at, member.end);
      grade(outcome, at);
      at += outcome.outcome === 'complete' ? outcome.end : 0;
      return outcome.root;
    };
    const count = integerOf(await next());
    for (let number = 0n; count !== undefined && number < count; number += 1n) {
      const begin = at;
      const entry = readEntry(await next());
      const room = member.end - at;
      if (entry === undefined || room < COUNT_BYTES) {
        report('storage-missing', `storage ${formatInt(number + 1n)} of ${formatInt(count)} cannot be read`, begin);
        return;
      }
      const elements = new DataView((await readBytes(source, at, COUNT_BYTES)).buffer).getBigInt64(0, true);
      at += COUNT_BYTES;
      const bytes = elements * BigInt(entry.elementBytes);
      if (elements < 0n || bytes > BigInt(member.end - at) || this.#storages.has(entry.key)) {
        const message = `storage ${formatInt(number + 1n)} claims ${formatInt(elements)} elements of ${entry.elementBytes} bytes, ${formatInt(member.end - at)} bytes are left for all`;
        report('storage-size-mismatch', message, at - COUNT_BYTES);
        return;
      }
      const reference: StorageReference = { ...entry, elements, part: undefined };
      this.#storages.set(entry.key, { reference, placed: { file: 0, begin: at, bytes: Number(bytes) } });
      at += Number(bytes);
    }
    const begin = at;
    if (!this.#addViews(itemsOf(await next()))) {
      report('storage-missing', 'the list of storages that are parts of others cannot be read', begin);
    }
  }

  /** `(target_key, root_key, offset, elements)` each. @returns whether they make sense. */
  #addViews(views: readonly PickleNode[] | undefined): boolean {
    for (const view of views ?? []) {
      const [target, rootKey, offset, elements] = itemsOf(view)?.map(integerOf) ?? [];
      const root = this.#storages.get(String(rootKey));
      if (target === undefined || offset === undefined || elements === undefined || root === undefined) {
        return false;
      }
      const { reference, placed } = root;
      const size = BigInt(reference.elementBytes ?? 1);
      const inside = offset >= 0n && elements >= 0n && offset + elements <= reference.elements;
      const part =
        !inside || 'problem' in placed
          ? { problem: `it views elements ${offset} to ${offset + elements} of a storage of ${reference.elements}` }
          : { file: 0, begin: placed.begin + Number(offset * size), bytes: Number(elements * size) };
      this.#storages.set(String(target), { reference: { ...reference, key: String(target), elements }, placed: part });
    }
    return views !== undefined;
  }
}

/** The pickle at `at`, read no further than needed. */
const nextPickle = async (source: ByteSource, at: number, end: number): Promise<PickleOutcome> => {
  for (let length = FIRST_BYTES; ; length *= 4) {
    const taken = Math.min(length, end - at);
    const outcome = runPickle(await readBytes(source, at, taken));
    if (outcome.problem?.cutOff !== true || taken === end - at) {
      return outcome;
    }
  }
};

/** `(key, location, storage class)`. */
const readEntry = (
  node: PickleNode | undefined,
): (Pick<StorageReference, 'key' | 'dtype' | 'className'> & { readonly elementBytes: number }) | undefined => {
  const [key, , type] = itemsOf(node) ?? [];
  const number = integerOf(key);
  const known = type?.kind === 'global' ? storageClass(type.use.name) : undefined;
  return number === undefined || known === undefined || type?.kind !== 'global'
    ? undefined
    : { key: String(number), dtype: known.dtype, elementBytes: known.bytes, className: type.use.name };
};
