import type { MetadataEntry } from '../../shared/checkpoint-types.ts';
import { LoupeError } from '../../shared/errors.ts';
import type { Finding, FindingCode } from '../../shared/findings.ts';
import { formatInt } from '../../shared/format-number.ts';
import { SAFETENSORS_DTYPES } from '../dtypes/dtype-table.ts';
import { TensorLookupError, UnreadableTensorError } from '../errors.ts';
import type { HeaderTensor } from '../formats/safetensors/write-header.ts';
import { quoteName } from '../quote-name.ts';
import { LAYOUTS, type TensorTable } from '../tensor/tensor-table.ts';
import { planSafetensors, type SafetensorsPlan } from './plan-safetensors.ts';
import { quantisedNotes, writtenDtype, writtenName } from './quantised-output.ts';
import { selectedNames } from './selected-names.ts';
import { INDEX_NAME, indexText, shardNames, splitIntoShards } from './shard-plan.ts';

/** What becomes of a checkpoint. */
export interface ConversionOptions {
  /** Globs (see `compileGlob`): tensors that any of them matches are taken; all when there is none. */
  readonly include?: readonly string[] | undefined;
  /** Globs: tensors that any of them matches are left out, included or not. */
  readonly exclude?: readonly string[] | undefined;
  /** Shards of at most this many bytes of tensors; one file when left out. */
  readonly maxShardBytes?: number | undefined;
  /** Metadata to set, besides what is kept; of one key twice the last counts. */
  readonly metadata?: readonly (readonly [key: string, value: string])[] | undefined;
}

/** What is converted: the parts of a Checkpoint that planning needs. */
export interface ConversionInput {
  readonly format: string;
  readonly table: TensorTable;
  readonly metadata: readonly MetadataEntry[];
  readonly findings: readonly Finding[];
}

/** A tensor of the output, and the row of the input it comes from. */
export interface PlannedTensor extends HeaderTensor {
  readonly id: number;
}

/** The files of the output, before a byte of a tensor has been read. */
export interface ConversionPlan {
  /** `name` is the base name; a single file may be called otherwise. */
  readonly files: readonly { readonly name: string; readonly plan: SafetensorsPlan<PlannedTensor> }[];
  /** The index beside several shards; undefined for a single file. */
  readonly index: { readonly name: string; readonly text: string } | undefined;
  /** Bytes of all files but the index. */
  readonly bytes: number;
  /** What whoever asked should know, a sentence each. */
  readonly notes: readonly string[];
}

/** Names listed in one message. */
const MOST_NAMED = 5;

const listed = (items: readonly string[]): string => {
  const more = items.length > MOST_NAMED ? ` and ${formatInt(items.length - MOST_NAMED)} more` : '';
  return items.slice(0, MOST_NAMED).join(', ') + more;
};

/** What says that tensors may be lost whose names are not known, when none is listed as absent. */
const LOST: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'shard-missing',
  'shard-name-unsafe',
  'file-changed',
  'pickle-broken',
  'pickle-limit',
  'zip-truncated',
  'git-lfs-pointer',
  'html-page',
  'json-error',
  'unrecognised',
]);

/** Refuses an input whose list of tensors is itself in doubt: what is not listed would be lost without a word. */
const checkInput = ({ format, table, findings }: ConversionInput, explicit: boolean): void => {
  if (format === 'unrecognised') {
    const [first] = findings;
    throw new LoupeError('unrecognised', first?.message ?? 'the file is no checkpoint');
  }
  const broken = findings.find(
    ({ code }) => (code.startsWith('header-') && code !== 'header-over-cap') || code === 'file-too-short',
  );
  if (broken !== undefined) {
    throw new LoupeError(broken.code, `the list of tensors is damaged, so nothing was converted: ${broken.message}`);
  }
  const lost = findings.find(({ code }) => LOST.has(code));
  const listedAsAbsent = table.data.present.some((present) => present === 0);
  if (lost !== undefined && !listedAsAbsent && !explicit) {
    throw new LoupeError(lost.code, `${lost.message}. What is lost is not known: name what you want by --include`);
  }
};

/** Of the table's layouts, those whose elements can be read one by one, in order. */
const PLAIN: ReadonlySet<number> = new Set([LAYOUTS.indexOf('contiguous'), LAYOUTS.indexOf('strided')]);

/** Why a row cannot be written; undefined when it can. */
const refusal = (table: TensorTable, id: number): string | undefined => {
  if (!table.isPresent(id)) {
    return table.problem(id) ?? 'its bytes are not in the file';
  }
  const dtype = writtenDtype(table, id);
  if (!SAFETENSORS_DTYPES.has(dtype)) {
    return `safetensors has no dtype ${quoteName(dtype)}`;
  }
  return PLAIN.has(table.data.layouts[id] ?? -1) ? undefined : 'its elements are packed into blocks';
};

