// What the program and its libraries call of Node 20 and V8, and Node 16 of older Electrons does not have.
const os = require('node:os');

os.availableParallelism ??= () => os.cpus().length;

const define = (owner, name, value) => {
  if (owner[name] === undefined) {
    Object.defineProperty(owner, name, { value, writable: true, configurable: true });
  }
};

define(Array.prototype, 'toReversed', function toReversed() {
  return Array.from(this).reverse();
});
define(Array.prototype, 'toSorted', function toSorted(compare) {
  return Array.from(this).sort(compare);
});
define(URL, 'canParse', (text, base) => {
  try {
    return new URL(text, base) !== undefined;
  } catch {
    return false;
  }
});
define(AbortSignal, 'any', (signals) => {
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) {
      controller.abort(signal.reason);
    }
    signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  }
  return controller.signal;
});

/** As much of fetch's Response as an answer to a page request is made of. */
class PlainResponse {
  constructor(body, { status = 200, headers = {} } = {}) {
    this.status = status;
    this.headers = new Map(Object.entries(headers));
    this.body = body;
  }

  async arrayBuffer() {
    const { buffer, byteOffset, byteLength } =
      typeof this.body === 'string' ? new TextEncoder().encode(this.body) : this.body;
    return buffer.slice(byteOffset, byteOffset + byteLength);
  }
}
define(globalThis, 'Response', PlainResponse);
