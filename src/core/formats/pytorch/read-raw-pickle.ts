import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { type CheckpointContent, noContent } from '../../checkpoint-content.ts';
import { FindingList } from '../../finding-list.ts';
import { tableTotals } from '../../tensor/table-totals.ts';
import { TensorTable } from '../../tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import { gradePickle } from '../pickle/grade-pickle.ts';
import { PickleLog } from '../pickle/pickle-log.ts';
import { runPickle } from '../pickle/run-pickle.ts';
import { addTensors } from './add-tensors.ts';
import { InlineBytes } from './inline-bytes.ts';
import { InnerSources, withInnerFiles } from './inner-source.ts';
import { simpleEntries } from './simple-entries.ts';
import { NO_STORAGES } from './storages.ts';
import { uniqueNames } from './unique-names.ts';

/** Longest file that is read as one pickle, in bytes (FORMATS.md 8). */
const LONGEST_PICKLE = 512 * 1024 * 1024;

/**
 * Reads a file that is a pickle by itself: its value tree, what loading it would run, and the arrays in it.
 *
 * @throws whatever the source's reads throw.
 */
export const readRawPickle = async (source: ByteSource): Promise<CheckpointContent> => {
  const findings = new FindingList();
  const file = source.name;
  const length = Math.min(source.size, LONGEST_PICKLE);
  const outcome = runPickle(await readBytes(source, 0, length));
  const pickleLog = new PickleLog();
  findings.add(...gradePickle(outcome, { file, base: 0 }, pickleLog));
  if (length < source.size) {
    const message = `only the first ${formatInt(length)} of ${formatInt(source.size)} bytes were read as a pickle`;
    findings.add(finding('not-scanned', message, { file, offset: length }));
  }
  const { root } = outcome;
  if (root === undefined) {
    return { ...noContent('pickle', file, findings), pickleLog };
  }
  const table = new TensorTableBuilder([file]);
  const inner = new InnerSources();
  const inline = new InlineBytes({ bytes: outcome.bytes, name: file, file: () => 0, begin: 0 }, inner);
  const sourceOf = inline.sourcesOver(source);
  const own = { inline, sourceOf, budget: { channels: 0 }, uncertain: [], file, findings };
  const context = { table, storages: NO_STORAGES, bigEndian: false, ...own };
  const tensors = await addTensors(root, { prefix: '', unique: uniqueNames() }, context);
  const finished = new TensorTable(withInnerFiles(table.finish(), inner));
  return {
    ...noContent('pickle', file, findings),
    table: finished,
    totals: tableTotals(finished),
    metadata: simpleEntries(root),
    claimedBytes: inline.claimed(),
    members: inner.list,
    pickles: [{ name: file, root, ...tensors }],
    pickleLog,
  };
};
