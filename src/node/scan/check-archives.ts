import { crc32 } from 'node:zlib';
import type { ByteSource } from '../../core/bytes/byte-source.ts';
import type { Checkpoint } from '../../core/checkpoint.ts';
import { type ArchiveCheck, type CheckedMembers, checkArchive } from '../../core/formats/pytorch/check-archive.ts';
import { CancelledError, isLoupeError, throwIfAborted } from '../../shared/errors.ts';
import { type Finding, finding } from '../../shared/findings.ts';
import type { ScanEngine } from './scan-engine.ts';
import { fileReference } from './scan-tensors.ts';
import { TaskControl } from './task-control.ts';

/** What to check, and whom to tell. */
export interface ArchiveChecks {
  readonly checkpoint: Pick<Checkpoint, 'content' | 'sources'>;
  readonly which: CheckedMembers;
  readonly signal?: AbortSignal | undefined;
  /** Bytes done so far, whenever it is worth telling. */
  readonly onProgress?: (bytesDone: number) => void;
}

/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 100;
/** Bytes for each of several threads, under which one of them does it alone. */
const WORTH_SHARING = 32 * 1024 * 1024;

/** Bytes that {@link checkArchives} would read through. */
export const uncheckedBytes = ({ content }: Pick<Checkpoint, 'content'>, which: CheckedMembers): number =>
  (content.archives ?? []).reduce((sum, { unread }) => sum + unread[which], 0);

/** Checks one archive here, with the CRC-32 of the system's zlib, as long as nobody asks to stop. @throws CancelledError */
export const checkOne = (
  source: ByteSource,
  check: Pick<ArchiveCheck, 'which' | 'share'>,
  control: TaskControl,
): Promise<readonly Finding[]> =>
  checkArchive(source, {
    ...check,
    crcOf: crc32,
    onBytes: (bytes) => {
      if (control.cancelled) {
        throw new CancelledError('the check');
      }
      control.advance(bytes);
    },
  });

/**
 * Reads members of a checkpoint's archives through (see {@link checkArchive}), several threads at a time; files that no
 * worker can open are read here, piece by piece. What is found is returned and added nowhere, also that a file could not be
 * read through.
 *
 * @throws CancelledError when the signal aborts.
 */
export const checkArchives = async (
  engine: ScanEngine,
  { checkpoint, which, signal, onProgress }: ArchiveChecks,
): Promise<readonly Finding[]> => {
  throwIfAborted(signal, 'the check');
  const control = new TaskControl();
  const onAbort = (): void => control.cancel();
  signal?.addEventListener('abort', onAbort, { once: true });
  const timer = onProgress === undefined ? undefined : setInterval(() => onProgress(control.bytesDone), PROGRESS_MS);
  try {
    const findings: Finding[] = [];
    for (const { file, unread } of checkpoint.content.archives ?? []) {
      const source = checkpoint.sources[file];
      if (source !== undefined && unread[which] > 0) {
        findings.push(...(await checkOrTell(engine, source, which, unread[which], control)));
      }
    }
    onProgress?.(control.bytesDone);
    return findings;
  } finally {
    clearInterval(timer);
    signal?.removeEventListener('abort', onAbort);
  }
};

/** Checks one archive; a failure to read it becomes a finding. */
const checkOrTell = async (...parameters: Parameters<typeof checkShared>): Promise<readonly Finding[]> => {
  try {
    return await checkShared(...parameters);
  } catch (fault) {
    if (!isLoupeError(fault) || fault instanceof CancelledError) {
      throw fault;
    }
    const [, { name }] = parameters;
    const code = fault.code === 'file-changed' ? 'file-changed' : 'not-scanned';
    return [finding(code, `the members of the archive were not all checked: ${fault.message}`, { file: name })];
  }
};

const checkShared = async (
  engine: ScanEngine,
  source: ByteSource,
  which: CheckedMembers,
  bytes: number,
  control: TaskControl,
): Promise<readonly Finding[]> => {
  const file = fileReference(source);
  if (file === undefined) {
    return checkOne(source, { which }, control);
  }
  const count = Math.max(1, Math.min(engine.threads, Math.ceil(bytes / WORTH_SHARING)));
  const parts = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      engine.run('checkArchive', { file, which, share: { index, count }, control: control.memory }),
    ),
  );
  return parts.flat();
};
