import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { fixture, runLoupe } from '../support/run-loupe.ts';

interface Expected {
  readonly shape: readonly number[];
  readonly values?: readonly unknown[];
  /** Of F4, which numpy cannot print: the stored bytes. */
  readonly bytes?: readonly number[];
}

/** The sixteen values of E2M1 (FORMATS 1.8), low nibble first. */
const E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6, -0, -0.5, -1, -1.5, -2, -3, -4, -6];
const nibbles = (bytes: readonly number[]): unknown[] => bytes.flatMap((byte) => [E2M1[byte & 15], E2M1[byte >> 4]]);

/** The manifest spells −0 as a string, since most JSON readers lose its sign; here it is a number. */
const spelled = (value: unknown): unknown => (value === '-0' ? -0 : Array.isArray(value) ? value.map(spelled) : value);

describe('loupe dump', () => {
  it('gives exactly the values the reference libraries give for every dtype', async () => {
    const expected = JSON.parse(await readFile(fixture('good/all_dtypes.expected.json'), 'utf8')) as Record<
      string,
      Expected
    >;
    const { code, stdout } = await runLoupe('dump', fixture('good/all_dtypes.safetensors'), '--json');
    expect(code).toBe(0);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Expected & { name: string });
    expect(lines.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
    for (const { name, values } of lines) {
      const { values: listed, bytes = [] } = expected[name] ?? {};
      expect(values, name).toEqual(listed?.map(spelled) ?? nibbles(bytes));
    }
  });

  it('dumps what is intact of a damaged file and exits with 4', async () => {
    const { code, stdout, stderr } = await runLoupe('dump', fixture('bad/b03_trunc.safetensors'), '--json');
    expect(code).toBe(4);
    const [a, b] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(a).toMatchObject({ name: 'a', values: { length: 4 } });
    expect(b).toMatchObject({ name: 'b', values: null, problem: expect.stringContaining('7 of its 16') });
    expect(stderr).toContain('cannot be read');
  });

  it('prints a line a value for people', async () => {
    const { stdout } = await runLoupe('dump', fixture('bad/b01_dup.safetensors'));
    expect(stdout.split('\n')).toHaveLength(1 + 4 + 1 + 4 + 1);
  });
});
