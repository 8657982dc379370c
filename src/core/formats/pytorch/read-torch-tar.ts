import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { type CheckpointContent, noContent } from '../../checkpoint-content.ts';
import { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { tableTotals } from '../../tensor/table-totals.ts';
import { TensorTable } from '../../tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import { gradePickle } from '../pickle/grade-pickle.ts';
import type { PickleNode } from '../pickle/nodes.ts';
import { PickleLog } from '../pickle/pickle-log.ts';
import { type PickleOutcome, runPickle } from '../pickle/run-pickle.ts';
import { readTar, type TarListing, type TarMember } from '../tar/read-tar.ts';
import { addTensors } from './add-tensors.ts';
import { InlineBytes } from './inline-bytes.ts';
import { InnerSources, withInnerFiles } from './inner-source.ts';
import { judgeSystem } from './judge-system.ts';
import { integerOf, textOfNode } from './read-node.ts';
import { simpleEntries } from './simple-entries.ts';
import { TarStorages } from './tar-storages.ts';
import { readTarTensors } from './tar-tensors.ts';
import type { TensorReading } from './tensor-reading.ts';
import { uniqueNames } from './unique-names.ts';

/** Longest member that is put in memory, in bytes (FORMATS.md 8). */
const LONGEST_MEMBER = 512 * 1024 * 1024;
/** What torch wrote into a tar archive, up to version 0.1.10. */
const MEMBERS = ['sys_info', 'pickle', 'tensors', 'storages'] as const;

/** A tar archive that is not torch's. */
const otherTar = (source: ByteSource, { members, problem }: TarListing, findings: FindingList): CheckpointContent => {
  const names = members
    .slice(0, 3)
    .map(({ name }) => quoteName(name))
    .join(', ');
  const what = `a tar archive without PyTorch's members; it holds ${formatInt(members.length)}: ${names}`;
  const cut = problem === undefined ? '' : `; ${problem}`;
  findings.add(finding('unrecognised', `${what}${cut}`, { file: source.name, offset: 0 }));
  return noContent('unrecognised', source.name, findings);
};

/** Refers to a tensor by the key it has in the file; torch reads the key as an integer. */
const keyOf = (node: PickleNode): string | undefined => {
  if (node.kind !== 'persistent') {
    return undefined;
  }
  const text = textOfNode(node.id) ?? integerOf(node.id)?.toString();
  return text !== undefined && /^-?\d{1,30}$/.test(text.trim()) ? String(BigInt(text.trim())) : undefined;
};

/**
 * Reads a PyTorch file of before 0.1.11: a tar archive with the object's pickle, tensors and storages in members of their own
 * (FORMATS.md 2.12). Nothing is imported or run; every pickle in it is graded.
 *
 * @throws whatever the source's reads throw.
 */
export const readTorchTar = async (source: ByteSource): Promise<CheckpointContent> => {
  const findings = new FindingList();
  const file = source.name;
  const tar = await readTar(source);
  const byName = new Map(MEMBERS.map((name) => [name, tar.members.filter((member) => member.name === name)] as const));
  const only = (name: (typeof MEMBERS)[number]): TarMember | undefined => byName.get(name)?.[0];
  const pickle = only('pickle');
  const tensors = only('tensors');
  const storages = only('storages');
  if (pickle === undefined || tensors === undefined || storages === undefined) {
    return otherTar(source, tar, findings);
  }
  if (tar.problem !== undefined) {
    findings.add(finding('not-scanned', `the tar archive is not listed whole: ${tar.problem}`, { file }));
  }
  const repeated = MEMBERS.filter((name) => (byName.get(name)?.length ?? 0) > 1);
  if (repeated.length > 0) {
    const message = `the tar archive has the member ${repeated.map(quoteName).join(', ')} more than once; which one counts is not known`;
    findings.add(finding('duplicate-name', message, { file }));
    return { ...noContent('pytorch-tar', file, findings), listProblem: message };
  }
  const pickleLog = new PickleLog();
  const grade = (outcome: PickleOutcome, base: number, member: string): void => {
    const where = { file, member, base, ignoreTrailing: true };
    const found = gradePickle(outcome, where);
    // There is a pickle for each tensor: those of which there is nothing to say would crowd out the object's.
    findings.add(...(found.length === 0 ? found : gradePickle(outcome, where, pickleLog)));
  };
  const read = ({ begin, end }: TarMember): Promise<Uint8Array> =>
    readBytes(source, begin, Math.min(end - begin, LONGEST_MEMBER));
  const info = only('sys_info');
  if (info !== undefined) {
    const system = runPickle(await read(info));
    grade(system, info.begin, info.name);
    judgeSystem(system, { file, base: info.begin }, findings);
  }
  const placed = new TarStorages();
  await placed.read(source, storages, (outcome, begin) => grade(outcome, begin, storages.name), findings);
  const list = readTarTensors(await read(tensors), placed, (outcome) => grade(outcome, tensors.begin, tensors.name));
  if (!list.complete) {
    const message = `the list of tensors breaks off after ${formatInt(list.byKey.size)}`;
    findings.add(finding('pickle-broken', message, { file, offset: tensors.begin }));
  }
  const outcome = runPickle(await read(pickle));
  findings.add(...gradePickle(outcome, { file, member: pickle.name, base: pickle.begin }, pickleLog));
  const { root } = outcome;
  if (root === undefined) {
    return {
      ...noContent('pytorch-tar', file, findings),
      listProblem: outcome.problem?.message ?? 'no object',
      pickleLog,
    };
  }
  const table = new TensorTableBuilder([file]);
  const inner = new InnerSources();
  const inline = new InlineBytes({ bytes: outcome.bytes, name: file, file: () => 0, begin: pickle.begin }, inner);
  const sourceOf = inline.sourcesOver(source);
  const own = { inline, sourceOf, budget: { channels: 0 }, uncertain: [], file, findings };
  const context = { table, storages: placed, bigEndian: false, ...own };
  const resolve = (node: PickleNode): TensorReading | undefined => list.byKey.get(keyOf(node) ?? '');
  const found = await addTensors(root, { prefix: '', unique: uniqueNames(), resolve }, context);
  const finished = new TensorTable(withInnerFiles(table.finish(), inner));
  return {
    format: 'pytorch-tar',
    table: finished,
    totals: tableTotals(finished),
    metadata: simpleEntries(root),
    findings,
    claimedBytes: placed.claimed() + inline.claimed(),
    missingBytes: 0,
    members: inner.list,
    pickles: [{ name: pickle.name, root, ...found }],
    pickleLog,
  };
};
