import { firstInvalidUtf8 } from '../bytes/utf8.ts';
import { isTarHeader } from './tar/read-tar.ts';

/** One kind of content that can be told by its bytes. Source: FORMATS.md 7, tested in that order. */
export interface ContentKind {
  /** What it is, as part of a sentence: "a zip archive". */
  readonly label: string;
  /** Loaders may run code out of it (or unpack something that they run), so it must not pass unmentioned. */
  readonly mayHoldCode: boolean;
  /** What a whole file of this kind most likely is. */
  readonly hint?: string;
  readonly test: (head: Uint8Array, size: number) => boolean;
}

const starts =
  (magic: readonly number[], at = 0) =>
  (head: Uint8Array): boolean =>
    magic.every((byte, index) => head[at + index] === byte);

const ascii = (text: string, at = 0): ((head: Uint8Array) => boolean) =>
  starts(
    Array.from(text, (letter) => letter.charCodeAt(0)),
    at,
  );

const isTar = (head: Uint8Array): boolean => ascii('ustar', 257)(head) || isTarHeader(head);

/** UTF-8 without control characters; weights of any length may look like Latin-1. The head may end inside a character. */
const isText = (head: Uint8Array, size: number): boolean => {
  const invalid = firstInvalidUtf8(head);
  const sound = invalid === undefined || (head.length < size && invalid > head.length - 4);
  const isPlain = (byte: number): boolean =>
    (byte >= 0x20 && byte !== 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
  return head.length > 0 && sound && head.every(isPlain);
};

const code = (label: string, test: ContentKind['test']): ContentKind => ({ label, mayHoldCode: true, test });
const data = (label: string, test: ContentKind['test']): ContentKind => ({ label, mayHoldCode: false, test });

/** Kinds that are no safetensors file, most telling first. */
export const CONTENT_KINDS: readonly ContentKind[] = [
  {
    ...data('zero bytes only', (head) => head.length > 0 && head.every((b) => b === 0)),
    hint: 'a failed or sparse download',
  },
  data('a GGUF file', ascii('GGUF')),
  data('a big-endian GGUF file', ascii('FUGG')),
  data('a file of the old GGML family', (head) => ['lmgg', 'fmgg', 'tjgg', 'algg'].some((magic) => ascii(magic)(head))),
  code('a zip archive (PyTorch checkpoints are one)', starts([0x50, 0x4b, 0x03, 0x04])),
  data('an empty zip archive', starts([0x50, 0x4b, 0x05, 0x06])),
  code('a part of a spanned zip archive', starts([0x50, 0x4b, 0x07, 0x08])),
  code('gzip data', starts([0x1f, 0x8b, 0x08])),
  code('a 7z archive', starts([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c])),
  code('zstandard data', starts([0x28, 0xb5, 0x2f, 0xfd])),
  code('xz data', starts([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00])),
  code('bzip2 data', ascii('BZh')),
  code('lz4 data', starts([0x04, 0x22, 0x4d, 0x18])),
  code('a rar archive', ascii('Rar!')),
  code('a tar archive', isTar),
  data('an HDF5 file (Keras)', (head) =>
    [0, 512, 1024, 2048].some((at) => starts([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a], at)(head)),
  ),
  code('a numpy file', starts([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59])),
  code('a PyTorch file of the old stacked-pickle format', (head) =>
    [2, 3].some((protocol) => starts([0x80, protocol, 0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20])(head)),
  ),
  data('a PyTorch preview container', ascii('PYTORCH1')),
  code('a pickle', (head) => head[0] === 0x80 && (head[1] ?? 255) <= 5),
  data('a TensorFlow Lite file', ascii('TFL3', 4)),
  data('an ONNX Runtime file', ascii('ORTM', 4)),
  data('a PNG picture', starts([0x89, 0x50, 0x4e, 0x47])),
  data('a JPEG picture', starts([0xff, 0xd8, 0xff])),
  data('a PDF document', ascii('%PDF')),
  code('an ELF program', starts([0x7f, 0x45, 0x4c, 0x46])),
  code('a Windows program', ascii('MZ')),
  code('a script', ascii('#!')),
  data('an SQLite database', ascii('SQLite')),
  data('a text file', isText),
];

/** The kind of some bytes by their beginning, or undefined when nothing fits. */
export const contentKind = (head: Uint8Array, size: number): ContentKind | undefined =>
  CONTENT_KINDS.find(({ test }) => test(head, size));
