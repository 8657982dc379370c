import { describe, expect, it } from 'vitest';
import {
  changedEntries,
  draftProblem,
  draftsOf,
  withNewEntry,
} from '../../../../src/renderer/features/writing/metadata-draft.ts';

const ENTRIES = [
  { key: 'format', type: 'string', value: 'pt' },
  { key: 'n', type: 'number', value: '1' },
  { key: 'format', type: 'string', value: 'np' },
] as const;

describe('metadata drafts', () => {
  const drafts = draftsOf(ENTRIES);

  it('set nothing until something is changed; of one key twice the last counts', () => {
    expect(drafts.map(({ key, value }) => [key, value])).toEqual([
      ['format', 'np'],
      ['n', '1'],
    ]);
    expect(changedEntries(drafts)).toEqual([]);
    expect(changedEntries(withNewEntry(drafts))).toEqual([]);
    expect(draftProblem(withNewEntry(drafts))).toBeUndefined();
  });

  it('set what was changed and added', () => {
    const changed = withNewEntry(drafts).map((draft) =>
      draft.key === 'n'
        ? { ...draft, value: '' }
        : draft.kept === undefined
          ? { ...draft, key: 'k', value: 'v' }
          : draft,
    );
    expect(changedEntries(changed)).toEqual([
      ['n', ''],
      ['k', 'v'],
    ]);
    expect(draftProblem(changed)).toBeUndefined();
  });

  it('are refused with a key twice or a value without one', () => {
    const added = (key: string) =>
      withNewEntry(drafts).map((draft) => (draft.kept === undefined ? { ...draft, key, value: 'v' } : draft));
    expect(draftProblem(added('n'))).toContain('"n"');
    expect(draftProblem(added(''))).toContain('no key');
  });

  it('number new entries apart from the others', () => {
    const more = withNewEntry(withNewEntry(drafts));
    expect(new Set(more.map(({ id }) => id)).size).toBe(4);
  });
});
