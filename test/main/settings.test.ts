import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSettings } from '../../src/main/settings.ts';

describe('settings', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loupe-settings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('outlive the program', () => {
    openSettings(folder).set('window', { x: 1 });
    expect(openSettings(folder).get('window')).toEqual({ x: 1 });
    expect(openSettings(folder).get('other')).toBeUndefined();
  });

  it('start anew from a damaged file', () => {
    writeFileSync(join(folder, 'desktop.json'), '{');
    expect(openSettings(folder).get('window')).toBeUndefined();
  });

  it('that cannot be kept are no error, only a line', () => {
    const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const settings = openSettings(join(blocked, 'below'));
    settings.set('window', { x: 1 });
    expect(settings.get('window')).toBeUndefined();
    expect(errors).toHaveBeenCalled();
    errors.mockRestore();
  });
});
