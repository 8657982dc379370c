import { spawn } from 'node:child_process';

/** The command that hands an address to the system's own browser. */
export const browserCommand = (platform: NodeJS.Platform, url: string): readonly [string, ...string[]] => {
  switch (platform) {
    case 'darwin':
      return ['open', url];
    case 'win32':
      // Not `start`: cmd would take the & in an address for its own.
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    default:
      return ['xdg-open', url];
  }
};

/** Asks the system to show an address. Where it cannot, the address has been printed, and a line says so. */
export const openInBrowser = (url: string): void => {
  const [command, ...parameters] = browserCommand(process.platform, url);
  const child = spawn(command, parameters, { stdio: 'ignore', detached: true });
  child.on('error', () => process.stderr.write('No browser could be started; open the address above in one.\n'));
  child.unref();
};
