/**
 * What runs in a page of the stand-in: `bridgeWorld` in the page's own world, `preloadWorld` in an isolated one with the
 * preload. Both are sent to the browser as text, so neither may use anything from outside itself.
 */

/** Name of the isolated world. */
export const PRELOAD_WORLD = 'electron-preload';
/** The function by which the isolated world talks to the test's process, in that world alone. */
export const HOST_BINDING = 'electronHost';

/** What the isolated world says. */
export type HostMessage =
  | { readonly kind: 'send'; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly kind: 'port'; readonly port: number; readonly bytes: string | null }
  | { readonly kind: 'key'; readonly accelerator: string };

/** The half of the context bridge in the page's world: makes what the preload exposes, each function a call across. */
export const bridgeWorld = (): void => {
  addEventListener('electron:expose', (event) => {
    if (!(event instanceof CustomEvent)) {
      return;
    }
    const { name, values, functions } = event.detail;
    const call =
      (key: string) =>
      (...args: readonly unknown[]): unknown => {
        let answer: { value?: unknown; error?: string } = {};
        const listen = (answered: Event): void => {
          answer = answered instanceof CustomEvent ? answered.detail : {};
        };
        addEventListener('electron:answer', listen, { once: true });
        dispatchEvent(new CustomEvent('electron:call', { detail: { name, key, args } }));
        if (answer.error !== undefined) {
          throw new Error(answer.error);
        }
        return answer.value;
      };
    const exposed = { ...values, ...Object.fromEntries(functions.map((key: string) => [key, call(key)])) };
    Object.defineProperty(window, name, { value: Object.freeze(exposed), enumerable: true });
  });
};

/** What `require('electron')` gives a sandboxed preload, as far as this program's uses it, and the preload itself. */
export const preloadWorld = (preload: (require: (name: string) => unknown) => void): void => {
  // As in Electron: only in the main frame, and not in the empty page a window starts with.
  if (window !== window.top || location.href === 'about:blank') {
    return;
  }
  const say = (message: HostMessage): void => {
    const host: unknown = Reflect.get(globalThis, 'electronHost');
    if (typeof host === 'function') {
      host(JSON.stringify(message));
    }
  };
  const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const toBase64 = (bytes: Uint8Array): string => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 32_768) {
      text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
    }
    return btoa(text);
  };

  const exposed = new Map<string, Record<string, unknown>>();
  const listeners = new Map<string, ((event: unknown, message: unknown) => void)[]>();
  const ports = new Map<number, MessagePort>();
  let paths: readonly { readonly name: string; readonly modified: number; readonly path: string }[] = [];

  addEventListener('electron:call', (event) => {
    const { name, key, args } = event instanceof CustomEvent ? event.detail : {};
    const method = exposed.get(name)?.[key];
    const answer = (): { value?: unknown; error?: string } => {
      try {
        return { value: typeof method === 'function' ? Reflect.apply(method, undefined, args) : undefined };
      } catch (error) {
        return { error: String(error) };
      }
    };
    dispatchEvent(new CustomEvent('electron:answer', { detail: answer() }));
  });

  // What the test's process calls in this world.
  Object.assign(globalThis, {
    electronDeliver: (channel: string, message: unknown, numbers: readonly number[]): void => {
      const given = numbers.map((number) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }: MessageEvent<Uint8Array | null>) =>
          say({ kind: 'port', port: number, bytes: data === null ? null : toBase64(data) });
        ports.set(number, port1);
        return port2;
      });
      for (const listener of listeners.get(channel) ?? []) {
        listener({ ports: given }, message);
      }
    },
    electronPort: (number: number, bytes: string | null): void =>
      ports.get(number)?.postMessage(bytes === null ? null : fromBase64(bytes)),
    electronPaths: (known: typeof paths): void => {
      paths = known;
    },
  });

  // A native menu gets the keys that the page leaves alone.
  addEventListener('keydown', (event) => {
    setTimeout(() => {
      const parts = [event.ctrlKey && 'CmdOrCtrl', event.altKey && 'Alt', event.shiftKey && 'Shift', event.key];
      if (!event.defaultPrevented && (event.ctrlKey || event.key.length > 1)) {
        say({ kind: 'key', accelerator: parts.filter((part) => part !== false).join('+') });
      }
    });
  });

  const electron = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: Record<string, unknown>): void => {
        exposed.set(name, api);
        const entries = Object.entries(api);
        const values = Object.fromEntries(entries.filter(([, value]) => typeof value !== 'function'));
        const functions = entries.filter(([, value]) => typeof value === 'function').map(([key]) => key);
        dispatchEvent(new CustomEvent('electron:expose', { detail: { name, values, functions } }));
      },
    },
    ipcRenderer: {
      on: (channel: string, listener: (event: unknown, message: unknown) => void): void => {
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      },
      send: (channel: string, ...args: readonly unknown[]): void => say({ kind: 'send', channel, args }),
    },
    webUtils: {
      getPathForFile: (file: unknown): string =>
        file instanceof File
          ? (paths.find(({ name, modified }) => name === file.name && modified === file.lastModified)?.path ?? '')
          : '',
    },
  };
  preload((name) => {
    if (name !== 'electron') {
      throw new Error(`module not found: ${name}`);
    }
    return electron;
  });
};
