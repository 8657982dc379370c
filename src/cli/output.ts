import { once } from 'node:events';
import pc from 'picocolors';
import { escapeText } from '../shared/escape-text.ts';
import type { Finding, Severity } from '../shared/findings.ts';
import { type JsonInput, strictJson } from '../shared/strict-json.ts';

/** Where a command's words go. Colours only on a terminal. */
export interface Output {
  /** Whether stdout carries JSON and nothing else. */
  readonly json: boolean;
  /** Writes a line of text from this program to stdout; text out of a file must be escaped by the caller. */
  line(text: string): void;
  /** Writes one JSON value and a newline to stdout. */
  value(value: JsonInput): void;
  /** Writes raw text to stdout, waiting while the reader is slow. */
  raw(text: string): Promise<void>;
  /** Writes a line to stderr, escaped. */
  note(text: string): void;
  /** Writes findings to stderr, one a line, escaped. */
  findings(findings: Iterable<Finding>): void;
}

const paint = (severity: Severity): ((text: string) => string) => {
  const colours = pc.createColors(process.stderr.isTTY === true && process.env.NO_COLOR === undefined);
  switch (severity) {
    case 'danger':
      return (text) => colours.bold(colours.red(text));
    case 'error':
      return colours.red;
    case 'warning':
      return colours.yellow;
    case 'note':
      return colours.dim;
  }
};

/** Findings printed to a terminal before the rest is only counted. */
const MOST_PRINTED = 200;

export const createOutput = (json: boolean): Output => ({
  json,
  line: (text) => {
    process.stdout.write(`${text}\n`);
  },
  value: (value) => {
    process.stdout.write(`${strictJson(value)}\n`);
  },
  raw: async (text) => {
    if (!process.stdout.write(text)) {
      await once(process.stdout, 'drain');
    }
  },
  note: (text) => {
    process.stderr.write(`${escapeText(text)}\n`);
  },
  findings: (findings) => {
    let printed = 0;
    for (const { severity, code, message, file } of findings) {
      printed += 1;
      if (printed <= MOST_PRINTED) {
        process.stderr.write(`${paint(severity)(severity)} ${code}: ${escapeText(`${file}: ${message}`)}\n`);
      }
    }
    if (printed > MOST_PRINTED) {
      process.stderr.write(`… and ${printed - MOST_PRINTED} more findings; --json lists them all\n`);
    }
  },
});
