import type * as Electron from 'electron';
import type { Readiness } from './readiness.ts';

/** Answers a request under a scheme of the application's own. */
export type SchemeHandler = Parameters<Electron.Protocol['handle']>[1];

/** Schemes of the application's own: registered before it is ready, answered afterwards. */
export class StandInProtocol implements Pick<Electron.Protocol, 'handle' | 'registerSchemesAsPrivileged'> {
  readonly schemes: Electron.CustomScheme[] = [];
  readonly handlers = new Map<string, SchemeHandler>();
  readonly #readiness: Readiness;

  constructor(readiness: Readiness) {
    this.#readiness = readiness;
  }

  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    this.#readiness.before('protocol.registerSchemesAsPrivileged');
    this.schemes.push(...schemes);
  }

  handle(scheme: string, handler: SchemeHandler): void {
    this.#readiness.after('protocol.handle');
    if (this.handlers.has(scheme)) {
      throw new Error(`Failed to register protocol: ${scheme}`);
    }
    this.handlers.set(scheme, handler);
  }
}
