/**
 * JSON as the reference reader of safetensors takes it, read the simplest possible way: over a string, recursively, every
 * node kept. Made to disagree with the program's own reader where that is wrong, so it shares nothing with it.
 *
 * Nodes: `{type: 'object', members: [{key, value}]}`, `{type: 'array', items}`, `{type: 'string', text}`,
 * `{type: 'number', text}`, `{type: 'boolean' | 'null'}`.
 */

/** Levels of nesting that the reference takes (test/fixtures/oracle/json-cases.json: 125 in an entry's field). */
const DEEPEST = 127;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

class NaiveReader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  fail() {
    throw new SyntaxError(`not JSON at ${this.at}`);
  }

  space() {
    while (' \t\r\n'.includes(this.text[this.at] ?? 'x')) {
      this.at += 1;
    }
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) {
      this.fail();
    }
    this.at += found.length;
    return found;
  }

  take(word) {
    if (!this.text.startsWith(word, this.at)) {
      this.fail();
    }
    this.at += word.length;
  }

  string() {
    const text = JSON.parse(this.match(STRING));
    // A pair of escapes is one character; anything else in that range is half of one.
    if (LONE_SURROGATE.test(text)) {
      this.fail();
    }
    return text;
  }

  /** What stands between two brackets, separated by commas. */
  list(close, item) {
    const items = [];
    this.at += 1;
    this.space();
    if (this.text[this.at] === close) {
      this.at += 1;
      return items;
    }
    for (;;) {
      this.space();
      items.push(item());
      this.space();
      if (this.text[this.at] === close) {
        this.at += 1;
        return items;
      }
      this.take(',');
    }
  }

  value(depth) {
    this.space();
    switch (this.text[this.at]) {
      case '{':
      case '[':
        return depth < DEEPEST ? this.nest(depth + 1) : this.fail();
      case '"':
        return { type: 'string', text: this.string() };
      case 't':
        this.take('true');
        return { type: 'boolean' };
      case 'f':
        this.take('false');
        return { type: 'boolean' };
      case 'n':
        this.take('null');
        return { type: 'null' };
      default:
        return { type: 'number', text: this.match(NUMBER) };
    }
  }

  nest(depth) {
    if (this.text[this.at] === '[') {
      return { type: 'array', items: this.list(']', () => this.value(depth)) };
    }
    const members = this.list('}', () => {
      const key = this.string();
      this.space();
      this.take(':');
      return { key, value: this.value(depth) };
    });
    return { type: 'object', members };
  }
}

/**
 * @param {string} text
 * @throws SyntaxError
 */
export const naiveJson = (text) => {
  const reader = new NaiveReader(text);
  const node = reader.value(0);
  reader.space();
  if (reader.at < text.length) {
    reader.fail();
  }
  return node;
};

/** Whether a value holds a number that overflows a float64. */
export const overflows = (node) => {
  switch (node.type) {
    case 'number':
      return !Number.isFinite(Number(node.text));
    case 'array':
      return node.items.some(overflows);
    case 'object':
      return node.members.some(({ value }) => overflows(value));
    default:
      return false;
  }
};
