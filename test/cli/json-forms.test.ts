import { describe, expect, it } from 'vitest';
import { infoJson } from '../../src/cli/json-forms.ts';
import { findingJson } from '../../src/core/json-forms.ts';
import { summariseCheckpoint } from '../../src/core/summarise-checkpoint.ts';
import { finding } from '../../src/shared/findings.ts';
import { strictJson } from '../../src/shared/strict-json.ts';
import { inspectBytes } from '../support/inspect-bytes.ts';
import { entry, fileBytes, member } from '../support/safetensors-bytes.ts';

/** What a reader of the printed JSON gets. */
const printed = (form: Parameters<typeof strictJson>[0]): unknown => JSON.parse(strictJson(form));

describe('JSON forms', () => {
  it('print of a finding only what it has, an offset of zero included', () => {
    expect(printed(findingJson(finding('trailing-bytes', 'm', { file: 'f', offset: 0 })))).toEqual({
      code: 'trailing-bytes',
      severity: 'error',
      message: 'm',
      file: 'f',
      offset: 0,
    });
  });

  it('give a summary its findings, its verdict and metadata under any key', async () => {
    const header = `{${member('__metadata__', '{"__proto__":"p","format":"pt"}')},${member('a', entry('F32', '[1]', '[0,4]'))}}`;
    const { content, findings } = await inspectBytes(fileBytes(header, 5));
    const summary = summariseCheckpoint(content, [{ path: '/m/a.safetensors', bytes: 200, present: true }]);
    const form = printed(infoJson(summary, findings));
    expect(form).toMatchObject({
      format: 'safetensors',
      tensors: 1,
      parameters: 1,
      dataBytes: 4,
      dtypes: { F32: { tensors: 1, parameters: 1, bytes: 4 } },
      findings: [{ code: 'trailing-bytes', severity: 'error' }],
      verdict: 'damaged',
    });
    expect(Object.entries((form as { metadata: object }).metadata)).toEqual([
      ['__proto__', 'p'],
      ['format', 'pt'],
    ]);
  });
});