const checkRows = (table: TensorTable, ids: readonly number[]): void => {
  const refused = ids.flatMap((id) => {
    const why = refusal(table, id);
    return why === undefined ? [] : [{ name: table.name(id), why }];
  });
  const [first] = refused;
  if (first !== undefined) {
    const others = refused.slice(1).map(({ name }) => quoteName(name));
    const also = others.length === 0 ? '' : `; so is ${listed(others)}`;
    throw new UnreadableTensorError(first.name, `${first.why}${also}. Leave it out by --exclude to convert the rest`);
  }
  const seen = new Set<string>();
  const repeated = new Set(
    ids
      .map((id) => table.name(id))
      .filter((name) => {
        const again = seen.has(name);
        seen.add(name);
        return again;
      }),
  );
  const [name] = repeated;
  if (name !== undefined) {
    const same = table.idsOf(name);
    const rows = listed(same.map((id) => `#${id} in ${table.row(id).file}`));
    const also = repeated.size === 1 ? '' : `, and so do ${formatInt(repeated.size - 1)} other names`;
    const message = `the name ${quoteName(name)} occurs ${same.length} times (${rows})${also}: which one counts is not known. Leave the name out by --exclude, or export one of them by its #ID`;
    throw new LoupeError('duplicate-name', message, { name });
  }
};

/** Ranges that several of the tensors share, as sentences; views, which may share them in part or otherwise, are left out. */
const tiedNotes = (table: TensorTable, ids: readonly number[]): string[] => {
  const { begins, ends, fileOf } = table.data;
  const at = (column: Float64Array | Uint32Array, id: number): number => column[id] ?? 0;
  const compare = (a: number, b: number): number =>
    at(fileOf, a) - at(fileOf, b) || at(begins, a) - at(begins, b) || at(ends, a) - at(ends, b);
  const sorted = ids
    .filter((id) => at(ends, id) > at(begins, id) && table.strided(id) === undefined)
    .sort((a, b) => compare(a, b) || a - b);
  const notes: string[] = [];
  for (let first = 0; first < sorted.length; ) {
    const id = sorted[first] ?? 0;
    let end = first + 1;
    while (end < sorted.length && compare(id, sorted[end] ?? 0) === 0) {
      end += 1;
    }
    if (end - first > 1) {
      const names = listed(sorted.slice(first, end).map((same) => quoteName(table.name(same))));
      const bytes = formatInt(at(ends, id) - at(begins, id));
      notes.push(`${names} share the same ${bytes} bytes; each got its own copy`);
    }
    first = end;
  }
  return notes;
};

const keptMetadata = (
  entries: readonly MetadataEntry[],
  set: ConversionOptions['metadata'],
  notes: string[],
): ReadonlyMap<string, string> | undefined => {
  const metadata = new Map(entries.map(({ key, value }) => [key, value]));
  for (const { key, type } of entries) {
    if (type !== 'string') {
      notes.push(`the metadata value of ${quoteName(key)} is no string; its JSON text was kept`);
    }
  }
  for (const [key, value] of set ?? []) {
    metadata.set(key, value);
  }
  return metadata.size === 0 ? undefined : metadata;
};

const phantomNotes = (findings: readonly Finding[]): string[] => {
  const phantoms = findings.filter(({ code }) => code === 'index-entry-missing');
  const names = listed(phantoms.map(({ tensor }) => quoteName(tensor ?? '')));
  return phantoms.length === 0 ? [] : [`the index lists ${names}, which no shard holds; not in the output`];
};

/**
 * Plans a conversion to safetensors: which tensors go into which file, and every byte before the tensors' own. Pure.
 *
 * dtypes and bytes stay as they are. Tensors keep the order of the input when they are spread over shards; inside a file
 * they follow the reference's order. Metadata goes into every file; where the input has none and none is set, there is none.
 *
 * @throws TensorLookupError `no-such-tensor` when nothing is left; UnreadableTensorError naming the damaged; LoupeError
 *   `duplicate-name`, `reserved-name`, `unrecognised`, `too-many-shards`, `header-over-cap`, or the code of a finding when
 *   the list of tensors itself is damaged.
 */
export const planConversion = (input: ConversionInput, options: ConversionOptions = {}): ConversionPlan => {
  const { table } = input;
  const explicit = (options.include?.length ?? 0) > 0;
  checkInput(input, explicit);
  const wanted = selectedNames(options);
  const ids = Array.from({ length: table.length }, (_, id) => id).filter((id) => wanted(table.name(id)));
  if (ids.length === 0 && table.length > 0) {
    throw new TensorLookupError('no-such-tensor', 'no tensor is left: nothing matches what was asked for');
  }
  checkRows(table, ids);
  const tensors = ids.map((id): PlannedTensor => {
    const [begin, end] = table.range(id) ?? [0, 0];
    const name = writtenName(table, id);
    return { id, name, dtype: writtenDtype(table, id), shape: table.shape(id), bytes: end - begin };
  });
  const quantised = quantisedNotes(table, ids);
  const notes = [...quantised.notes, ...tiedNotes(table, ids), ...(explicit ? [] : phantomNotes(input.findings))];
  const metadata = keptMetadata([...input.metadata, ...quantised.metadata], options.metadata, notes);
  const { maxShardBytes } = options;
  const shards = maxShardBytes === undefined ? [tensors] : splitIntoShards(tensors, maxShardBytes);
  const parts = shards.length === 0 ? [[]] : shards;
  const names = shardNames(parts.length);
  const files = parts.map((part, index) => ({ name: names[index] ?? '', plan: planSafetensors(part, metadata) }));
  const totalSize = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
  const weightMap = files.flatMap(({ name, plan }) => plan.order.map((tensor) => [tensor.name, name] as const));
  return {
    files,
    index: files.length > 1 ? { name: INDEX_NAME, text: indexText(totalSize, weightMap) } : undefined,
    bytes: files.reduce((sum, { plan }) => sum + plan.fileBytes, 0),
    notes,
  };
};
