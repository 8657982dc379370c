import { describe, expect, it } from 'vitest';
import { safetensorsBattery } from '../../../src/cli/selftest/safetensors-battery.ts';
import { runJson, runLoupe } from '../support/run-loupe.ts';

describe('loupe selftest', () => {
  it('passes every case, a line each, and says so', async () => {
    const { code, stdout } = await runLoupe('selftest');
    const lines = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(lines).toHaveLength(safetensorsBattery().length + 1);
    expect(lines.at(-1)).toBe(`${safetensorsBattery().length} passed, 0 failed`);
  });

  it('prints JSON', async () => {
    expect(await runJson('selftest')).toMatchObject({
      code: 0,
      value: { failed: 0, passed: safetensorsBattery().length },
    });
  });
});
