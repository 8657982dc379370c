import type { FindingCode } from '../../shared/findings.ts';
import { formatInt } from '../../shared/format-number.ts';
import { contentKind } from './content-kinds.ts';

/** A file that is no checkpoint (or none this program opens): what it is, and what to do. */
export interface NotACheckpoint {
  readonly code: Extract<FindingCode, 'git-lfs-pointer' | 'html-page' | 'json-error' | 'unrecognised'>;
  readonly message: string;
}

/** Git LFS pointers are shorter than this (git-lfs docs/spec.md). */
const LFS_POINTER_LIMIT = 1024;
/** An error body saved as a model is small; a larger text is something else. */
const ERROR_BODY_LIMIT = 65_536;

const ERROR_BODIES = [
  /^\{\s*"error"/,
  /^Entry not found/,
  /^Repository not found/,
  /^Invalid username or password/,
  /^(404: )?Not Found/,
  /^Access to model .{0,200} is restricted/,
];

const withoutBom = (text: string): string => (text.startsWith('\u{feff}') ? text.slice(1) : text);

const firstLine = (text: string): string => text.trimStart().split(/\r?\n/, 1)[0]?.slice(0, 120) ?? '';

const lfsPointer = (text: string, size: number): NotACheckpoint | undefined => {
  if (
    size >= LFS_POINTER_LIMIT ||
    !/^(version https:\/\/(git-lfs|hawser)\.github\.com\/spec\/|oid sha256:)/.test(text)
  ) {
    return undefined;
  }
  const real = /^size (\d{1,19})\r?$/m.exec(text)?.[1];
  const sizes =
    real === undefined
      ? 'the real size is not given'
      : `the real file has ${formatInt(BigInt(real))} bytes, this one ${formatInt(size)}`;
  return { code: 'git-lfs-pointer', message: `a Git LFS pointer: ${sizes}; run "git lfs pull"` };
};

const htmlPage = (text: string): NotACheckpoint | undefined => {
  if (!/^\s*<(!doctype html|html|head|\?xml|!--)/i.test(text)) {
    return undefined;
  }
  const title = /<title[^>]*>([^<]{0,200})/i.exec(text)?.[1]?.trim();
  const shown = title ? `titled "${title}"` : `beginning ${firstLine(text)}`;
  return { code: 'html-page', message: `a web page saved as a model, ${shown}; download the file again, signed in` };
};

const errorBody = (text: string, size: number): NotACheckpoint | undefined =>
  size <= ERROR_BODY_LIMIT && ERROR_BODIES.some((pattern) => pattern.test(text.trimStart()))
    ? { code: 'json-error', message: `an error message saved as a model: ${firstLine(text)}` }
    : undefined;

const otherKind = (head: Uint8Array, text: string, size: number): NotACheckpoint => {
  if (size === 0) {
    return { code: 'unrecognised', message: 'the file is empty' };
  }
  if (/^\s*\{/.test(text) && text.includes('"weight_map"')) {
    return { code: 'unrecognised', message: 'a shard index, which names the files of a model: open one of those' };
  }
  const kind = contentKind(head, size);
  return kind === undefined
    ? { code: 'unrecognised', message: 'not a known kind of checkpoint' }
    : { code: 'unrecognised', message: `${kind.label}: ${kind.hint ?? 'this program does not open it'}` };
};

/** Whether the content is surely a pointer, page or message instead of a model, whatever the file is called. */
export const stoodInFor = (head: Uint8Array, size: number): NotACheckpoint | undefined => {
  const text = withoutBom(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head));
  return lfsPointer(text, size) ?? htmlPage(text) ?? errorBody(text, size);
};

/** What a file that no reader claims is; always answers. */
export const notACheckpoint = (head: Uint8Array, size: number): NotACheckpoint =>
  stoodInFor(head, size) ??
  otherKind(head, withoutBom(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head)), size);
