import { readFile } from 'node:fs/promises';

/** The kernel's lists of connections, one line each; a client may also reach 127.0.0.1 from a socket of version 6. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

const portOf = (address: string | undefined): number => Number.parseInt(address?.split(':')[1] ?? '', 16);

/**
 * The user id behind the socket on `port` that is connected to `ownPort`, out of a list of connections; undefined when it is
 * not listed.
 *
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export const ownerIn = (table: string, port: number, ownPort: number): number | undefined => {
  for (const line of table.split('\n').slice(1)) {
    const [, local, remote, , , , , owner] = line.trim().split(/\s+/);
    if (portOf(local) === port && portOf(remote) === ownPort) {
      return Number(owner);
    }
  }
  return undefined;
};

/** Reads a list of connections; empty where there is none (another system, a container without /proc). */
const readTable = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');

/**
 * The user id of the process that has connected from `port` of this machine to `ownPort`; undefined where the system does
 * not say, or where the connection comes from elsewhere (a forwarded port).
 */
export const peerOwner = async (port: number, ownPort: number): Promise<number | undefined> => {
  const tables = await Promise.all(TABLES.map(readTable));
  return tables.map((table) => ownerIn(table, port, ownPort)).find((owner) => owner !== undefined);
};

/** User ids whose processes may use a page of ours: our own, root's, and whoever started us by `sudo`. */
export const ownUsers = (
  own: number | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): readonly number[] => [0, ...(own === undefined ? [] : [own]), Number(environment.SUDO_UID ?? own)];
