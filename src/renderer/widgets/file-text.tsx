import type { JSX } from 'react';
import { elideMiddle, escapeText } from '../../shared/escape-text.ts';

/** Most characters a hover text shows: a name may be a megabyte long. */
const HOVER_LIMIT = 2000;
/** Most characters written into the page for text that is cut by its box anyway. */
const SHOWN_LIMIT = 400;

/** Text from a file as a hover text: visible escapes, head and tail of anything very long. */
export const hoverText = (text: string): string => elideMiddle(escapeText(text.slice(0, HOVER_LIMIT * 4)), HOVER_LIMIT);

/** Fewest characters of a name's tail that are worth keeping its numbered head for. */
const TAIL_LEAST = 9;

/**
 * A dotted name cut to `length` characters so that its numbers stay: `model.layers.10…attn.q_proj.weight`. Of two layers'
 * names, the number is what tells them apart.
 */
export const elideName = (name: string, length: number): string => {
  const numbered = /^.*\.\d+(?=\.)/.exec(name.slice(0, length))?.[0];
  const tail = numbered === undefined ? 0 : length - 1 - numbered.length;
  if (name.length <= length || numbered === undefined || tail < TAIL_LEAST) {
    return elideMiddle(name, length);
  }
  return `${numbered}…${name.slice(name.length - tail)}`;
};

/** Text from a file as one line: visible escapes, at most `length` characters with head and tail kept. */
export const lineText = (text: string, length = SHOWN_LIMIT): string => {
  // A very long text is cut before it is escaped; its ends are all that can be shown.
  const bounded = text.length > 20_000 ? `${text.slice(0, 10_000)}${text.slice(-10_000)}` : text;
  return elideName(escapeText(bounded), Math.max(3, length));
};

/**
 * Text that came from a file: always a text node of its own direction, invisible characters as visible escapes, cut in
 * its middle to `length` characters with the whole on hover.
 */
export const FileText = ({
  text,
  length,
  className,
  hover = true,
}: {
  readonly text: string;
  readonly length?: number;
  readonly className?: string;
  readonly hover?: boolean;
}): JSX.Element => (
  <bdi
    dir="ltr"
    className={className === undefined ? 'file-text' : `file-text ${className}`}
    title={hover ? hoverText(text) : undefined}
  >
    {lineText(text, length)}
  </bdi>
);
