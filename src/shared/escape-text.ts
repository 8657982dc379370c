/**
 * Characters that must not reach a terminal or a line of text raw: C0 and C1 controls, line and paragraph separators,
 * bidirectional controls, zero-width and other format characters, byte order mark, interlinear marks, tag characters,
 * private use, unassigned and lone surrogates. Source: Unicode general categories Cc, Cf, Zl, Zp, Co, Cn, Cs.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;
/** More than this many combining marks in a row are shown as escapes, so that a name cannot paint over its neighbours. */
const COMBINING_RUN = /(?<=\p{M}{4})\p{M}/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

const escapeOne = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return SHORT.get(character) ?? `\\u{${code.toString(16).padStart(2, '0')}}`;
};

/**
 * Text from a file with every control, bidirectional, zero-width and otherwise invisible character as a visible escape
 * (`\n`, `\u{1b}`). Backslashes are left as they are unless something was escaped, so ordinary names stay untouched and
 * escaped ones stay unambiguous.
 */
export const escapeText = (text: string): string => {
  if (text.search(HIDDEN) < 0 && text.search(COMBINING_RUN) < 0) {
    return text;
  }
  return text.replaceAll('\\', '\\\\').replace(HIDDEN, escapeOne).replace(COMBINING_RUN, escapeOne);
};

/** `text` cut in its middle to at most `length` characters, keeping head and tail: `model.…down_proj.weight`. */
export const elideMiddle = (text: string, length: number): string => {
  const characters = Array.from(text);
  if (characters.length <= length) {
    return text;
  }
  const tail = Math.ceil((length - 1) * 0.6);
  const head = length - 1 - tail;
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - tail).join('')}`;
};
