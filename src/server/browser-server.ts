import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Wire } from '../rpc/wire.ts';
import { socketWire } from '../rpc/wires.ts';
import { LoupeError } from '../shared/errors.ts';
import type { Downloads } from './downloads.ts';
import { createHttpHandler } from './http-handler.ts';
import { createIdleClock } from './idle-clock.ts';
import { ownUsers, peerOwner } from './peer-owner.ts';
import { checkUpgrade, type Refusal } from './request-guard.ts';

/** Longest message a page may send, in bytes. The largest are answers to reads of a dropped file, of at most 4 MiB. */
export const FRAME_LIMIT = 16 * 1024 * 1024;
/** How long a request may take to arrive; a browser sends one at once. */
const REQUEST_MILLISECONDS = 10_000;
/** How long a client that was turned away may take to hang up. */
const LINGER_MILLISECONDS = 1_000;
/** How often a silent page is asked whether it is still there; one that misses two in a row is gone. */
const HEARTBEAT_MILLISECONDS = 30_000;

/** What a server is made of. */
export interface BrowserServerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly pageFolder: string;
  readonly downloads: Downloads;
  /** Joins a page's wire to its service. */
  readonly onPage: (wire: Wire) => void;
  /** End when no page has been connected for that long. */
  readonly idleCloseSeconds?: number | undefined;
  /**
   * Refuse pages of other users of this machine. Wanted where a browser is handed the address on its command line, which
   * everybody can read.
   */
  readonly ownUserOnly?: boolean;
  /** Longest message a page may send, in bytes; {@link FRAME_LIMIT} unless told. */
  readonly frameLimit?: number;
  /** How long a request may take to arrive; {@link REQUEST_MILLISECONDS} unless told. */
  readonly requestMilliseconds?: number;
}

/** A server that listens. */
export interface BrowserServer {
  readonly port: number;
  /** The secret of this launch: 256 random bits, URL-safe. */
  readonly token: string;
  /** The page's address, with the token in its fragment (which no browser sends over a network). */
  readonly url: string;
  /** How many pages have connected so far. */
  readonly pagesSeen: () => number;
  /** Resolves once it has stopped listening, by {@link close} or by idling. */
  readonly closed: Promise<void>;
  readonly close: () => Promise<void>;
}

const turnAway = (socket: Duplex, { status, reason }: Refusal): void => {
  const body = `${reason}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // Whoever does not hang up would keep the connection, and with it the server, for ever.
  const timer = setTimeout(() => socket.destroy(), LINGER_MILLISECONDS);
  socket.once('close', () => clearTimeout(timer));
};

/** Why a connection of another user of this machine is turned away; undefined for all others. */
const checkOwner = async (socket: Socket): Promise<Refusal | undefined> => {
  const { remotePort, localPort } = socket;
  if (remotePort === undefined || localPort === undefined) {
    return undefined;
  }
  const owner = await peerOwner(remotePort, localPort);
  return owner === undefined || ownUsers(process.getuid?.(), process.env).includes(owner)
    ? undefined
    : { status: 403, reason: `this page belongs to another user (${owner}); start with --no-open to let it in` };
};

/** Ends a connection whose other side has vanished without a word, such as a laptop that was closed. */
const watchPulse = (socket: WebSocket): void => {
  let missed = 0;
  const timer = setInterval(() => {
    missed += 1;
    if (missed > 2) {
      socket.terminate();
    } else {
      socket.ping();
    }
  }, HEARTBEAT_MILLISECONDS);
  socket.on('pong', () => {
    missed = 0;
  });
  socket.on('close', () => clearInterval(timer));
};

/**
 * Starts the browser version's server on 127.0.0.1 and nowhere else.
 *
 * @throws LoupeError `port-in-use` and `cannot-listen`.
 */
export const startBrowserServer = async (options: BrowserServerOptions): Promise<BrowserServer> => {
  const { pageFolder, downloads } = options;
  const token = randomBytes(32).toString('base64url');
  let port = 0;
  const requestTimeout = options.requestMilliseconds ?? REQUEST_MILLISECONDS;
  const http = createServer(
    { headersTimeout: requestTimeout, requestTimeout, connectionsCheckingInterval: requestTimeout / 4 },
    createHttpHandler({ pageFolder, downloads, port: () => port }),
  );
  const connections = new Set<Socket>();
  http.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: options.frameLimit ?? FRAME_LIMIT,
    perMessageDeflate: false,
  });
  const closed = new Promise<void>((resolve) => {
    http.once('close', resolve);
  });
  const close = (): Promise<void> => {
    idle.stop();
    downloads.clear();
    for (const socket of sockets.clients) {
      socket.terminate();
    }
    http.close();
    // Node's own list knows no connection that asked to become a WebSocket.
    for (const socket of connections) {
      socket.destroy();
    }
    return closed;
  };
  const idle = createIdleClock(options.idleCloseSeconds, () => void close());

  const welcome = (socket: WebSocket): void => {
    // ws closes the socket after an error (a message over the limit, a broken frame); 'close' does the rest.
    socket.on('error', () => socket.terminate());
    socket.on('close', idle.leave);
    idle.enter();
    watchPulse(socket);
    options.onPage(socketWire(socket));
  };
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const refusal =
      checkUpgrade(request.url, request.headers, port, token) ??
      (options.ownUserOnly === true ? await checkOwner(request.socket) : undefined);
    if (refusal !== undefined) {
      turnAway(socket, refusal);
    } else if (!socket.destroyed) {
      sockets.handleUpgrade(request, socket, head, welcome);
    }
  };
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    upgrade(request, socket, head).catch(() => socket.destroy());
  });

  await new Promise<void>((resolve, reject) => {
    http.once('error', (cause: NodeJS.ErrnoException) => {
      idle.stop();
      reject(
        cause.code === 'EADDRINUSE'
          ? new LoupeError(
              'port-in-use',
              `port ${options.port} is taken; choose another or leave --port out`,
              {},
              { cause },
            )
          : new LoupeError('cannot-listen', `cannot listen on 127.0.0.1: ${cause.message}`, {}, { cause }),
      );
    });
    http.listen({ host: '127.0.0.1', port: options.port, exclusive: true }, resolve);
  });
  const address = http.address();
  port = typeof address === 'object' && address !== null ? address.port : options.port;
  return { port, token, url: `http://127.0.0.1:${port}/#token=${token}`, pagesSeen: idle.seen, closed, close };
};
