import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { inspectSource } from '../../../../src/core/checkpoint.ts';
import { call, dense, dict, global, pickle, storage, text, tuple } from '../../../support/torch-bytes.ts';
import { joined, utf8, zipBytes } from '../../../support/zip-bytes.ts';

const open = (bytes: Uint8Array) => inspectSource(memorySource(bytes, 'm.pt'));
const FOUR = new Uint8Array(Float32Array.of(1, 2, 3, 4).buffer);
const one = (key: string) => dense(storage('FloatStorage', key, 4), [4]);
/** NEWOBJ without arguments, and BUILD. */
const object = (module: string, name: string, state: Uint8Array): Uint8Array =>
  joined(global(module, name), utf8(')'), Uint8Array.of(0x81), state, utf8('b'));

/** The recipe of FIELD-CASES B26. */
const archive = (...code: readonly string[]): Uint8Array =>
  zipBytes(
    {
      name: 'm/data.pkl',
      content: pickle(
        object(
          '__torch__',
          'Net',
          dict([text('w'), one('0')], [text('sub'), object('__torch__.sub', 'Inner', dict([text('w'), one('1')]))]),
        ),
      ),
    },
    { name: 'm/data/0', content: FOUR },
    { name: 'm/data/1', content: FOUR },
    { name: 'm/constants.pkl', content: pickle(tuple(one('0'))) },
    { name: 'm/constants/0', content: FOUR },
    ...code.map((name) => ({ name, content: utf8('class Net(Module):\n  pass\n'), deflate: true })),
    { name: 'm/version', content: utf8('3\n') },
  );

describe('TorchScript archives (B26)', () => {
  it('list attributes, those of submodules and constants; classes of their own are no imports of Python', async () => {
    const checkpoint = await open(archive('m/code/__torch__.py'));
    expect(checkpoint.format).toBe('torchscript');
    expect(checkpoint.table.rows().map(({ name }) => name)).toEqual(['w', 'sub.w', 'constants[0]']);
    expect(await checkpoint.get('constants[0]').exactValues()).toEqual([1, 2, 3, 4]);
    expect(checkpoint.verdict).toBe('clean');
  });

  it('list their code and say that loading runs it', async () => {
    const checkpoint = await open(
      archive('m/code/__torch__.py', 'm/code/__torch__/sub.py', 'm/code/__torch__.py.debug_pkl'),
    );
    expect(checkpoint.summary.code).toEqual([
      { name: 'code/__torch__.py', bytes: 26 },
      { name: 'code/__torch__/sub.py', bytes: 26 },
    ]);
    const [found] = checkpoint.findings.filter(({ code }) => code === 'torchscript-code');
    expect(found).toMatchObject({ severity: 'note' });
    expect(found?.message).toContain(
      '2 files of TorchScript code, such as "m/code/__torch__.py": loading the archive runs it',
    );
    expect((await open(archive())).summary.code).toBeUndefined();
  });

  it('grade what is no class of their own, in both pickles', async () => {
    const evil = call(global('os', 'system'), text('true'));
    const bytes = zipBytes(
      { name: 'm/data.pkl', content: pickle(dict()) },
      { name: 'm/constants.pkl', content: pickle(tuple(evil)) },
    );
    expect((await open(bytes)).verdict).toBe('dangerous');
  });

  it('of torch itself: a traced module keeps its inputs in a pickle that belongs there', async () => {
    const bytes = readFileSync(new URL('../../../fixtures/pytorch/torch/constants.pt', import.meta.url));
    const checkpoint = await open(bytes);
    expect(checkpoint.findings.map(({ code }) => code)).toEqual(['torchscript-code']);
  });
});

describe('plain archives', () => {
  it('have no code, whatever a member is called', async () => {
    const bytes = zipBytes(
      { name: 'm/data.pkl', content: pickle(dict()) },
      { name: 'm/code/x.py', content: utf8('x') },
    );
    const checkpoint = await open(bytes);
    expect([checkpoint.format, checkpoint.summary.code]).toEqual(['pytorch', undefined]);
  });
});
