import type { MetadataEntry } from '../../../shared/checkpoint-types.ts';
import { type Finding, type FindingCode, finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ArchiveContent, CheckpointContent, ValueTree } from '../../checkpoint-content.ts';
import { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { mergeTables } from '../../tensor/merge-tables.ts';
import { tableTotals } from '../../tensor/table-totals.ts';
import { TensorTable, type TensorTableData } from '../../tensor/tensor-table.ts';
import { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import { PickleLog } from '../pickle/pickle-log.ts';
import type { ShardIndex } from './parse-index.ts';

/** One shard of a model, as far as it could be had. */
export interface ShardPart {
  /** Name as the index spells it, relative to the model's folder. */
  readonly name: string;
  /** What is in it; undefined when it was not opened. */
  readonly content: CheckpointContent | undefined;
  /** Why it was not opened. */
  readonly problem?: { readonly code: FindingCode; readonly message: string };
}

/** Everything known of a sharded model before it is judged. */
export interface ShardSet {
  /** Base name of the index, or of the set where there is no index. */
  readonly label: string;
  readonly index: ShardIndex | undefined;
  /** In the order of the set. */
  readonly parts: readonly ShardPart[];
  /** How many more shards of a numbered set are missing than are listed as parts. */
  readonly unnamed: number;
  /** Files of the same kind in the folder that the index does not name. */
  readonly strays: readonly string[];
}

/** Names listed in one finding. */
const MOST_NAMED = 3;

const listed = (names: readonly string[]): string => {
  const more = names.length > MOST_NAMED ? ` and ${formatInt(names.length - MOST_NAMED)} more` : '';
  return names.slice(0, MOST_NAMED).map(quoteName).join(', ') + more;
};

const plural = (count: number, one: string): string => `${formatInt(count)} ${one}${count === 1 ? '' : 's'}`;

/** Tensors that the index promises, by the shard it promises them in. */
const namesByShard = (index: ShardIndex | undefined): ReadonlyMap<string, readonly string[]> => {
  const byShard = new Map<string, string[]>();
  for (const [tensor, shard] of index?.weightMap ?? []) {
    const names = byShard.get(shard);
    if (names === undefined) {
      byShard.set(shard, [tensor]);
    } else {
      names.push(tensor);
    }
  }
  return byShard;
};

/** Rows for the tensors of a shard that is not there. */
const absentTable = (part: ShardPart, promised: readonly string[]): TensorTableData => {
  const table = new TensorTableBuilder([part.name]);
  const reason = `its shard ${quoteName(part.name)} is not there`;
  for (const name of promised) {
    const row = { name, dtype: '', shape: [], count: undefined, begin: undefined, end: undefined } as const;
    table.refuse(table.add({ ...row, layout: 'absent', file: 0 }), reason, 'absent');
  }
  return table.finish();
};

/** Reports what the index and the headers of the shards that are there say differently. */
const crossCheck = (
  set: ShardSet,
  table: TensorTable,
  promised: ReadonlyMap<string, readonly string[]>,
  findings: FindingList,
) => {
  const { index, label } = set;
  const shardOf = (id: number): string => table.data.files[table.data.fileOf[id] ?? 0] ?? '';
  const report = (code: FindingCode, message: string, where: Partial<Finding>): void => {
    findings.add(finding(code, message, { file: label, ...where }));
  };
  const holders = new Map<string, number[]>();
  for (let id = 0; id < table.length; id += 1) {
    if (table.data.layouts[id] !== ABSENT) {
      const ids = holders.get(table.name(id));
      if (ids === undefined) {
        holders.set(table.name(id), [id]);
      } else {
        ids.push(id);
      }
    }
  }
  for (const [name, ids] of holders) {
    const shards = [...new Set(ids.map(shardOf))];
    const picked = index?.weightMap.get(name);
    if (shards.length > 1) {
      const choice = picked === undefined ? 'no index says which counts' : `the index picks ${quoteName(picked)}`;
      const message = `tensor ${quoteName(name)} is in ${shards.length} shards (${listed(shards)}); ${choice}`;
      report('tensor-in-two-shards', message, { tensor: name, tensorId: ids[0] ?? 0 });
    }
    if (index !== undefined && picked === undefined) {
      const message = `tensor ${quoteName(name)} is in ${quoteName(shards[0] ?? '')} but not in the index`;
      report('tensor-not-in-index', message, { tensor: name, tensorId: ids[0] ?? 0 });
    }
  }
  for (const { name: shard, content } of set.parts) {
    const phantoms =
      content === undefined
        ? []
        : (promised.get(shard) ?? []).filter((name) => !(holders.get(name) ?? []).some((id) => shardOf(id) === shard));
    for (const tensor of phantoms) {
      report(
        'index-entry-missing',
        `the index says ${quoteName(tensor)} is in ${quoteName(shard)}, which has no such tensor`,
        {
          tensor,
        },
      );
    }
  }
};

const ABSENT = 3;

const judgeTotal = ({ index, label }: ShardSet, bytes: number, findings: FindingList): void => {
  if (index?.totalSizeText === undefined || index.totalSize === bytes) {
    return;
  }
  const spelled = index.totalSizeText.slice(0, 40);
  const declared = index.totalSize === undefined ? `${spelled}, which is no plain integer` : formatInt(index.totalSize);
  const message = `the index declares total_size ${declared}; the tensors have ${formatInt(bytes)} bytes`;
  findings.add(finding('total-size-mismatch', message, { file: label }));
};

/** Metadata of all shards together; of a key that they give differently the first shard's value, and a finding. */
const mergeMetadata = ({ parts, label }: ShardSet, findings: FindingList): MetadataEntry[] => {
  const merged = new Map<string, { readonly entry: MetadataEntry; readonly shard: string }>();
  const differing = new Map<string, string[]>();
  for (const { name: shard, content } of parts) {
    for (const entry of content?.metadata ?? []) {
      const first = merged.get(entry.key);
      if (first === undefined) {
        merged.set(entry.key, { entry, shard });
      } else if (first.entry.value !== entry.value || first.entry.type !== entry.type) {
        const shards = differing.get(entry.key);
        if (shards === undefined) {
          differing.set(entry.key, [first.shard, shard]);
        } else {
          shards.push(shard);
        }
      }
    }
  }
  for (const [key, shards] of differing) {
    const message = `the shards give ${quoteName(key)} in their metadata differently (${listed(shards)}); the first is shown`;
    findings.add(finding('shard-metadata-differs', message, { file: label }));
  }
  return [...merged.values()].map(({ entry }) => entry);
};

/** A shard's finding with its tensor and pickle as the whole model counts them. */
const rebased = ({ pickle, ...item }: Finding, firstId: number, places: readonly (number | undefined)[]): Finding => {
  const place = pickle === undefined ? undefined : places[pickle.place];
  return {
    ...item,
    ...(item.tensorId === undefined ? {} : { tensorId: item.tensorId + firstId }),
    ...(pickle === undefined || place === undefined ? {} : { pickle: { ...pickle, place } }),
  };
};

/** A shard's value trees, named after it. */
const treesOf = ({ name, content }: ShardPart, firstId: number): readonly ValueTree[] =>
  (content?.pickles ?? []).map((tree) => ({
    ...tree,
    name: tree.name === name ? name : `${name}: ${tree.name}`,
    ...(tree.firstTensor === undefined ? {} : { firstTensor: tree.firstTensor + firstId }),
  }));

/** Tables of all parts: what is in a shard that is there, what the index promised of one that is not. */
const tablesOf = (parts: readonly ShardPart[], promised: ReadonlyMap<string, readonly string[]>): TensorTableData[] =>
  parts.map((part) => {
    const lacking = part.content === undefined || part.content.format === 'unrecognised';
    return lacking
      ? absentTable(part, promised.get(part.name) ?? [])
      : { ...part.content.table.data, files: [part.name, ...(part.content.members ?? []).map(() => part.name)] };
  });

/** Archives among the shards, by their index in the table's files. */
const archivesOf = (parts: readonly ShardPart[], tables: readonly TensorTableData[]): ArchiveContent[] => {
  let first = 0;
  return parts.flatMap(({ content }, index) => {
    const base = first;
    first += tables[index]?.files.length ?? 0;
    return (content?.archives ?? []).map(({ file, unread }) => ({ file: base + file, unread }));
  });
};

/**
 * Joins the shards of a model into one checkpoint: all tensors in shard order, those of missing shards listed as absent, and
 * index, headers and disk checked against each other (FIELD-CASES B15). Counts come from headers, never from the index.
 * The table's files are the parts in order, each followed by what lies inside it.
 */
export const assembleShards = (set: ShardSet): CheckpointContent => {
  const promised = namesByShard(set.index);
  const tables = tablesOf(set.parts, promised);
  const { table: data, firstIds } = mergeTables(tables);
  const table = new TensorTable(data);
  const findings = new FindingList();
  const pickleLog = new PickleLog();
  for (const item of set.index?.findings ?? []) {
    findings.add(item);
  }
  set.parts.forEach(({ name, content, problem }, index) => {
    const lost = promised.get(name) ?? [];
    if (problem !== undefined) {
      const loss = lost.length > 0 ? `; ${plural(lost.length, 'tensor')} lost: ${listed(lost)}` : '';
      findings.add(finding(problem.code, `${problem.message}${loss}`, { file: set.label }));
    }
    if (content !== undefined) {
      const places = content.pickleLog === undefined ? [] : pickleLog.addAll(content.pickleLog);
      findings.addAll(content.findings, (item) => rebased(item, firstIds[index] ?? 0, places));
    }
  });
  if (set.unnamed > 0) {
    findings.add(
      finding('shard-missing', `${plural(set.unnamed, 'more shard')} of the set missing`, { file: set.label }),
    );
  }
  for (const stray of set.strays) {
    findings.add(
      finding('stray-file', `${quoteName(stray)} lies beside the shards but is not in the index`, { file: stray }),
    );
  }
  crossCheck(set, table, promised, findings);
  const present = set.parts.flatMap(({ content }) => (content === undefined ? [] : [content]));
  const sum = (of: (content: CheckpointContent) => number): number =>
    present.reduce((total, part) => total + of(part), 0);
  const claimedBytes = sum((content) => content.claimedBytes);
  const missingBytes = sum((content) => content.missingBytes);
  if (present.length === set.parts.length) {
    // What the tensors take in whole files: a cut is its own finding.
    judgeTotal(set, claimedBytes + missingBytes, findings);
  }
  return {
    format: present.find(({ format }) => format !== 'unrecognised')?.format ?? 'safetensors',
    table,
    totals: tableTotals(table),
    metadata: mergeMetadata(set, findings),
    findings,
    claimedBytes,
    missingBytes,
    archives: archivesOf(set.parts, tables),
    pickles: set.parts.flatMap((part, index) => treesOf(part, firstIds[index] ?? 0)),
    pickleLog,
  };
};
