import { connectInspector, type InspectorClient } from '../rpc/inspector.ts';
import { portWire, socketWire } from '../rpc/wires.ts';
import { PORT_MESSAGE } from '../shared/port-names.ts';
import type { PageFiles } from './state/page-files.ts';

/** What Electron's preload hands to the page. */
export interface LoupeShell {
  readonly kind: 'electron';
  /** Absolute path of a dropped file; empty for one that is not on disk. */
  pathForFile(file: File): string;
}

declare global {
  interface Window {
    readonly loupeShell?: LoupeShell;
  }
}

/** Makes a fresh connection; called again after the old one was lost. */
export type ConnectService = (files: PageFiles) => Promise<InspectorClient>;

const TOKEN_KEY = 'loupe-token';
const CONNECT_TIMEOUT_MS = 10_000;

const portOf = (event: MessageEvent<unknown>): MessagePort | undefined =>
  event.source === window && event.data === PORT_MESSAGE ? event.ports[0] : undefined;

/** Waits for the preload to hand over its port. Call it before the page's load event, or the message may be missed. */
const electronPort = (): Promise<MessagePort> =>
  new Promise((resolve) => {
    const listen = (event: MessageEvent<unknown>): void => {
      const port = portOf(event);
      if (port !== undefined) {
        window.removeEventListener('message', listen);
        resolve(port);
      }
    };
    window.addEventListener('message', listen);
  });

const connectPort = async (files: PageFiles, waiting: Promise<MessagePort>): Promise<InspectorClient> => {
  const port = await waiting;
  const { wire, receive, closed } = portWire(port);
  port.onmessage = ({ data }) => receive(data);
  port.addEventListener('close', closed);
  port.start();
  return connectInspector(wire, files);
};

/** The launch's token: from the address the server printed, kept for reloads of this tab only. */
const launchToken = (): string => {
  const fromHash = new URLSearchParams(location.hash.slice(1)).get('token');
  if (fromHash !== null) {
    sessionStorage.setItem(TOKEN_KEY, fromHash);
    history.replaceState(null, '', location.pathname + location.search);
    return fromHash;
  }
  return sessionStorage.getItem(TOKEN_KEY) ?? '';
};

const connectSocket = (files: PageFiles): Promise<InspectorClient> =>
  new Promise((resolve, reject) => {
    const url = new URL('ws', location.href);
    url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
    url.hash = '';
    url.search = new URLSearchParams({ token: launchToken() }).toString();
    const socket = new WebSocket(url);
    const fail = (): void => reject(new Error('the service does not answer'));
    const timer = setTimeout(() => {
      socket.close();
      fail();
    }, CONNECT_TIMEOUT_MS);
    socket.addEventListener('close', fail);
    const client = connectInspector(socketWire(socket), files);
    socket.addEventListener('open', () => {
      clearTimeout(timer);
      socket.removeEventListener('close', fail);
      resolve(client);
    });
  });

/** The way this page reaches its service: Electron's port, or the browser version's WebSocket. */
export const makeConnectService = (): ConnectService => {
  if (window.loupeShell?.kind !== 'electron') {
    return connectSocket;
  }
  let waiting = electronPort();
  return (files) => {
    const port = waiting;
    waiting = electronPort();
    return connectPort(files, port);
  };
};
