import { realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { checksumOf, parseChecksums, type WrittenChecksum } from '../../core/audit/checksum-text.ts';
import { readBytes } from '../../core/bytes/checked-read.ts';
import { OpenFileError } from '../../core/errors.ts';
import { quoteName } from '../../core/quote-name.ts';
import { LoupeError } from '../../shared/errors.ts';
import { type Finding, finding } from '../../shared/findings.ts';
import { formatInt } from '../../shared/format-number.ts';
import type { ScanEngine } from '../scan/scan-engine.ts';
import { TaskControl } from '../scan/task-control.ts';
import { openSource } from '../sources/open-source.ts';

/** A file's SHA-256 as somebody wrote it down, and where. */
export interface ExpectedChecksum extends WrittenChecksum {
  /** What it was taken from, for a sentence. */
  readonly from: string;
}

/** A file's SHA-256 beside the expected one. */
export interface CheckedFile {
  readonly path: string;
  readonly sha256: string;
  readonly expected: ExpectedChecksum;
  /** Undefined when they agree. */
  readonly finding: Finding | undefined;
}

/** Longest text looked at for checksums, in bytes: a list of some ten thousand files. */
const LONGEST_TEXT = 2_000_000;

/** A small text file; undefined when it is not there. @throws OpenFileError; LoupeError `usage` when it is too long */
const readText = async (path: string): Promise<string | undefined> => {
  try {
    const source = await openSource(path);
    try {
      if (source.size > LONGEST_TEXT) {
        throw new LoupeError('usage', `${path}: ${source.size} bytes are too many for a list of checksums`);
      }
      return new TextDecoder().decode(await readBytes(source, 0, source.size));
    } finally {
      source.close();
    }
  } catch (fault) {
    if (fault instanceof OpenFileError && fault.code === 'not-found') {
      return undefined;
    }
    throw fault;
  }
};

/** The Hugging Face cache keeps large files under their SHA-256; a snapshot's names are links to them. */
const fromHubCache = async (path: string): Promise<ExpectedChecksum | undefined> => {
  const real = await realpath(path);
  const isBlob = basename(dirname(real)) === 'blobs' && real.split(sep).length > 2;
  const written = isBlob ? checksumOf(basename(real)) : undefined;
  return written && { ...written, from: 'the name it has in the hub’s cache' };
};

/** What the hub's downloader writes when it is given a folder: commit, tag (a large file's SHA-256), time. */
const fromHubDownload = async (path: string): Promise<ExpectedChecksum | undefined> => {
  const name = basename(path);
  const text = await readText(join(dirname(path), '.cache', 'huggingface', 'download', `${name}.metadata`));
  const written = checksumOf((text?.split('\n')[1] ?? '').replaceAll('"', ''));
  return written && { ...written, from: 'the hub’s download record' };
};

/**
 * Looks beside a file for what its SHA-256 should be: `NAME.sha256` (as sha256sum writes it, or a Git LFS pointer),
 * `SHA256SUMS`, the Hugging Face cache's own names, the record of its downloader.
 *
 * @throws OpenFileError for the file itself
 */
export const checksumBeside = async (path: string): Promise<ExpectedChecksum | undefined> => {
  const name = basename(path);
  for (const beside of [`${name}.sha256`, `${name}.sha256sum`, 'SHA256SUMS', 'sha256sums.txt']) {
    const text = await readText(join(dirname(path), beside));
    const written = text === undefined ? undefined : parseChecksums(text, name);
    if (written !== undefined) {
      return { ...written, from: beside };
    }
  }
  return (await fromHubCache(path)) ?? fromHubDownload(path);
};

/**
 * What a person gave as the SHA-256 of a file: the digits, or the path of a file that holds them (a `.sha256` file or a Git LFS
 * pointer).
 *
 * @throws LoupeError `usage` when it is neither
 */
export const checksumGiven = async (given: string, path: string): Promise<ExpectedChecksum> => {
  const digits = checksumOf(given);
  if (digits !== undefined) {
    return { ...digits, from: 'the one given' };
  }
  const text = await readText(given);
  const written = text === undefined ? undefined : parseChecksums(text, basename(path));
  if (written === undefined) {
    throw new LoupeError(
      'usage',
      `${given} is neither 64 hexadecimal digits nor a file with the SHA-256 of ${basename(path)}`,
    );
  }
  return { ...written, from: basename(given) };
};

/**
 * Hashes a file on a worker, in pieces, and compares.
 *
 * @throws OpenFileError; FileChangedError; CancelledError
 */
export const checkFile = async (
  engine: ScanEngine,
  path: string,
  expected: ExpectedChecksum,
  control: TaskControl = new TaskControl(),
): Promise<CheckedFile> => {
  const source = await openSource(path);
  const { identity, size, name } = source;
  source.close();
  const sha256 = await engine.run('hashFile', { file: { path, identity }, control: control.memory });
  if (sha256 === expected.sha256 && (expected.size === undefined || expected.size === size)) {
    return { path, sha256, expected, finding: undefined };
  }
  const sizes =
    expected.size === undefined || expected.size === size
      ? ''
      : `; it has ${formatInt(size)} bytes instead of ${formatInt(expected.size)}`;
  const message = `its SHA-256 is ${sha256}, but ${quoteName(expected.from)} says ${expected.sha256}${sizes}`;
  return { path, sha256, expected, finding: finding('sha256-mismatch', message, { file: name }) };
};
