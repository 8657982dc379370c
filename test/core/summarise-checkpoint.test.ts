import { expect, it } from 'vitest';
import { summariseCheckpoint } from '../../src/core/summarise-checkpoint.ts';
import { inspectBytes } from '../support/inspect-bytes.ts';
import { entry, fileBytes, floats, header, member } from '../support/safetensors-bytes.ts';

it('sums up what was found', async () => {
  const text = header(
    member('__metadata__', '{"format":"pt","n":0}'),
    floats('embed', 0, 16),
    floats('tied', 0, 16),
    member('w', entry('BF16', '[2,3]', '[16,28]')),
  );
  const files = [{ path: '/m.safetensors', bytes: 1000 }];
  const { content } = await inspectBytes(fileBytes(text, 28));
  expect(summariseCheckpoint(content, [{ path: '/m.safetensors', bytes: 1000, present: true }])).toEqual({
    format: 'safetensors',
    files,
    shards: [],
    tensors: 3,
    parameters: 14,
    pickles: 0,
    valueTrees: 0,
    dataBytes: 28,
    dtypes: [
      { dtype: 'F32', tensors: 2, parameters: 8, bytes: 32 },
      { dtype: 'BF16', tensors: 1, parameters: 6, bytes: 12 },
    ],
    metadata: [
      { key: 'format', type: 'string', value: 'pt' },
      { key: 'n', type: 'number', value: '0' },
    ],
    findings: { danger: 0, error: 1, warning: 1, note: 0 },
    verdict: 'damaged',
    sentence: expect.stringMatching(/^Damaged: 2 tensors share the same 16 bytes/),
  });
});
