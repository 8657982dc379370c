import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutput } from '../../src/cli/output.ts';
import { finding } from '../../src/shared/findings.ts';

describe('createOutput', () => {
  let stdout = '';
  let stderr = '';
  beforeEach(() => {
    stdout = '';
    stderr = '';
    vi.stubEnv('NO_COLOR', '1');
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      stdout += String(text);
      return true;
    });
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      stderr += String(text);
      return true;
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it('keeps stdout to answers and stderr to remarks', async () => {
    const output = createOutput(true);
    output.value({ a: Number.NaN });
    output.line('a line');
    await output.raw('raw');
    output.note('a remark');
    expect(stdout).toBe('{"a":"NaN"}\na line\nraw');
    expect(stderr).toBe('a remark\n');
  });

  it('escapes hostile text in remarks and findings, file names included', () => {
    const output = createOutput(false);
    output.note('\u001b[2J');
    output.findings([finding('trailing-bytes', 'bad \u202e name\n', { file: 'a\u001b.bin' })]);
    expect(stderr).not.toMatch(/[\u001b\u202e]/);
    expect(stderr.split('\n')).toHaveLength(3);
    expect(stderr).toContain('error trailing-bytes: ');
  });

  it('prints the first 200 findings and counts the rest', () => {
    const many = Array.from({ length: 203 }, (_, index) => finding('overlap', `number ${index}`, { file: 'f' }));
    createOutput(false).findings(many);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(201);
    expect(lines[199]).toContain('number 199');
    expect(lines[200]).toContain('3 more findings');
  });

  it('waits while the reader is slow', async () => {
    vi.mocked(process.stdout.write).mockReturnValue(false);
    let written = false;
    const writing = createOutput(false)
      .raw('x')
      .then(() => {
        written = true;
      });
    await Promise.resolve();
    expect(written).toBe(false);
    process.stdout.emit('drain');
    await writing;
    expect(written).toBe(true);
  });
});
