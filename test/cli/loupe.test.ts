import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { fixture, runBuilt, runLoupe } from './support/run-loupe.ts';

const file = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

describe('loupe', () => {
  it('prints its version and its help and exits with 0', async () => {
    const { version } = JSON.parse(readFileSync(file('package.json'), 'utf8')) as { version: string };
    expect(await runBuilt('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await runBuilt('--help');
    expect(help.code).toBe(0);
    expect(help.stdout).toContain('verify');
  });

  it.each([[['info']], [['info', fixture('good/nothing-here.safetensors')]]])(
    'exits with 2 for %j, with the reason on stderr and nothing on stdout',
    async (parameters) => {
      const { code, stdout, stderr } = await runBuilt(...parameters);
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).not.toBe('');
    },
  );

  // The other tests of the command line run its sources, in their own process.
  it.each([
    [['info', file('samples/sample.safetensors')]],
    [['stats', fixture('good/all_dtypes.safetensors'), '--all', '--json']],
    [['dump', fixture('good/all_dtypes.safetensors'), 'f32']],
    [['tree', fixture('pickle/zip_optimizer.data.pkl')]],
    [['verify', fixture('bad/b03_trunc.safetensors')]],
    [['selftest']],
  ])('is built from the sources: %j', async (parameters) => {
    expect(await runBuilt(...parameters)).toEqual(await runLoupe(...parameters));
  });

  it('ends quietly when its reader goes away', async () => {
    const child = spawn(process.execPath, [file('out/lib/cli/loupe.js'), 'dump', file('samples/sample.safetensors')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.destroy();
    const [code] = (await once(child, 'exit')) as [number | null];
    expect(code).toBe(0);
    expect(stderr).not.toContain('EPIPE');
  });
});
