import { describe, expect, it } from 'vitest';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

describe('loupe info', () => {
  it('prints the form of the contract', async () => {
    const { code, value } = await runJson('info', fixture('good/all_dtypes.safetensors'));
    expect(code).toBe(0);
    expect(value).toMatchObject({
      format: 'safetensors',
      files: [{ path: fixture('good/all_dtypes.safetensors'), bytes: 2998 }],
      tensors: 25,
      parameters: 1348,
      dataBytes: 1422,
      metadata: { format: 'pt' },
      findings: [],
      verdict: 'clean',
    });
    expect(value).toMatchObject({
      dtypes: { BF16: { tensors: 1, parameters: 3, bytes: 6 }, F4: { tensors: 1, parameters: 32, bytes: 16 } },
    });
  });

  it('prints text for people', async () => {
    const { code, stdout } = await runLoupe('info', fixture('good/all_dtypes.safetensors'));
    expect(code).toBe(0);
    expect(stdout).toContain('Clean: structure whole');
    expect(stdout).toMatch(/^tensors {5}25$/m);
  });

  it('names a Git LFS pointer and exits with 3', async () => {
    const { code, value } = await runJson('info', fixture('bad/b04_lfs.safetensors'));
    expect(code).toBe(3);
    expect(value).toMatchObject({
      format: 'unrecognised',
      tensors: 0,
      verdict: 'incomplete',
      findings: [{ code: 'git-lfs-pointer' }],
    });
  });

  it('exits with 4 when the header cannot be read', async () => {
    const { code, value } = await runJson('info', fixture('bad/b06_meta_only.safetensors'));
    expect(code).toBe(4);
    expect(value).toMatchObject({ findings: [{ code: 'header-not-json', offset: 10 }] });
  });

  it('exits with 2 for a file that is not there, and for wrong usage', async () => {
    expect((await runLoupe('info', fixture('nowhere.safetensors'))).code).toBe(2);
    expect((await runLoupe('info')).code).toBe(2);
    expect((await runLoupe('no-such-command')).code).toBe(2);
    expect((await runLoupe('info', fixture('good'))).code).toBe(2);
  });
});
