import { createServer } from 'node:http';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { WebSocket, WebSocketServer } from 'ws';
import type { Wire } from '../../src/rpc/wire.ts';
import { memoryWirePair, portWire, socketWire } from '../../src/rpc/wires.ts';

/** Two joined ends of a wire, and the way to clear away what carries it. */
export interface Transport {
  readonly client: Wire;
  readonly server: Wire;
  readonly end: () => Promise<void>;
}

const overPort = (port: MessagePort): Wire => {
  const { wire, receive, closed } = portWire(port);
  port.on('message', receive);
  port.on('close', closed);
  return wire;
};

const overMemory = async (): Promise<Transport> => {
  const [client, server] = memoryWirePair();
  return { client, server, end: async () => client.close() };
};

const overPorts = async (): Promise<Transport> => {
  const { port1, port2 } = new MessageChannel();
  const client = overPort(port1);
  return { client, server: overPort(port2), end: async () => client.close() };
};

const overSocket = async (): Promise<Transport> => {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (typeof address !== 'object' || address === null) {
    throw new Error('the server has no address');
  }
  const accepted = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
  const socket = new WebSocket(`ws://127.0.0.1:${address.port}/`);
  await new Promise((resolve) => socket.once('open', resolve));
  return {
    client: socketWire(socket),
    server: socketWire(await accepted),
    end: async () => {
      socket.terminate();
      sockets.close();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};

/** Everything a service can be reached over in these tests, by name. */
export const TRANSPORTS: readonly (readonly [string, () => Promise<Transport>])[] = [
  ['a pair in memory', overMemory],
  ['a message port', overPorts],
  ['a WebSocket', overSocket],
];
