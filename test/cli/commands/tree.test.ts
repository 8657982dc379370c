import { describe, expect, it } from 'vitest';
import { fixture, runJson, runLoupe } from '../support/run-loupe.ts';

describe('loupe tree', () => {
  it('prints the value tree of a pickle', async () => {
    const { code, stdout } = await runLoupe('tree', fixture('zip/zip_optimizer.pt'));
    expect(code).toBe(0);
    expect(stdout).toContain('"param_groups"');
    const { value } = await runJson('tree', fixture('zip/zip_optimizer.pt'));
    expect(value).toMatchObject({
      pickles: [
        {
          name: 'data.pkl',
          rows: expect.arrayContaining([
            { depth: 1, role: 'entry', label: '"state"', text: expect.any(String), children: 2 },
          ]),
        },
      ],
    });
  });

  it('prints metadata where there is no pickle', async () => {
    expect((await runJson('tree', fixture('good/all_dtypes.safetensors'))).value).toEqual({
      metadata: { format: 'pt' },
      pickles: [],
    });
  });

  it('lists the code of TorchScript, which it does not run', async () => {
    const path = fixture('zip/torchscript.pt');
    expect((await runLoupe('tree', path)).stdout).toMatch(/^code\/__torch__\.py: \d+ bytes of code, not run$/m);
    const { value } = await runJson('info', path);
    const { code } = value as { code: { name: string; bytes: number }[] };
    expect(code.map(({ name }) => name)).toContain('code/__torch__.py');
    expect((await runJson('tree', path)).value).toMatchObject({
      code,
      pickles: [{ name: 'data.pkl' }, { name: 'constants.pkl' }],
    });
    expect((await runLoupe('info', path)).stdout).toMatch(/^code {8}code\/__torch__/m);
  });
});
