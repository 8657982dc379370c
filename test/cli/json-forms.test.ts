import { describe, expect, it } from 'vitest';
import { findingJson, rowJson, summaryJson } from '../../src/cli/json-forms.ts';
import { statsJson } from '../../src/core/scan/stats-json.ts';
import { summariseCheckpoint } from '../../src/core/summarise-checkpoint.ts';
import type { TensorRow, TensorStats } from '../../src/shared/checkpoint-types.ts';
import { finding } from '../../src/shared/findings.ts';
import { strictJson } from '../../src/shared/strict-json.ts';
import { inspectBytes } from '../support/inspect-bytes.ts';
import { entry, fileBytes, member } from '../support/safetensors-bytes.ts';

const ROW: TensorRow = {
  id: 3,
  name: 'w\u202e',
  dtype: 'F32',
  shape: [2n ** 60n, 0],
  parameters: undefined,
  bytes: undefined,
  file: 'a.safetensors',
  offset: undefined,
  layout: 'strided',
  readable: false,
  problem: 'out of bounds',
};

const EMPTY: TensorStats = {
  name: 'e',
  dtype: 'F32',
  count: 0,
  nan: 0,
  posInf: 0,
  negInf: 0,
  zeros: 0,
  negZeros: 0,
  subnormals: 0,
  min: undefined,
  max: undefined,
  mean: undefined,
  std: undefined,
  quantiles: undefined,
  distinct: undefined,
  exact: true,
  histogram: undefined,
};

/** What a reader of the printed JSON gets. */
const printed = (form: Parameters<typeof strictJson>[0]): unknown => JSON.parse(strictJson(form));

describe('JSON forms', () => {
  it('give a row every key, null for what the file leaves open, and large integers as strings', () => {
    expect(printed(rowJson(ROW))).toEqual({
      id: 3,
      name: 'w\u202e',
      dtype: 'F32',
      shape: ['1152921504606846976', 0],
      parameters: null,
      bytes: null,
      file: 'a.safetensors',
      offset: null,
      contiguous: false,
      readable: false,
      problem: 'out of bounds',
    });
  });

  it('give statistics of nothing as null, never as zero', () => {
    expect(printed(statsJson(EMPTY))).toMatchObject({
      count: 0,
      min: null,
      max: null,
      mean: null,
      std: null,
      quantiles: null,
      histogram: null,
    });
  });

  it('name quantiles by their share and keep a zero among them', () => {
    expect(printed(statsJson({ ...EMPTY, count: 7, quantiles: [0, 1, 2, 3, 4, 5, 6] }))).toMatchObject({
      quantiles: { 0.01: 0, 0.05: 1, 0.25: 2, 0.5: 3, 0.75: 4, 0.95: 5, 0.99: 6 },
    });
  });

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
    const form = printed(summaryJson(summary, findings));
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
