import { type FindingCode, finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { type CheckpointContent, noContent } from '../../checkpoint-content.ts';
import { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import { TensorTable } from '../../tensor/tensor-table.ts';
import { type ContentKind, contentKind } from '../content-kinds.ts';
import type { ReadOptions } from '../read-options.ts';
import type { Coverage, Stretch } from './judge-coverage.ts';
import type { FileFrame } from './judge-entry.ts';
import { LONGEST_HEADER, REFERENCE_HEADER_CAP } from './limits.ts';
import { type ParsedHeader, parseHeader } from './parse-header.ts';

/** The u64 length field. */
const LENGTH_BYTES = 8;
/** Bytes of an unclaimed stretch that are looked at to tell its kind, and of those shown. */
const SNIFFED_BYTES = 4096;
const SHOWN_BYTES = 16;
/** Unclaimed stretches that are looked into; the rest are reported unseen. */
const MOST_SNIFFED = 100;

const headerProblem = (
  size: number,
  length: bigint,
  cap: number,
): { code: FindingCode; message: string; fatal: boolean } | undefined => {
  const available = size - LENGTH_BYTES;
  if (length > BigInt(available)) {
    const message = `the header declares ${formatInt(length)} bytes, ${formatInt(available)} are available`;
    return { code: 'header-length-exceeds-file', message, fatal: true };
  }
  if (length > BigInt(cap)) {
    const message = `the header has ${formatInt(length)} bytes; reference loaders refuse headers over ${formatInt(cap)}`;
    return { code: 'header-over-cap', message, fatal: length > BigInt(LONGEST_HEADER) };
  }
  return undefined;
};

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(' ');

/** What unclaimed bytes look like, in words. */
const describe = (head: Uint8Array, kind: ContentKind | undefined): string => {
  const beginning = `beginning ${hex(head.subarray(0, SHOWN_BYTES))}`;
  return kind === undefined ? `of no known kind, ${beginning}` : `they look like ${kind.label}, ${beginning}`;
};

const reportStretch = async (
  source: ByteSource,
  { begin, end, before }: Stretch,
  table: TensorTable,
  unplaced: number,
  sniff: boolean,
  findings: FindingList,
): Promise<void> => {
  const length = end - begin;
  const head = sniff ? await readBytes(source, begin, Math.min(length, SNIFFED_BYTES)) : new Uint8Array();
  const kind = contentKind(head, length);
  const looks = sniff ? `; ${describe(head, kind)}` : '';
  const owners =
    unplaced === 0 ? '' : `; ${formatInt(unplaced)} tensors have unusable ranges and may own some of these bytes`;
  const where = { file: source.name, offset: begin };
  const count = `${formatInt(length)} ${length === 1 ? 'byte' : 'bytes'}`;
  if (before === undefined) {
    const place = `${count} after the last tensor, at offset ${formatInt(begin)}`;
    findings.add(finding('trailing-bytes', `${place}; strict loaders refuse this file${looks}${owners}`, where));
  } else {
    const tensor = table.name(before);
    const place = `${count} [${formatInt(begin)}, ${formatInt(end)}) before tensor ${quoteName(tensor)} belong to no tensor`;
    findings.add(finding('gap', `${place}${looks}${owners}`, { ...where, tensor, tensorId: before }));
  }
  if (kind?.mayHoldCode === true) {
    const message = `${count} at offset ${formatInt(begin)} look like ${kind.label}, which was not scanned`;
    findings.add(finding('not-scanned', message, where));
  }
};

const reportUnclaimed = async (
  source: ByteSource,
  coverage: Coverage,
  table: TensorTable,
  options: ReadOptions,
  findings: FindingList,
): Promise<void> => {
  let sniffed = 0;
  for (const stretch of coverage.unclaimed) {
    const allowed = stretch.before === undefined ? options.allowTrailingBytes : options.allowGaps;
    if (allowed !== true) {
      await reportStretch(source, stretch, table, coverage.unplaced, sniffed < MOST_SNIFFED, findings);
      sniffed += 1;
    }
  }
};

/**
 * Reads a safetensors file's header and judges it against the file; no tensor byte is touched, whatever the file's size.
 *
 * What is wrong becomes findings (REQUIREMENTS R04); everything intact stays usable and the damaged tensor alone is
 * refused.
 *
 * @throws whatever the source's reads throw (OutOfRangeError never: every range was compared with the file's size).
 */
export const readSafetensors = async (source: ByteSource, options: ReadOptions): Promise<CheckpointContent> => {
  const findings = new FindingList();
  const file = source.name;
  if (source.size < LENGTH_BYTES) {
    const message = `the file has ${source.size} bytes, fewer than the 8 of its length field`;
    findings.add(finding('file-too-short', message, { file, offset: 0 }));
    return noContent('safetensors', file, findings);
  }
  const prefix = await readBytes(source, 0, LENGTH_BYTES);
  const length = new DataView(prefix.buffer).getBigUint64(0, true);
  const problem = headerProblem(source.size, length, options.headerCap ?? REFERENCE_HEADER_CAP);
  if (problem !== undefined) {
    findings.add(finding(problem.code, problem.message, { file, offset: 0 }));
    if (problem.fatal) {
      return noContent('safetensors', file, findings);
    }
  }
  // Safe: it was compared with the file's size just now.
  const headerLength = Number(length);
  const frame: FileFrame = { file, fileSize: source.size, dataStart: LENGTH_BYTES + headerLength };
  const parse = options.parseElsewhere ?? parseHere;
  const parsed = await parse(source, LENGTH_BYTES, headerLength, frame);
  const table = new TensorTable(parsed.table);
  findings.addAll(new FindingList(parsed.findings));
  await reportUnclaimed(source, parsed.coverage, table, options, findings);
  return {
    format: 'safetensors',
    table,
    totals: parsed.totals,
    metadata: parsed.metadata,
    findings,
    claimedBytes: parsed.coverage.claimed,
    missingBytes: parsed.coverage.missing,
  };
};

const parseHere = async (source: ByteSource, offset: number, length: number, frame: FileFrame): Promise<ParsedHeader> =>
  parseHeader(await readBytes(source, offset, length), frame);
