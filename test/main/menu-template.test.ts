import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { type MenuContext, menuTemplate, pathLabel } from '../../src/main/menu-template.ts';
import { MENU_COMMANDS } from '../../src/shared/api.ts';

const context = (more: Partial<MenuContext> = {}): MenuContext => ({
  platform: 'linux',
  development: false,
  recents: [],
  send: () => undefined,
  openPath: () => undefined,
  forgetRecents: () => undefined,
  newWindow: () => undefined,
  openLink: () => undefined,
  ...more,
});

type Line = MenuItemConstructorOptions;
const linesOf = (template: readonly Line[]): Line[] =>
  template.flatMap((line) => [line, ...(Array.isArray(line.submenu) ? linesOf(line.submenu) : [])]);

const platforms = ['linux', 'win32', 'darwin'] as const;

describe.each(platforms)('the menu on %s', (platform) => {
  const template = menuTemplate(context({ platform }));
  const lines = linesOf(template);

  it('sends every command there is, each from one line', () => {
    const ids = lines.map(({ id }) => id).filter((id) => id !== undefined);
    expect(ids.toSorted()).toEqual([...MENU_COMMANDS].sort());
  });

  it('uses no key twice', () => {
    const keys = lines.map(({ accelerator }) => accelerator).filter((key) => key !== undefined);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('has a way out, once', () => {
    expect(lines.filter(({ role }) => role === 'quit')).toHaveLength(1);
  });

  it('names every line that does something', () => {
    for (const { label, role, type } of lines) {
      expect(label ?? role ?? type).toBeTruthy();
    }
  });
});

it('has the application’s own menu on a Mac only', () => {
  const titles = (platform: NodeJS.Platform) => menuTemplate(context({ platform })).map(({ label }) => label);
  expect(titles('darwin')).toEqual(['Tensor Loupe', 'File', 'Edit', 'View', 'Audit', 'Window', 'Help']);
  expect(titles('linux')).toEqual(['File', 'Edit', 'View', 'Audit', 'Help']);
});

it('offers developer tools in development only', () => {
  const roles = (development: boolean) => linesOf(menuTemplate(context({ development }))).map(({ role }) => role);
  expect(roles(true)).toContain('toggleDevTools');
  expect(roles(false)).not.toContain('toggleDevTools');
});

describe('a path as a label', () => {
  it.each([
    ['/models/a.safetensors', '/models/a.safetensors'],
    ['/R&D/a.pt', '/R&&D/a.pt'],
    ['/a\nb\u202e.pt', '/a\\nb\\u{202e}.pt'],
  ])('%j reads %j', (path, label) => {
    expect(pathLabel(path)).toBe(label);
  });

  it('is cut in its middle', () => {
    expect(pathLabel(`/${'long/'.repeat(50)}model.safetensors`)).toMatch(/^\/long.*….*model\.safetensors$/);
  });
});
