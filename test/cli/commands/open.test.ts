import { describe, expect, it } from 'vitest';
import { fixture, runBuilt } from '../support/run-loupe.ts';

// What opening does is tested beside `openDesktop`; here only that the command reaches it and ends by its answer.
describe('loupe open', () => {
  it('exits with 2 for a file that is not there, before anything is started', async () => {
    const { code, stdout, stderr } = await runBuilt('open', fixture('good/nothing-here.safetensors'));
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('does not exist');
  });
});
