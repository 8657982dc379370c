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
});
