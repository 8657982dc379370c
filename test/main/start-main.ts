import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { InspectorService } from '../../src/node/inspector-service.ts';
import { connectInspector, type InspectorClient } from '../../src/rpc/inspector.ts';
import { portWire } from '../../src/rpc/wires.ts';
import type { InspectorPeer } from '../../src/shared/api.ts';
import type { StandInWindow } from '../electron/browser-window.ts';
import { createStandIn, type StandIn } from '../electron/stand-in.ts';
import { fakeService, type ServiceLog } from '../server/fake-service.ts';

/** The main process, run from its entry file against the stand-in for Electron. */
export interface StartedMain {
  readonly electron: StandIn;
  readonly services: ServiceLog[];
  readonly engine: { readonly workerFiles: URL[]; destroyed: number };
  readonly settings: string;
  /** The window made last. */
  window(): StandInWindow;
  /** What the preload and the page do once loaded: ask for the port, take it, connect. */
  connectPage(window: StandInWindow): InspectorClient;
  end(): void;
}

/** How the process is started. */
export interface StartOptions {
  readonly argv?: readonly string[];
  readonly prepare?: (electron: StandIn) => void;
  readonly settings?: string;
}

/** Remembers who listens for the process's errors; answers the way to take off everybody who has come since. */
const keepErrorListeners = (): (() => void) => {
  const exceptions = process.listeners('uncaughtException');
  const rejections = process.listeners('unhandledRejection');
  return () => {
    for (const listener of process.listeners('uncaughtException')) {
      if (!exceptions.includes(listener)) {
        process.removeListener('uncaughtException', listener);
      }
    }
    for (const listener of process.listeners('unhandledRejection')) {
      if (!rejections.includes(listener)) {
        process.removeListener('unhandledRejection', listener);
      }
    }
  };
};

/** Imports src/main/index.ts afresh, so that it starts; Electron is not ready yet. */
export const startMain = async (options: StartOptions = {}): Promise<StartedMain> => {
  vi.resetModules();
  const settings = options.settings ?? mkdtempSync(join(tmpdir(), 'loupe-main-'));
  const electron = createStandIn();
  electron.app.userData = settings;
  options.prepare?.(electron);

  const services: ServiceLog[] = [];
  const engine = { workerFiles: [] as URL[], destroyed: 0 };
  vi.doMock('electron', () => electron);
  vi.doMock('../../src/node/inspector-service.ts', () => ({
    createInspectorService: ({ peer }: { peer: InspectorPeer }): InspectorService => {
      const log: ServiceLog = { calls: [], disposed: 0 };
      services.push(log);
      return fakeService(log)(peer);
    },
  }));
  vi.doMock('../../src/node/scan/scan-engine.ts', () => ({
    createScanEngine: ({ workerFile }: { workerFile: URL }) => {
      engine.workerFiles.push(workerFile);
      return {
        destroy: async () => {
          engine.destroyed += 1;
        },
      };
    },
  }));

  const restoreListeners = keepErrorListeners();
  const { argv } = process;
  const settingsBefore = process.env.LOUPE_SETTINGS_DIR;
  process.env.LOUPE_SETTINGS_DIR = settings;
  process.argv = ['/usr/bin/electron', '/app', ...(options.argv ?? [])];
  try {
    await import('../../src/main/index.ts');
  } finally {
    process.argv = argv;
  }

  return {
    electron,
    services,
    engine,
    settings,
    window: () => {
      const window = electron.BrowserWindow.getAllWindows().at(-1);
      if (window === undefined) {
        throw new Error('there is no window');
      }
      return window;
    },
    connectPage: ({ webContents }) => {
      electron.ipcMain.emit('loupe-port-request', { sender: webContents, senderFrame: webContents.mainFrame });
      const port = webContents.mainFrame.received.at(-1)?.ports[0];
      if (port === undefined) {
        throw new Error('no port was granted');
      }
      const { wire, receive, closed } = portWire(port);
      port.on('message', receive);
      port.on('close', closed);
      return connectInspector(wire, { readPageFile: () => Promise.reject(new Error('no file')) });
    },
    end: () => {
      for (const window of electron.BrowserWindow.getAllWindows()) {
        window.destroy();
      }
      restoreListeners();
      process.env.LOUPE_SETTINGS_DIR = settingsBefore;
      if (options.settings === undefined) {
        rmSync(settings, { recursive: true, force: true });
      }
    },
  };
};
