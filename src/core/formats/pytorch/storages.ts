import { type FindingCode, finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import type { ZipMember } from '../zip/zip-types.ts';
import type { TorchArchive } from './archive.ts';
import type { InnerSources } from './inner-source.ts';
import type { StorageReference } from './storage-reference.ts';

/** A storage as it lies in the file. */
export interface PlacedStorage {
  /** Index into the table's files: 0 is the archive, others are compressed members. */
  readonly file: number;
  /** Absolute byte of its first element in that file. */
  readonly begin: number;
  /** Bytes that are really there. */
  readonly bytes: number;
}

/** What keeps a storage from being used. */
export interface MissingStorage {
  readonly problem: string;
}

/** Where the storages of a file are found, whatever its format. */
export interface Storages {
  /** The same object for the same storage. */
  find(reference: StorageReference): PlacedStorage | MissingStorage;
  /** Notes that a tensor reaches bytes of a storage. */
  reach(storage: PlacedStorage, range: Reached): void;
}

/** Of a pickle that nothing goes with: a tensor's storage would be supplied by whoever loads it. */
export const NO_STORAGES: Storages = {
  find: () => ({ problem: 'its storage does not come with the pickle' }),
  reach: () => undefined,
};

/** Bytes of a storage that tensors reach, as [begin, end) counted from its first. */
export type Reached = readonly [begin: number, end: number];

/**
 * The storages of an archive: looked up by key, each once; compressed ones become sources of their own. Reports what the
 * references and the records say differently.
 */
export class StorageMap implements Storages {
  readonly #archive: TorchArchive;
  readonly #folder: string;
  readonly #findings: FindingList;
  readonly #placed = new Map<string, PlacedStorage | MissingStorage>();
  readonly #first = new Map<string, StorageReference>();
  readonly #members = new Map<PlacedStorage, ZipMember>();
  readonly #reached = new Map<ZipMember, Reached[]>();
  readonly #inner: InnerSources;

  /**
   * @param folder of the records: `data/`, or `constants/` in TorchScript.
   * @param inner compressed members are added here; shared by all maps of one archive.
   */
  constructor(archive: TorchArchive, folder: string, inner: InnerSources, findings: FindingList) {
    this.#archive = archive;
    this.#folder = folder;
    this.#inner = inner;
    this.#findings = findings;
  }

  /** Members that tensors refer to, and what of each they reach. */
  get reached(): ReadonlyMap<ZipMember, readonly Reached[]> {
    return this.#reached;
  }

  /** Notes that a tensor reaches bytes of a storage. */
  reach(storage: PlacedStorage, range: Reached): void {
    const member = this.#members.get(storage);
    if (member === undefined) {
      return;
    }
    const ranges = this.#reached.get(member) ?? [];
    ranges.push(range);
    this.#reached.set(member, ranges);
  }

  find(reference: StorageReference): PlacedStorage | MissingStorage {
    const first = this.#first.get(reference.key);
    const known = this.#placed.get(reference.key);
    if (first !== undefined && known !== undefined) {
      return (
        compareReferences(first, reference, (message) => this.#report('storage-size-mismatch', message, undefined)) ??
        known
      );
    }
    const found = this.#place(reference);
    this.#first.set(reference.key, reference);
    this.#placed.set(reference.key, found);
    return found;
  }

  #place(reference: StorageReference): PlacedStorage | MissingStorage {
    const name = `${this.#folder}${reference.key}`;
    const member = this.#archive.record(name);
    if (member === undefined) {
      return this.#miss('storage-missing', `its storage, the record ${quoteName(name)}, is not in the archive`);
    }
    this.#reached.set(member, []);
    this.#compareSize(reference, member, name);
    if (member.payload === undefined) {
      return { problem: `its storage cannot be read: ${member.problem ?? 'it has no place in the file'}` };
    }
    if (member.method === 0 && !member.encrypted) {
      const bytes = Math.min(member.bytes, member.payload.end - member.payload.begin);
      return this.#keep(member, { file: 0, begin: member.payload.begin, bytes });
    }
    if (member.method !== 8 || member.encrypted) {
      return { problem: `its storage is ${member.encrypted ? 'encrypted' : `compressed by method ${member.method}`}` };
    }
    const file = this.#inner.add({ kind: 'member', name: member.name, member });
    return this.#keep(member, { file, begin: 0, bytes: member.bytes });
  }

  #keep(member: ZipMember, storage: PlacedStorage): PlacedStorage {
    this.#members.set(storage, member);
    return storage;
  }

  #compareSize({ elements, elementBytes, className }: StorageReference, member: ZipMember, name: string): void {
    if (elementBytes === undefined) {
      return;
    }
    const claimed = elements * BigInt(elementBytes);
    if (claimed === BigInt(member.bytes)) {
      return;
    }
    const sizes = `a ${quoteName(className)} of ${formatInt(elements)} elements needs ${formatInt(claimed)} bytes`;
    const message = `${sizes}, the record ${quoteName(name)} has ${formatInt(member.bytes)}`;
    this.#report('storage-size-mismatch', message, member.header);
  }

  #miss(code: FindingCode, problem: string): MissingStorage {
    this.#report(code, problem.replace(/^its storage, /, ''), undefined);
    return { problem };
  }

  #report(code: FindingCode, message: string, offset: number | undefined): void {
    const where = { file: this.#archive.source.name, ...(offset === undefined ? {} : { offset }) };
    this.#findings.add(finding(code, message, where));
  }
}

/**
 * Compares a further reference to a storage with the first one, by which the reference library reads it for all: it never
 * writes two that differ. What differs is reported; the answer says why the tensor cannot be read.
 */
export const compareReferences = (
  first: StorageReference,
  again: StorageReference,
  report: (message: string) => void,
): MissingStorage | undefined => {
  if (again.className === first.className && again.elements === first.elements) {
    return undefined;
  }
  const spelled = ({ className, elements }: StorageReference): string =>
    `a ${quoteName(className)} of ${formatInt(elements)} elements`;
  const problem = `its storage ${quoteName(first.key)} is ${spelled(again)} here, ${spelled(first)} before`;
  report(problem.replace(/^its/, 'the'));
  return { problem };
};

/** Bytes of ranges that may overlap, each counted once. */
export const unionBytes = (ranges: readonly Reached[]): number => {
  let covered = 0;
  let end = 0;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    covered += Math.max(to - Math.max(from, end), 0);
    end = Math.max(end, to);
  }
  return covered;
};
