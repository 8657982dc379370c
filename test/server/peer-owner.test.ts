import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ownerIn, ownUsers, peerOwner } from '../../src/server/peer-owner.ts';
import { skipBecause } from '../support/skip-because.ts';

/** As the kernel prints it. */
const TABLE = [
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
  '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 21 1 0000000000000000 100 0',
  '   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 22 1 0000000000000000 20 4',
  '   2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 23 1 0000000000000000 20 4',
  '',
].join('\n');

describe('the owner of a connection', () => {
  it('is that of the other end, not of ours', () => {
    expect(ownerIn(TABLE, 0xc350, 0x1f90)).toBe(1001);
    expect(ownerIn(TABLE, 0x1f90, 0xc350)).toBe(1000);
  });

  it('is unknown when the connection is not listed, or nothing is', () => {
    expect(ownerIn(TABLE, 0xc351, 0x1f90)).toBeUndefined();
    expect(ownerIn('', 0xc350, 0x1f90)).toBeUndefined();
    expect(ownerIn('a table\nof another form', 0xc350, 0x1f90)).toBeUndefined();
  });

  it('is us when we connect to ourselves, by either version of the protocol', async (context) => {
    if (process.platform !== 'linux') {
      skipBecause(context, 'only Linux lists the owners of connections');
    }
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const host of ['127.0.0.1', '::ffff:127.0.0.1']) {
      const socket = connect({ host, port });
      const [other] = (await once(server, 'connection')) as [Socket];
      expect(await peerOwner(other.remotePort ?? 0, port)).toBe(process.getuid?.());
      socket.destroy();
      other.destroy();
    }
    server.close();
  });
});

describe('our users', () => {
  it('are we, root, and whoever started us by sudo', () => {
    expect(ownUsers(1000, {})).toEqual([0, 1000, 1000]);
    expect(ownUsers(0, { SUDO_UID: '1000' })).toContain(1000);
    expect(ownUsers(1000, { SUDO_UID: 'x' }).includes(1001)).toBe(false);
  });
});
