import type { CheckpointSummary, MetadataEntry } from '../shared/checkpoint-types.ts';
import type { Finding, FindingCode, Verdict } from '../shared/findings.ts';
import type { ByteSource } from './bytes/byte-source.ts';
import type { CheckpointContent } from './checkpoint-content.ts';
import { CheckpointError, ClosedError, UnreadableTensorError } from './errors.ts';
import { openInner } from './formats/pytorch/inner-source.ts';
import type { ReadOptions } from './formats/read-options.ts';
import { readCheckpoint } from './formats/registry.ts';
import { summariseCheckpoint } from './summarise-checkpoint.ts';
import { Tensor } from './tensor/tensor.ts';
import type { TensorTable } from './tensor/tensor-table.ts';

/** What a source is shown as. */
export interface FileLabel {
  readonly path: string;
  /** False for a shard that is not there. */
  readonly present: boolean;
  /** It lies inside the file before it, so it is no file of its own. */
  readonly inside?: true;
}

/** A file's source and those inside it, with what each is shown as. */
export const withInner = (
  content: CheckpointContent,
  source: ByteSource,
  label: FileLabel,
): readonly { readonly source: ByteSource; readonly label: FileLabel }[] => [
  { source, label },
  ...(content.members ?? []).map((member) => ({
    source: openInner(member, source),
    label: { ...label, inside: true } as const,
  })),
];

/** An open checkpoint: its tensors, its metadata and what was found in it. */
export class Checkpoint {
  readonly content: CheckpointContent;
  readonly sources: readonly ByteSource[];
  readonly #files: readonly FileLabel[];
  #open = true;
  #tensors: readonly Tensor[] | undefined;

  /** @param sources by the table's file index, and what each is shown as. */
  constructor(content: CheckpointContent, sources: readonly ByteSource[], files: readonly FileLabel[]) {
    this.content = content;
    this.sources = sources;
    this.#files = files;
  }

  /** Format id, such as `safetensors`; `unrecognised` when it is no checkpoint. */
  get format(): string {
    return this.content.format;
  }

  get table(): TensorTable {
    return this.content.table;
  }

  get metadata(): readonly MetadataEntry[] {
    return this.content.metadata;
  }

  get findings(): readonly Finding[] {
    return this.content.findings.list();
  }

  get verdict(): Verdict {
    return this.content.findings.verdict();
  }

  get summary(): CheckpointSummary {
    const files = this.sources.map(({ name, size }, index) => ({
      path: this.#files[index]?.path ?? name,
      bytes: size,
      present: this.#files[index]?.present ?? true,
      inside: this.#files[index]?.inside === true,
    }));
    return summariseCheckpoint(this.content, files);
  }

  /** All tensors in file order. Made when first asked for; `tensor(id)` makes one alone. @throws ClosedError. */
  get tensors(): readonly Tensor[] {
    this.#tensors ??= Array.from({ length: this.table.length }, (_, id) => this.tensor(id));
    return this.#tensors;
  }

  /** @throws TensorLookupError `no-such-tensor`; ClosedError. */
  tensor(id: number): Tensor {
    if (!this.#open) {
      throw new ClosedError('the checkpoint');
    }
    this.table.checkId(id);
    const source = this.sources[this.table.data.fileOf[id] ?? 0];
    if (source === undefined) {
      throw new UnreadableTensorError(this.table.name(id), 'its file is not open');
    }
    return new Tensor(this.table, id, source);
  }

  /** The tensor of that name. @throws TensorLookupError `no-such-tensor`, `ambiguous-name`; ClosedError. */
  get(name: string): Tensor {
    return this.tensor(this.table.idOf(name));
  }

  /** Closes its sources; reads after this throw {@link ClosedError}. Closing twice is harmless. */
  close(): void {
    this.#open = false;
    for (const source of this.sources) {
      source.close();
    }
  }
}

/** Findings that are no errors here but that the reference reader refuses, so strict opening refuses them too. */
const REFUSED_BY_REFERENCE: ReadonlySet<FindingCode> = new Set(['metadata-not-strings', 'reserved-name']);
/** Warnings that say there was nothing to open. */
const NOT_OPENED = new Set<FindingCode>(['git-lfs-pointer', 'html-page', 'json-error', 'unrecognised']);

/**
 * Opens a source leniently: everything intact is usable, damaged tensors are refused one by one, and the findings say
 * why. The checkpoint owns the source from here on, even when this throws.
 *
 * @throws whatever the source's reads throw.
 */
export const inspectSource = async (
  source: ByteSource,
  options: ReadOptions = {},
  path: string = source.name,
): Promise<Checkpoint> => {
  try {
    const content = await readCheckpoint(source, options);
    const parts = withInner(content, source, { path, present: true });
    return new Checkpoint(
      content,
      parts.map((part) => part.source),
      parts.map(({ label }) => label),
    );
  } catch (fault) {
    source.close();
    throw fault;
  }
};

/**
 * Refuses a checkpoint with a fault that a reference reader would refuse, closing it.
 *
 * @throws CheckpointError with the first such finding.
 */
export const strictly = (checkpoint: Checkpoint): Checkpoint => {
  const refused = checkpoint.findings.find(
    ({ code, severity }) =>
      severity === 'danger' || severity === 'error' || REFUSED_BY_REFERENCE.has(code) || NOT_OPENED.has(code),
  );
  if (refused !== undefined) {
    checkpoint.close();
    throw new CheckpointError(refused);
  }
  return checkpoint;
};
