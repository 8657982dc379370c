import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { notACheckpoint, stoodInFor } from '../../../src/core/formats/not-a-checkpoint.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const judge = (text: string | Uint8Array) => {
  const head = typeof text === 'string' ? utf8(text) : text;
  return notACheckpoint(head, head.length);
};

const OID = `oid sha256:${'4d7a'.repeat(16)}`;
const POINTER = `version https://git-lfs.github.com/spec/v1\n${OID}\nsize 4932308256\n`;

describe('git-lfs-pointer', () => {
  it.each([
    ['as it is', POINTER],
    ['with CR LF', POINTER.replaceAll('\n', '\r\n')],
    ['behind a byte order mark', `\ufeff${POINTER}`],
    ['without its first line', POINTER.slice(POINTER.indexOf('\n') + 1)],
    ['of the older tool', POINTER.replace('git-lfs', 'hawser')],
  ])('%s: names both sizes', (_what, text) => {
    expect(judge(text)).toEqual({
      code: 'git-lfs-pointer',
      message: `a Git LFS pointer: the real file has 4,932,308,256 bytes, this one ${utf8(text).length}; run "git lfs pull"`,
    });
  });

  it('without a size says so', () => {
    expect(judge(POINTER.replace(/size .*/, '')).message).toContain('the real size is not given');
    expect(judge(POINTER.replace('4932308256', '9'.repeat(30))).message).toContain('the real size is not given');
  });

  it('of 1024 bytes or more is something else', () => {
    expect(judge(POINTER.padEnd(1024)).code).toBe('unrecognised');
    expect(judge(POINTER.padEnd(1023)).code).toBe('git-lfs-pointer');
  });
});

describe('html-page', () => {
  it.each([
    '<!DOCTYPE html><html><head><title>Sign in</title>',
    '\ufeff\r\n  <html><title lang="en">Sign in</title>',
    '<HTML><TITLE>\n Sign in </TITLE>',
    '<head><title>Sign in</title></head>',
    '<?xml version="1.0"?><Error><title>Sign in</title></Error>',
    '<!-- x --><title>Sign in</title>',
  ])('%j: shows the title', (text) => {
    expect(judge(text)).toEqual({
      code: 'html-page',
      message: 'a web page saved as a model, titled "Sign in"; download the file again, signed in',
    });
  });

  it('without a title shows how it begins', () => {
    expect(judge('<!DOCTYPE html>\n<p>Not here').message).toContain('beginning <!DOCTYPE html>;');
  });

  it('shows no more than a line’s worth', () => {
    expect(judge(`<html>${'x'.repeat(4000)}`).message.length).toBeLessThan(300);
    expect(judge(`<html><title>${'x'.repeat(4000)}`).message.length).toBeLessThan(400);
  });
});

describe('json-error', () => {
  it.each([
    '{"error":"Repository not found"}',
    '\ufeff { "error" : 1}',
    'Entry not found',
    'Repository not found',
    'Invalid username or password.',
    '404: Not Found',
    'Not Found',
    'Access to model google/gemma is restricted. You must be authenticated',
  ])('%j', (text) => {
    const { code, message } = judge(text);
    expect(code).toBe('json-error');
    expect(message).toBe(`an error message saved as a model: ${text.replace('\ufeff', '').trim()}`);
  });

  it('of more than 64 KiB is something else', () => {
    expect(notACheckpoint(utf8('{"error":1'), 65_537).code).toBe('unrecognised');
    expect(notACheckpoint(utf8('{"error":1'), 65_536).code).toBe('json-error');
  });
});

describe('unrecognised', () => {
  it.each<readonly [string | Uint8Array, string]>([
    ['', 'the file is empty'],
    [new Uint8Array(100), 'zero bytes only: a failed or sparse download'],
    ['hello', 'a text file: this program does not open it'],
    ['GGUF\x03\0\0\0', 'a GGUF file: this program does not open it'],
    ['{"metadata":{},"weight_map":{}}', 'a shard index, which names the files of a model: open one of those'],
    [Uint8Array.of(0xde, 0xad, 0xbe, 0xef), 'not a known kind of checkpoint'],
  ])('%j: %s', (content, message) => {
    expect(judge(content)).toEqual({ code: 'unrecognised', message });
  });

  it('answers for any bytes, in one sentence', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(), (head, more) => {
        const { code, message } = notACheckpoint(head, head.length + more);
        expect(message).not.toBe('');
        expect(message.length).toBeLessThan(500);
        expect(['git-lfs-pointer', 'html-page', 'json-error', 'unrecognised']).toContain(code);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what stands in for a model whatever it is called', () => {
  it.each([POINTER, '<html>', 'Entry not found'])('%j', (text) => {
    expect(stoodInFor(utf8(text), text.length)).toBeDefined();
  });

  it.each(['hello', '', 'GGUF', '{"weight_map":{}}'])('not %j', (text) => {
    expect(stoodInFor(utf8(text), text.length)).toBeUndefined();
  });
});
