import { randomBytes } from 'node:crypto';

/** A file made ready for download. */
export interface Download {
  readonly fileName: string;
  /** Length of the whole, when it is known before it is made. */
  readonly bytes: number | undefined;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Called once: after the last byte, when the download broke off, or when nobody came for it. */
  readonly finish: () => void;
}

/** A page fetches at once what it asked for; a ticket that lies longer than this was forgotten. */
export const TICKET_MILLISECONDS = 60_000;
/** Tickets that wait at once; the oldest makes room. */
export const TICKET_LIMIT = 64;

interface Waiting {
  readonly download: Download;
  readonly timer: NodeJS.Timeout;
}

/** Downloads that wait to be fetched, each under an unguessable ticket that is good for one time. */
export class Downloads {
  readonly #waiting = new Map<string, Waiting>();

  /** Keeps a download for {@link TICKET_MILLISECONDS} and returns its ticket (256 random bits, URL-safe). */
  issue(download: Download): string {
    for (const oldest of this.#waiting.keys()) {
      if (this.#waiting.size < TICKET_LIMIT) {
        break;
      }
      this.#drop(oldest);
    }
    const ticket = randomBytes(32).toString('base64url');
    const timer = setTimeout(() => this.#drop(ticket), TICKET_MILLISECONDS);
    timer.unref();
    this.#waiting.set(ticket, { download, timer });
    return ticket;
  }

  /** Hands a download out, once; whoever takes it must call its `finish`. */
  take(ticket: string): Download | undefined {
    const waiting = this.#waiting.get(ticket);
    if (waiting === undefined) {
      return undefined;
    }
    clearTimeout(waiting.timer);
    this.#waiting.delete(ticket);
    return waiting.download;
  }

  /** Forgets everything that waits. */
  clear(): void {
    for (const ticket of [...this.#waiting.keys()]) {
      this.#drop(ticket);
    }
  }

  #drop(ticket: string): void {
    this.take(ticket)?.finish();
  }
}

/** What must not stand in a file name that is sent to a browser: controls, marks that turn text round, separators. */
const UNFIT = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/**
 * The Content-Disposition of a download: an ASCII name for old clients and the whole one after RFC 5987.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266
 */
export const contentDisposition = (fileName: string): string => {
  const name = fileName.replace(UNFIT, '_');
  const ascii = name.replace(/[^\x20-\x7e]/g, '_').replaceAll('%', '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
};
