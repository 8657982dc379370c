import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { type CheckpointContent, noContent } from '../../checkpoint-content.ts';
import { FindingList } from '../../finding-list.ts';
import { tableTotals } from '../../tensor/table-totals.ts';
import { TensorTable } from '../../tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import { contentKind } from '../content-kinds.ts';
import { gradePickle } from '../pickle/grade-pickle.ts';
import { looksLikePickle } from '../pickle/looks-like-pickle.ts';
import { PickleLog } from '../pickle/pickle-log.ts';
import { type PickleOutcome, runPickle } from '../pickle/run-pickle.ts';
import { addTensors } from './add-tensors.ts';
import { InlineBytes } from './inline-bytes.ts';
import { InnerSources, withInnerFiles } from './inner-source.ts';
import { judgeSystem } from './judge-system.ts';
import { LegacyStorages } from './legacy-storages.ts';
import { integerOf, itemsOf, textOfNode } from './read-node.ts';
import { simpleEntries } from './simple-entries.ts';
import { PROTOCOL_VERSION, stackedPickles } from './stacked-pickles.ts';
import { type StorageReference, storageOf } from './storage-reference.ts';
import { uniqueNames } from './unique-names.ts';

/** Bytes read at first, and at the most, to find the end of the pickles; storages behind them are not read. */
const FIRST_BYTES = 1024 * 1024;
const MOST_BYTES = 512 * 1024 * 1024;
/** Bytes behind the last storage that are looked into. */
const LONGEST_TRAILING = 64 * 1024 * 1024;

/** The pickles at the file's beginning, as many as could be read, up to five. */
const readPickles = async (source: ByteSource): Promise<readonly PickleOutcome[]> => {
  for (let length = FIRST_BYTES; ; length *= 4) {
    const taken = Math.min(length, source.size, MOST_BYTES);
    const outcomes = stackedPickles(await readBytes(source, 0, taken));
    const cut = outcomes.at(-1)?.problem?.cutOff === true;
    if (!cut || taken === source.size || taken === MOST_BYTES) {
      return outcomes;
    }
  }
};

/** Every storage that the object refers to, by its key; the first reference of each, as torch takes it. */
const referencesOf = ({ events }: PickleOutcome): ReadonlyMap<string, StorageReference> => {
  const references = new Map<string, StorageReference>();
  for (const { kind, node } of events) {
    const reference = kind === 'persistent-id' ? storageOf(node) : undefined;
    if (reference !== undefined && !references.has(reference.key)) {
      references.set(reference.key, reference);
    }
  }
  return references;
};

/** Looks into bytes behind the last storage, which torch ignores and another loader may not (FIELD-CASES B37). */
const scanTrailing = async (
  source: ByteSource,
  begin: number,
  findings: FindingList,
  log: PickleLog,
): Promise<void> => {
  const file = source.name;
  const length = source.size - begin;
  const head = await readBytes(source, begin, Math.min(length, LONGEST_TRAILING));
  const kind = contentKind(head, length);
  const looks = kind === undefined ? '' : `; they look like ${kind.label}`;
  const message = `${formatInt(length)} bytes after the last storage, at offset ${formatInt(begin)}${looks}`;
  findings.add(finding('pickle-trailing', message, { file, offset: begin }));
  if (looksLikePickle(head)) {
    findings.add(...gradePickle(runPickle(head), { file, base: begin }, log));
  } else if (kind?.mayHoldCode === true) {
    findings.add(
      finding('not-scanned', `${kind.label} after the last storage was not scanned`, { file, offset: begin }),
    );
  }
};

/**
 * Reads a PyTorch file of before 1.6: five pickles one after the other, then the storages (FORMATS.md 2.11). Nothing is
 * imported or run; all five pickles are graded.
 *
 * @throws whatever the source's reads throw.
 */
export const readLegacy = async (source: ByteSource): Promise<CheckpointContent> => {
  const findings = new FindingList();
  const file = source.name;
  const pickleLog = new PickleLog();
  const outcomes = await readPickles(source);
  for (const outcome of outcomes) {
    findings.add(...gradePickle(outcome, { file, base: 0, ignoreTrailing: true }, pickleLog));
  }
  const [, version, system, object, keyList] = outcomes;
  judgeSystem(system, { file, base: 0 }, findings);
  const root = object?.root;
  const keys = itemsOf(keyList?.root)?.map(textOfNode);
  if (integerOf(version?.root) !== PROTOCOL_VERSION) {
    const message = 'the second pickle is not the protocol version 1001; other loaders refuse this file';
    findings.add(finding('pickle-broken', message, { file, offset: version?.start ?? 0 }));
  }
  if (object === undefined || root === undefined || keyList === undefined || keys === undefined) {
    return {
      ...noContent('pytorch-legacy', file, findings),
      metadata: root === undefined ? [] : simpleEntries(root),
      pickles: root === undefined ? [] : [{ name: file, root }],
      pickleLog,
    };
  }
  const storages = new LegacyStorages();
  const known = keys.flatMap((key) => key ?? []);
  const end = await storages.place(source, keyList.end, known, referencesOf(object), findings);
  if (end !== undefined && end < source.size) {
    await scanTrailing(source, end, findings, pickleLog);
  }
  const table = new TensorTableBuilder([file]);
  const inner = new InnerSources();
  const inline = new InlineBytes({ bytes: object.bytes, name: file, file: () => 0, begin: 0 }, inner);
  const sourceOf = inline.sourcesOver(source);
  const own = { inline, sourceOf, budget: { channels: 0 }, uncertain: [], file, findings };
  const context = { table, storages, bigEndian: false, ...own };
  const tensors = await addTensors(root, { prefix: '', unique: uniqueNames() }, context);
  const finished = new TensorTable(withInnerFiles(table.finish(), inner));
  return {
    format: 'pytorch-legacy',
    table: finished,
    totals: tableTotals(finished),
    metadata: simpleEntries(root),
    findings,
    claimedBytes: storages.claimed() + inline.claimed(),
    missingBytes: 0,
    members: inner.list,
    pickles: [{ name: file, root, ...tensors }],
    pickleLog,
  };
};
