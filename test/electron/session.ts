import { EventEmitter } from 'node:events';
import type * as Electron from 'electron';

type Before = (details: { url: string }, answer: (response: Electron.CallbackResponse) => void) => void;

/** A session; what was set on it is in its public fields. */
export class StandInSession extends EventEmitter {
  request: Parameters<Electron.Session['setPermissionRequestHandler']>[0] = null;
  check: Parameters<Electron.Session['setPermissionCheckHandler']>[0] = null;
  device: Parameters<Electron.Session['setDevicePermissionHandler']>[0] = null;
  filter: Electron.WebRequestFilter | undefined;
  before: Before | undefined;
  readonly webRequest = {
    onBeforeRequest: (filter: Electron.WebRequestFilter, listener: Before): void => {
      this.filter = filter;
      this.before = listener;
    },
  };

  setPermissionRequestHandler(handler: typeof this.request): void {
    this.request = handler;
  }

  setPermissionCheckHandler(handler: typeof this.check): void {
    this.check = handler;
  }

  setDevicePermissionHandler(handler: typeof this.device): void {
    this.device = handler;
  }

  /** Whether a request may go out; all may as long as nobody listens. */
  allows(url: string): boolean {
    let cancelled = false;
    this.before?.({ url }, ({ cancel = false }) => {
      cancelled = cancel;
    });
    return !cancelled;
  }
}
