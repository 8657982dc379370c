/** Longest text that is parsed for pretty printing; anything longer is shown as it is. */
const PARSE_LIMIT = 4_000_000;

/**
 * Indented JSON when `text` is a JSON object or array, else undefined. Only white space between tokens changes: numbers
 * and strings keep the characters they have in the file, so that no digit is lost.
 */
export const prettyJson = (text: string): string | undefined => {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed) || trimmed.length > PARSE_LIMIT) {
    return undefined;
  }
  try {
    JSON.parse(trimmed);
  } catch {
    return undefined;
  }
  return indent(trimmed);
};

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g;

const indent = (json: string): string => {
  let depth = 0;
  let pretty = '';
  const line = (): string => `\n${'  '.repeat(depth)}`;
  let previous = '';
  for (const [token] of json.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) {
      depth -= 1;
      pretty += previous === '{' || previous === '[' ? token : line() + token;
    } else {
      pretty += previous === '{' || previous === '[' || previous === ',' ? line() + token : token;
    }
    if (token === '{' || token === '[') {
      depth += 1;
    } else if (token === ':') {
      pretty += ' ';
    }
    previous = token;
  }
  return pretty;
};
