/** Whether the stand-in's application is ready: Electron refuses some calls before that, and others after. */
export interface Readiness {
  readonly isReady: () => boolean;
  /** @throws Error before the application is ready, as Electron does. */
  readonly after: (what: string) => void;
  /** @throws Error once the application is ready, as Electron does. */
  readonly before: (what: string) => void;
}

/** Starts unready; `become` makes it ready, once and for all. */
export const createReadiness = (): Readiness & { readonly become: () => void } => {
  let ready = false;
  return {
    isReady: () => ready,
    after: (what) => {
      if (!ready) {
        throw new Error(`${what} before app is ready`);
      }
    },
    before: (what) => {
      if (ready) {
        throw new Error(`${what} should be called before app is ready`);
      }
    },
    become: () => {
      ready = true;
    },
  };
};
