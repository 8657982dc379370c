type Token =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'many' }
  | { readonly kind: 'class'; readonly chars: string; readonly negated: boolean };

/** Most alternatives a pattern's braces may expand to. */
const ALTERNATIVE_LIMIT = 64;

/** Whether text holds any character with a meaning in a glob. */
export const isGlob = (text: string): boolean => /[*?[{]/.test(text);

/** Expands `{a,b}` and `{0..3}`, outermost first; stops at 64 alternatives. */
const expandBraces = (pattern: string): readonly string[] => {
  const done: string[] = [];
  const todo: string[] = [pattern];
  for (let text = todo.pop(); text !== undefined && done.length < ALTERNATIVE_LIMIT; text = todo.pop()) {
    const close = text.indexOf('}');
    const open = close < 0 ? -1 : text.lastIndexOf('{', close);
    if (open < 0) {
      done.push(text);
      continue;
    }
    const head = text.slice(0, open);
    const tail = text.slice(close + 1);
    for (const part of braceParts(text.slice(open + 1, close))) {
      todo.push(head + part + tail);
    }
  }
  return done;
};

const braceParts = (body: string): readonly string[] => {
  const range = /^(\d{1,6})\.\.(\d{1,6})$/.exec(body);
  if (range === null) {
    return body.split(',');
  }
  const from = Number(range[1]);
  const count = Math.min(Number(range[2]) - from + 1, ALTERNATIVE_LIMIT);
  return Array.from({ length: Math.max(0, count) }, (_, index) => String(from + index));
};

const expandRanges = (body: string): string =>
  body.replace(/([\s\S])-([\s\S])/g, (whole, from: string, to: string) => {
    const low = from.charCodeAt(0);
    const high = to.charCodeAt(0);
    return high < low || high - low > 0xff
      ? whole
      : Array.from({ length: high - low + 1 }, (_, index) => String.fromCharCode(low + index)).join('');
  });

const tokenise = (pattern: string): readonly Token[] => {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const char = pattern.charAt(at);
    const close = char === '[' ? pattern.indexOf(']', at + 2) : -1;
    if (char === '*') {
      if (tokens.at(-1)?.kind !== 'many') {
        tokens.push({ kind: 'many' });
      }
    } else if (char === '?') {
      tokens.push({ kind: 'one' });
    } else if (close > 0) {
      const negated = '!^'.includes(pattern.charAt(at + 1));
      tokens.push({ kind: 'class', negated, chars: expandRanges(pattern.slice(at + (negated ? 2 : 1), close)) });
      at = close;
    } else {
      tokens.push({ kind: 'char', char });
    }
  }
  return tokens;
};

const matchesOne = (token: Token, char: string): boolean => {
  switch (token.kind) {
    case 'char':
      return token.char === char;
    case 'class':
      return token.chars.includes(char) !== token.negated;
    default:
      return token.kind === 'one';
  }
};

/** The longest run of plain characters that any match must contain. */
const longestLiteral = (tokens: readonly Token[]): string => {
  let longest = '';
  let run = '';
  for (const token of tokens) {
    run = token.kind === 'char' ? run + token.char : '';
    longest = run.length > longest.length ? run : longest;
  }
  return longest;
};

/** Greedy matching with one point to go back to: never worse than pattern length × text length. */
const matches = (tokens: readonly Token[], text: string, onStep?: () => void): boolean => {
  let token = 0;
  let at = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    onStep?.();
    const current = tokens[token];
    if (current?.kind === 'many') {
      star = token;
      resume = at;
      token += 1;
    } else if (current !== undefined && matchesOne(current, text.charAt(at))) {
      token += 1;
      at += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      token = star + 1;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === 'many') {
    token += 1;
  }
  return token === tokens.length;
};

/**
 * A test for names by glob: `*` any text (dots and slashes too), `?` one character, `[0-9]` and `[!0-9]` a class, `{a,b}` and
 * `{0..25}` alternatives. The pattern must cover the whole name. Takes time in proportion to pattern × name, whatever they
 * are.
 *
 * @param onStep is called once for every comparison of a token with a character, so that the work can be counted.
 */
export const compileGlob = (pattern: string, onStep?: () => void): ((name: string) => boolean) => {
  const alternatives = expandBraces(pattern).map((text) => {
    const tokens = tokenise(text);
    return { tokens, literal: longestLiteral(tokens) };
  });
  // Looking for the longest plain part first rules most names out at native speed.
  return (name) => alternatives.some(({ tokens, literal }) => name.includes(literal) && matches(tokens, name, onStep));
};

/** A glob for exactly this text, as far as globs can say it: of braces only that there is some character. */
export const escapeGlob = (text: string): string => text.replace(/[*?[]/g, '[$&]').replace(/[{}]/g, '?');
