import type { MetadataEntry } from '../../../shared/checkpoint-types.ts';

/** One metadata entry while it is edited. */
export interface MetadataDraft {
  /** Tells the entries apart while keys are typed. */
  readonly id: number;
  readonly key: string;
  readonly value: string;
  /** The value as it is in the file; undefined for an entry that was added. */
  readonly kept: string | undefined;
}

/** The entries of a checkpoint, nothing changed yet. Of one key twice the last counts, as it does for the writer. */
export const draftsOf = (entries: readonly MetadataEntry[]): readonly MetadataDraft[] =>
  Array.from(new Map(entries.map(({ key, value }) => [key, value])), ([key, value], id) => ({
    id,
    key,
    value,
    kept: value,
  }));

/** Adds an empty entry. */
export const withNewEntry = (drafts: readonly MetadataDraft[]): readonly MetadataDraft[] => [
  ...drafts,
  { id: drafts.reduce((last, { id }) => Math.max(last, id), -1) + 1, key: '', value: '', kept: undefined },
];

/** Entries to set: the added ones and those whose value was changed. Added ones without key and value do not count. */
export const changedEntries = (drafts: readonly MetadataDraft[]): [string, string][] =>
  drafts.flatMap(({ key, value, kept }) =>
    value === kept || (kept === undefined && key === '' && value === '') ? [] : [[key, value]],
  );

/** Why the entries cannot be written so; undefined when they can. */
export const draftProblem = (drafts: readonly MetadataDraft[]): string | undefined => {
  const seen = new Set<string>();
  for (const { key, value, kept } of drafts) {
    if (kept === undefined && key === '' && value === '') {
      continue;
    }
    if (kept === undefined && key === '') {
      return 'A metadata value has no key';
    }
    if (seen.has(key)) {
      return `The metadata key "${key}" is there twice`;
    }
    seen.add(key);
  }
  return undefined;
};
