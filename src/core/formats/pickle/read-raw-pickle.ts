import { finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { type CheckpointContent, noContent } from '../../checkpoint-content.ts';
import { FindingList } from '../../finding-list.ts';
import { gradePickle } from './grade-pickle.ts';
import { runPickle } from './run-pickle.ts';

/** Longest file that is read as one pickle, in bytes (FORMATS.md 8). */
const LONGEST_PICKLE = 512 * 1024 * 1024;

/**
 * Reads a file that is a pickle by itself: its value tree, and what loading it would run. It holds no tensors that this
 * program lists.
 *
 * @throws whatever the source's reads throw.
 */
export const readRawPickle = async (source: ByteSource): Promise<CheckpointContent> => {
  const findings = new FindingList();
  const file = source.name;
  const length = Math.min(source.size, LONGEST_PICKLE);
  const outcome = runPickle(await readBytes(source, 0, length));
  findings.add(...gradePickle(outcome, { file, base: 0 }));
  if (length < source.size) {
    const message = `only the first ${formatInt(length)} of ${formatInt(source.size)} bytes were read as a pickle`;
    findings.add(finding('not-scanned', message, { file, offset: length }));
  }
  const { root } = outcome;
  return { ...noContent('pickle', file, findings), pickles: root === undefined ? [] : [{ name: file, root }] };
};
