import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runPickle } from '../../../../src/core/formats/pickle/run-pickle.ts';
import { simpleEntries } from '../../../../src/core/formats/pytorch/simple-entries.ts';
import { bool, dict, int, pickle, text, tuple } from '../../../support/torch-bytes.ts';

const entries = (bytes: Uint8Array) => {
  const { root } = runPickle(bytes);
  return root === undefined ? [] : simpleEntries(root);
};

describe('simpleEntries', () => {
  it('are the plain values under the root, exactly', () => {
    const bytes = pickle(
      dict(
        [text('epoch'), int(3)],
        [text('big'), int(2n ** 70n)],
        [text('done'), bool(true)],
        [text('name'), text('x')],
        [text('list'), tuple(int(1))],
      ),
    );
    expect(entries(bytes)).toEqual([
      { key: 'epoch', type: 'number', value: '3' },
      { key: 'big', type: 'number', value: '1180591620717411303424' },
      { key: 'done', type: 'boolean', value: 'true' },
      { key: 'name', type: 'string', value: 'x' },
    ]);
  });

  it('have numbers of numpy among them', () => {
    const { cases } = JSON.parse(
      readFileSync(new URL('../../../fixtures/pickle/numpy.json', import.meta.url), 'utf8'),
    ) as { cases: { name: string; base64: string }[] };
    const optimizer = cases.find(({ name }) => name === 'optimizer');
    expect(entries(Buffer.from(optimizer?.base64 ?? '', 'base64'))).toEqual([
      { key: 'best_acc', type: 'number', value: '0.875' },
    ]);
  });
});
