import { expect, it } from 'vitest';
import { noContent } from '../../src/core/checkpoint-content.ts';
import { FindingList } from '../../src/core/finding-list.ts';

it('a file in which nothing could be listed has no tensors, no metadata and no bytes, but its findings', () => {
  const findings = new FindingList();
  const content = noContent('unrecognised', 'm', findings);
  expect(content.table.length).toBe(0);
  expect(content.table.rows()).toEqual([]);
  expect(content).toMatchObject({
    format: 'unrecognised',
    totals: { parameters: 0, dtypes: [] },
    metadata: [],
    claimedBytes: 0,
    missingBytes: 0,
  });
  expect(content.findings).toBe(findings);
});
