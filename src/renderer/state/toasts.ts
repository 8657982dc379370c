import { createStore, type StoreApi } from 'zustand/vanilla';
import { describeFailure } from './failure.ts';

/** A short message at the edge of the window. */
export interface Toast {
  readonly id: number;
  readonly kind: 'info' | 'done' | 'failed' | 'progress';
  readonly title: string;
  readonly detail: string | undefined;
  /** 0 to 1, of a `progress` toast whose extent is known. */
  readonly fraction: number | undefined;
  readonly cancel: (() => void) | undefined;
  /** What can be done about it. */
  readonly action: { readonly label: string; run(): void } | undefined;
}

/** The messages shown, and how to show more. */
export interface ToastStore {
  readonly store: StoreApi<{ readonly toasts: readonly Toast[] }>;
  info(title: string, detail?: string): void;
  done(title: string, detail?: string, action?: Toast['action']): void;
  fail(title: string, error: unknown, action?: Toast['action']): void;
  /** Shows work under way; the answer changes or ends it. */
  progress(
    title: string,
    cancel: () => void,
  ): {
    update(fraction: number, detail: string): void;
    end(): void;
  };
  dismiss(id: number): void;
}

const SHOWN_MS = 4000;
const SHOWN_FAILED_MS = 12_000;

/** Makes the message list. */
export const createToasts = (): ToastStore => {
  const store = createStore<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));
  let lastId = 0;

  const dismiss = (id: number): void =>
    store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
  const add = (toast: Pick<Toast, 'kind' | 'title'> & Partial<Toast>, shownMs: number | undefined): number => {
    lastId += 1;
    const id = lastId;
    const whole: Toast = { detail: undefined, fraction: undefined, cancel: undefined, action: undefined, ...toast, id };
    store.setState(({ toasts }) => ({ toasts: [...toasts.slice(-4), whole] }));
    if (shownMs !== undefined) {
      setTimeout(() => dismiss(id), shownMs);
    }
    return id;
  };

  return {
    store,
    info: (title, detail) => add({ kind: 'info', title, detail }, SHOWN_MS),
    done: (title, detail, action) =>
      add({ kind: 'done', title, detail, action }, action === undefined ? SHOWN_MS : SHOWN_FAILED_MS),
    fail: (title, error, action) => {
      const { what, next } = describeFailure(error);
      add({ kind: 'failed', title, detail: `${what}. ${next}`, action }, SHOWN_FAILED_MS);
    },
    progress: (title, cancel) => {
      const id = add({ kind: 'progress', title, cancel }, undefined);
      return {
        update: (fraction, detail) =>
          store.setState(({ toasts }) => ({
            toasts: toasts.map((toast) => (toast.id === id ? { ...toast, fraction, detail } : toast)),
          })),
        end: () => dismiss(id),
      };
    },
    dismiss,
  };
};
