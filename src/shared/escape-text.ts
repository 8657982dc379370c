/**
 * Characters that must not reach a terminal or a line of text raw, or that cannot be told from nothing or from a space: C0
 * and C1 controls, line and paragraph separators, bidirectional controls, zero-width and other format characters, byte
 * order mark, interlinear marks, tag characters, private use, unassigned, lone surrogates, fillers, variation selectors
 * and every space but U+0020. Source: Unicode general categories Cc, Cf, Zl, Zp, Zs, Co, Cn, Cs and the property
 * Default_Ignorable_Code_Point; U+2800 is a blank Braille cell.
 */
const HIDDEN = /(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** More than this many combining marks in a row are shown as escapes, so that a name cannot paint over its neighbours. */
const COMBINING_RUN = /(?<=\p{M}{4})\p{M}/gu;
/** Text that reads like one of the escapes made here. */
const LIKE_ESCAPE = /\\(?:[nrt\\]|u\{)/;
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
 * (`\n`, `\u{1b}`). Backslashes are doubled when something was escaped or already reads like an escape, so ordinary names
 * stay untouched and no two texts come out the same.
 */
export const escapeText = (text: string): string => {
  if (text.search(HIDDEN) < 0 && text.search(COMBINING_RUN) < 0 && text.search(LIKE_ESCAPE) < 0) {
    return text;
  }
  return text.replaceAll('\\', '\\\\').replace(HIDDEN, escapeOne).replace(COMBINING_RUN, escapeOne);
};

/** `text` cut in its middle to at most `length` characters, keeping head and tail: `model.…down_proj.weight`. */
export const elideMiddle = (text: string, length: number): string => {
  // A character takes at most two code units; only so many are split up, as a name may have millions.
  if (text.length <= length || (text.length <= 2 * length && Array.from(text).length <= length)) {
    return text;
  }
  const tail = Math.ceil((length - 1) * 0.6);
  const head = length - 1 - tail;
  const first = Array.from(text.slice(0, 2 * head)).slice(0, head);
  const last = Array.from(text.slice(Math.max(0, text.length - 2 * tail)));
  return `${first.join('')}…${last.slice(last.length - tail).join('')}`;
};
