import { escapeText } from '../../../shared/escape-text.ts';

/** HTML that this program wrote: the only text that is put into a page as it is. */
export class SafeHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What {@link html} takes: anything that is no {@link SafeHtml} is text and is escaped. */
export type HtmlPart = SafeHtml | string | number | undefined | readonly HtmlPart[];

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Text for HTML, in content or quoted attributes, with invisible and bidirectional characters as visible escapes. */
export const escapeHtml = (text: string): string =>
  escapeText(text).replace(/[&<>"']/g, (mark) => ENTITIES.get(mark) ?? mark);

const partText = (part: HtmlPart): string => {
  if (part instanceof SafeHtml) {
    return part.text;
  }
  if (part === undefined) {
    return '';
  }
  return typeof part === 'object' ? part.map(partText).join('') : escapeHtml(String(part));
};

/** HTML by a template: what stands in the template is markup, what is put into it is text and escaped. Attributes are quoted. */
export const html = (markup: TemplateStringsArray, ...parts: readonly HtmlPart[]): SafeHtml =>
  new SafeHtml(markup.map((piece, at) => piece + (at < parts.length ? partText(parts[at]) : '')).join(''));
