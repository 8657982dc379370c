import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FORMATS } from '../../../src/core/formats/registry.ts';
import type { FindingCode } from '../../../src/shared/findings.ts';
import { inspectBytes } from '../../support/inspect-bytes.ts';
import { fileBytes, floats, header } from '../../support/safetensors-bytes.ts';
import { zipBytes } from '../../support/zip-bytes.ts';

const SOUND = fileBytes(header(floats('a', 0, 16)), 16);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const fixture = (path: string): Uint8Array => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url));
const zip = zipBytes({ name: 'notes.txt', content: utf8('no model') });
const npy = Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 0x76, 0);
const gguf = Uint8Array.of(0x47, 0x47, 0x55, 0x46, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
/** Protocol 4: its frame's length makes the first eight bytes look like a header length below 4 GiB. */
const pickle = Uint8Array.from([
  ...[0x80, 4, 0x95, 0x12, 0, 0, 0, 0, 0, 0, 0],
  ...[0x8c, 2, 0x6f, 0x73, 0x94, 0x8c, 6, ...utf8('system'), 0x94, 0x93, 0x94, 0x2e],
]);

describe('content decides, the name does not (FIELD-CASES B04)', () => {
  const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 4932308256\n`;
  const CASES: readonly (readonly [what: string, bytes: Uint8Array, code: FindingCode])[] = [
    ['an LFS pointer', fixture('bad/b04_lfs.safetensors'), 'git-lfs-pointer'],
    ['an LFS pointer with CR LF', utf8(POINTER.replaceAll('\n', '\r\n')), 'git-lfs-pointer'],
    ['an LFS pointer behind a byte order mark', utf8(`\ufeff${POINTER}`), 'git-lfs-pointer'],
    ['an LFS pointer without its first line', utf8(POINTER.slice(POINTER.indexOf('oid'))), 'git-lfs-pointer'],
    ['an HTML page', fixture('bad/html_page.bin'), 'html-page'],
    ['an HTML page behind a byte order mark', utf8('\ufeff<!DOCTYPE html><html>'), 'html-page'],
    ['a JSON error', utf8('{"error":"Invalid credentials"}'), 'json-error'],
    ['a JSON error behind a byte order mark', utf8('\ufeff{"error":"x"}'), 'json-error'],
    ['a zip archive', zip, 'unrecognised'],
    ['a numpy file', npy, 'unrecognised'],
    ['a GGUF file', gguf, 'unrecognised'],
    ['a text', utf8('Please contact the author for the weights.\n'), 'unrecognised'],
    ['another JSON', utf8('{"message":"API rate limit exceeded"}'), 'unrecognised'],
    ['a shard index', utf8('{"metadata":{},"weight_map":{"a":"b"}}'), 'unrecognised'],
  ];
  const NAMES = ['m.safetensors', 'm.bin', 'm.pth', 'm.pt', 'm.ckpt', 'm', 'M.SAFETENSORS', 'm.tar.gz'];

  it.each(CASES.flatMap(([what, bytes, code]) => NAMES.map((name) => [what, name, bytes, code] as const)))(
    '%s called %s',
    async (_what, name, bytes, code) => {
      const { codes, verdict, content, rows, findings } = await inspectBytes(bytes, name);
      expect(codes).toEqual([code]);
      expect(verdict).toBe('incomplete');
      expect(content.format).toBe('unrecognised');
      expect(rows).toEqual([]);
      expect(findings[0]).toMatchObject({ file: name, offset: 0 });
    },
  );

  it.each(NAMES)('a pickle called %s is carried out symbolically, and what it would run is graded', async (name) => {
    const { content, verdict } = await inspectBytes(pickle, name);
    expect(content.format).toBe('pickle');
    expect(verdict).toBe('dangerous');
  });

  it('a pickle without a header is taken for one only under a fitting name', async () => {
    const old = utf8('cos\nsystem\n(S"true"\ntR.');
    expect((await inspectBytes(old, 'm.pkl')).verdict).toBe('dangerous');
    expect((await inspectBytes(old, 'notes.txt')).content.format).toBe('unrecognised');
  });

  it.each(['m.pt', 'm.ckpt', 'm.bin', 'm.pth', 'm.gguf', 'm.json', 'm.PT'])(
    'extension-mismatch: a whole safetensors file called %s opens as what it is',
    async (name) => {
      const { findings, readable, verdict, content } = await inspectBytes(SOUND, name);
      expect(findings).toEqual([
        {
          code: 'extension-mismatch',
          severity: 'warning',
          message: `named ".${name.slice(2).toLowerCase()}" but its content is safetensors: opened as that`,
          file: name,
          offset: 0,
        },
      ]);
      expect(readable).toEqual(['a']);
      expect(verdict).toBe('warnings');
      expect(content.format).toBe('safetensors');
    },
  );

  it.each(['m.safetensors', 'm.SafeTensors', 'm.sft', 'm', 'blob-4f2a', 'm.bak', '.safetensors', 'v1.0/m', 'memory'])(
    'called %s there is nothing to say',
    async (name) => {
      expect((await inspectBytes(SOUND, name)).findings).toEqual([]);
    },
  );
});

describe('a damaged safetensors file is still one', () => {
  it.each<readonly [string, Uint8Array, FindingCode]>([
    ['empty', new Uint8Array(), 'file-too-short'],
    ['a few zero bytes', new Uint8Array(5), 'file-too-short'],
    ['cut inside its length', SOUND.subarray(0, 1), 'file-too-short'],
    ['cut inside its header', SOUND.subarray(0, 40), 'header-length-exceeds-file'],
    ['of zero bytes', new Uint8Array(64), 'header-not-json'],
    ['with a length of 2^63', fileBytes(header(floats('a', 0, 16)), 16, 2n ** 63n), 'header-length-exceeds-file'],
    ['whose length reads like a pickle', fileBytes('x'.repeat(0x0580)), 'header-not-json'],
    ['whose length reads like a script', fileBytes('x'.repeat(0x2123)), 'header-not-json'],
  ])('%s', async (_what, bytes, code) => {
    const { codes, content } = await inspectBytes(bytes, 'm.safetensors');
    expect(codes).toEqual([code]);
    expect(content.format).toBe('safetensors');
  });

  it.each([
    ['cut inside its header', SOUND.subarray(0, 40), 'header-length-exceeds-file'],
    ['with a fault in its header', fileBytes('{"a":}', 16), 'header-not-json'],
  ])('%s, without a name that says so', async (_what, bytes, code) => {
    const { codes } = await inspectBytes(bytes, 'blob');
    expect(codes).toEqual([code]);
  });

  it.each([
    ['an empty file', new Uint8Array(), 'the file is empty'],
    ['zero bytes', new Uint8Array(10_000), 'zero bytes only: a failed or sparse download'],
    [
      'noise',
      Uint8Array.from({ length: 100 }, (_, index) => (index * 89 + 130) % 256),
      'not a known kind of checkpoint',
    ],
  ])('%s under another name is told for what it is', async (_what, bytes, message) => {
    const { findings, verdict } = await inspectBytes(bytes, 'm.bin');
    expect(findings).toMatchObject([{ code: 'unrecognised', message }]);
    expect(verdict).toBe('incomplete');
  });
});

describe('the list of formats', () => {
  it('has distinct ids and extensions in lower case', () => {
    const extensions = FORMATS.flatMap((format) => format.extensions);
    expect(new Set(FORMATS.map(({ id }) => id)).size).toBe(FORMATS.length);
    expect(extensions).toEqual(extensions.map((extension) => extension.toLowerCase()));
  });
});
