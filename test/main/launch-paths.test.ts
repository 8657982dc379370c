import { describe, expect, it } from 'vitest';
import { launchPaths, sentPaths } from '../../src/main/launch-paths.ts';

describe('the files of a command line', () => {
  const packaged = (...argv: string[]) =>
    launchPaths({ argv: ['/opt/loupe', ...argv], folder: '/home/me', packaged: true });

  it.each<[string, string[], string[]]>([
    ['none', [], []],
    [
      'absolute and relative ones',
      ['/a/b.safetensors', 'c.pt', '../d.gguf'],
      ['/a/b.safetensors', '/home/me/c.pt', '/home/d.gguf'],
    ],
    ['beside options of Chromium and macOS', ['--no-sandbox', '-psn_0_123', 'a.pt', '--x=y'], ['/home/me/a.pt']],
    ['that look like options, after --', ['--flag', '--', '-a.pt', 'b.pt'], ['/home/me/-a.pt', '/home/me/b.pt']],
    ['given as URLs', ['file:///a%20b/c.pt', 'FILE:///d.pt'], ['/a b/c.pt', '/d.pt']],
    ['of other machines or malformed: none', ['file://host/a.pt', 'file:///%2f', ''], []],
  ])('%s', (_name, argv, paths) => {
    expect(packaged(...argv)).toEqual(paths);
  });

  it('come after the application’s folder when it runs unpackaged', () => {
    const argv = ['/usr/bin/electron', '--inspect', '.', 'a.pt'];
    expect(launchPaths({ argv, folder: '/home/me', packaged: false })).toEqual(['/home/me/a.pt']);
  });
});

describe('what a second launch sends', () => {
  it('is taken when it is a list of paths', () => {
    expect(sentPaths({ paths: ['/a', '/b'] })).toEqual(['/a', '/b']);
    expect(sentPaths({ paths: [] })).toEqual([]);
  });

  it.each([undefined, null, 7, 'x', {}, { paths: 'x' }, { paths: [1] }])('is not taken when it is %j', (data) => {
    expect(sentPaths(data)).toBeUndefined();
  });
});
