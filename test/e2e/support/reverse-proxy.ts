import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** A server that hands on what lies below a path, as docs/remote.md tells people to set one up. */
export interface ReverseProxy {
  /** Its address with the path, ending in a slash. */
  readonly url: string;
  /** Paths of the requests it has handed on. */
  readonly seen: readonly string[];
  stop(): Promise<void>;
}

/** Starts one in front of `target`, such as `http://127.0.0.1:8123`. */
export const startReverseProxy = async (target: string, path: string): Promise<ReverseProxy> => {
  const { hostname, port, host, origin } = new URL(target);
  const seen: string[] = [];
  const sockets = new Set<Duplex>();

  const handOn = (request: IncomingMessage) => {
    const below = (request.url ?? '').slice(path.length - 1);
    seen.push(below);
    const headers: IncomingHttpHeaders = { ...request.headers, host };
    if (headers.origin !== undefined) {
      headers.origin = origin;
    }
    return httpRequest({ hostname, port, path: below, method: request.method ?? 'GET', headers });
  };

  const server = createServer((request, response) => {
    if (!(request.url ?? '').startsWith(path)) {
      response.writeHead(404).end();
      return;
    }
    const onward = handOn(request);
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const onward = handOn(request);
    onward.on('upgrade', (answer, other: Duplex) => {
      const head = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head.join('')}\r\n`);
      socket.pipe(other).pipe(socket);
      other.on('error', () => socket.destroy());
      socket.on('error', () => other.destroy());
    });
    onward.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}`,
    seen,
    stop: async () => {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
