import type { MetadataEntry } from '../../../shared/checkpoint-types.ts';
import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { type CheckpointContent, noContent, type ValueTree } from '../../checkpoint-content.ts';
import type { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { tableTotals } from '../../tensor/table-totals.ts';
import { TensorTable } from '../../tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import { gradePickle } from '../pickle/grade-pickle.ts';
import { PickleLog } from '../pickle/pickle-log.ts';
import { runPickle } from '../pickle/run-pickle.ts';
import { STORED } from '../zip/compare-headers.ts';
import { readMember } from '../zip/read-member.ts';
import { readZipDirectory } from '../zip/read-zip-directory.ts';
import type { ZipMember } from '../zip/zip-types.ts';
import { addTensors } from './add-tensors.ts';
import { isScript, pickleWhere, type TorchArchive, torchArchive } from './archive.ts';
import { checkableBytes } from './check-archive.ts';
import { InlineBytes, type PickleStream } from './inline-bytes.ts';
import { InnerSources, withInnerFiles } from './inner-source.ts';
import type { RowContext } from './row-context.ts';
import { scanOthers } from './scan-others.ts';
import { scriptCode } from './script-code.ts';
import { simpleEntries } from './simple-entries.ts';
import { StorageMap, unionBytes } from './storages.ts';
import { uniqueNames } from './unique-names.ts';
import { zipKind } from './zip-kind.ts';

/** Longest pickle that is read, in bytes (FORMATS.md 8). */
const LONGEST_PICKLE = 512 * 1024 * 1024;

class TorchReading {
  readonly #archive: TorchArchive;
  readonly #findings: FindingList;
  /** Compressed members, file 1 and on of the table. */
  readonly inner = new InnerSources();
  readonly #known = new Set<ZipMember>();
  readonly #maps: StorageMap[] = [];
  readonly #unique = uniqueNames();
  readonly #budget = { channels: 0 };
  metadata: readonly MetadataEntry[] = [];
  /** Bytes of arrays inside the pickles. */
  inlineBytes = 0;
  readonly pickles: ValueTree[] = [];
  readonly log = new PickleLog();

  constructor(archive: TorchArchive, findings: FindingList) {
    this.#archive = archive;
    this.#findings = findings;
  }

  /** Reads one pickle of the archive and adds the tensors in it. */
  async readPickle(record: string, folder: string, prefix: string, table: TensorTableBuilder): Promise<void> {
    const { source, bigEndian } = this.#archive;
    const file = source.name;
    const member = this.#archive.record(record);
    if (member === undefined) {
      return;
    }
    this.#known.add(member);
    const limits = { file, mostBytes: LONGEST_PICKLE, findings: this.#findings };
    // torch reads this record out of memory, where frames have a meaning of their own; both are graded.
    const outcome = runPickle(await readMember(source, member, limits), { frames: 'buffered' });
    this.#findings.add(...gradePickle(outcome, pickleWhere(this.#archive, member), this.log));
    const storages = new StorageMap(this.#archive, folder, this.inner, this.#findings);
    this.#maps.push(storages);
    const { root } = outcome;
    if (root !== undefined) {
      const inline = new InlineBytes(this.#streamOf(member, record, outcome.bytes), this.inner);
      const sourceOf = inline.sourcesOver(source);
      const own = { inline, sourceOf, budget: this.#budget, uncertain: [], file, findings: this.#findings };
      const context: RowContext = { table, storages, bigEndian, ...own };
      const tensors = await addTensors(root, { prefix, unique: this.#unique }, context);
      this.pickles.push({ name: record, root, ...tensors });
      this.inlineBytes += inline.claimed();
      this.metadata = prefix === '' ? simpleEntries(root) : this.metadata;
    }
  }

  /** Where a pickle's own bytes lie: in the archive, or in the compressed member they come out of. */
  #streamOf(member: ZipMember, name: string, bytes: Uint8Array): PickleStream {
    if (member.method === STORED && member.payload !== undefined) {
      return { bytes, name, file: () => 0, begin: member.payload.begin };
    }
    let added: number | undefined;
    const file = (): number => {
      added ??= this.inner.add({ kind: 'member', name: member.name, member });
      return added;
    };
    return { bytes, name, file, begin: 0 };
  }

  /** Bytes of storages that tensors reach, each once; notes what no tensor reaches. */
  judgeStorages(): number {
    let claimed = 0;
    const file = this.#archive.source.name;
    for (const [member, ranges] of this.#maps.flatMap(({ reached }) => [...reached])) {
      this.#known.add(member);
      const used = unionBytes(ranges);
      claimed += used;
      if (used < member.bytes && ranges.length > 0) {
        const parts = `${formatInt(used)} of ${formatInt(member.bytes)} bytes`;
        const message = `tensors reach ${parts} of the storage ${quoteName(member.name)}`;
        this.#findings.add(finding('view-of-larger-storage', message, { file, offset: member.header }));
      }
    }
    const data = `${this.#archive.prefix}data/`;
    for (const member of this.#archive.directory.members) {
      if (member.name.startsWith(data) && !this.#known.has(member)) {
        const message = `no tensor refers to the storage ${quoteName(member.name)} of ${formatInt(member.bytes)} bytes`;
        this.#findings.add(finding('unreferenced-storage-bytes', message, { file, offset: member.header }));
      }
    }
    return claimed;
  }

  scanOthers(): Promise<void> {
    return scanOthers(this.#archive, this.#known, this.#findings, this.log);
  }
}

/** A zip that is no PyTorch archive. */
const otherZip = (source: ByteSource, names: readonly string[], findings: FindingList): CheckpointContent => {
  const listed = names.slice(0, 3).map(quoteName).join(', ');
  const message = `${zipKind(names)}; it holds ${formatInt(names.length)} members: ${listed}`;
  findings.add(finding('unrecognised', message, { file: source.name, offset: 0 }));
  return noContent('unrecognised', source.name, findings);
};

/**
 * Reads a PyTorch zip checkpoint (FORMATS.md 2). Its pickles are carried out symbolically: nothing is imported or run, and
 * what would be is graded. Tensors are listed under the path that leads to them in the value tree; their values stay in
 * the file.
 *
 * @throws whatever the source's reads throw.
 */
export const readPytorch = async (source: ByteSource): Promise<CheckpointContent> => {
  const directory = await readZipDirectory(source, source.name);
  const { findings } = directory;
  const archive = await torchArchive(source, directory, findings);
  if (archive === undefined) {
    return directory.members.length === 0
      ? noContent('pytorch', source.name, findings)
      : otherZip(
          source,
          directory.members.map(({ name }) => name),
          findings,
        );
  }
  const table = new TensorTableBuilder([source.name]);
  const reading = new TorchReading(archive, findings);
  await reading.readPickle('data.pkl', 'data/', '', table);
  await reading.readPickle('constants.pkl', 'constants/', 'constants', table);
  const claimedBytes = reading.judgeStorages() + reading.inlineBytes;
  await reading.scanOthers();
  const code = scriptCode(archive, findings);
  const finished = new TensorTable(withInnerFiles(table.finish(), reading.inner));
  return {
    format: isScript(archive) ? 'torchscript' : 'pytorch',
    table: finished,
    totals: tableTotals(finished),
    metadata: reading.metadata,
    findings,
    claimedBytes,
    missingBytes: 0,
    members: reading.inner.list,
    archives: [{ file: 0, unread: checkableBytes(directory) }],
    ...(code.length > 0 ? { code } : {}),
    pickles: reading.pickles,
    pickleLog: reading.log,
  };
};
