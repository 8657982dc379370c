import type { Int } from '../../../shared/checkpoint-types.ts';
import { type FindingCode, finding } from '../../../shared/findings.ts';
import { formatInt } from '../../../shared/format-number.ts';
import { bitCount, elementCount } from '../../checked-arithmetic.ts';
import { SAFETENSORS_DTYPES } from '../../dtypes/dtype-table.ts';
import type { FindingList } from '../../finding-list.ts';
import { quoteName } from '../../quote-name.ts';
import type { TensorTableBuilder } from '../../tensor/tensor-table-builder.ts';
import { METADATA_KEY, type ScannedEntry } from './scan-header.ts';

/** Where a file's parts lie, in absolute bytes. */
export interface FileFrame {
  readonly file: string;
  readonly fileSize: number;
  /** 8 + the header's length: where the tensors' bytes begin. */
  readonly dataStart: number;
}

/** Reason shown for F6 tensors: the format leaves their bit order open and nobody writes them (FORMATS.md 1.5). */
export const F6_REASON =
  'safetensors defines no bit order for 6-bit values; the raw bytes are intact, name an order to decode them';

/** Absolute byte of a data offset; undefined when it lies outside anything a file can hold. */
const absolute = (dataStart: number, offset: Int): number | undefined => {
  if (typeof offset === 'bigint') {
    return undefined;
  }
  return offset <= Number.MAX_SAFE_INTEGER - dataStart ? dataStart + offset : undefined;
};

/**
 * Checks one entry by itself — fields, dtype, size against shape, order of its offsets — and adds its row. What takes
 * the other tensors to judge (overlap, gaps, the end of the file) comes later, in `judgeCoverage`.
 */
export const judgeEntry = (
  entry: ScannedEntry,
  frame: FileFrame,
  table: TensorTableBuilder,
  findings: FindingList,
): void => {
  const { dtype, shape, offsets } = entry;
  const count = shape === undefined ? undefined : elementCount(shape);
  const begin = offsets === undefined ? undefined : absolute(frame.dataStart, offsets[0]);
  const end = offsets === undefined ? undefined : absolute(frame.dataStart, offsets[1]);
  const usable = begin !== undefined && end !== undefined && begin <= end;
  const id = table.add({
    name: entry.name,
    dtype: dtype ?? '',
    shape: shape ?? [],
    count,
    begin: usable ? begin : undefined,
    end: usable ? end : undefined,
    layout: 'contiguous',
    file: 0,
  });
  const report = (code: FindingCode, message: string, at: number, bytes: 'present' | 'absent' = 'absent'): void => {
    const where = { file: frame.file, tensor: entry.name, tensorId: id, offset: 8 + at };
    findings.add(finding(code, `tensor ${quoteName(entry.name)}: ${message}`, where));
    table.refuse(id, message, bytes);
  };

  for (const fault of entry.faults) {
    report(fault.code, fault.message, fault.at);
  }
  if (entry.name === METADATA_KEY) {
    const where = { file: frame.file, tensor: entry.name, tensorId: id, offset: 8 + entry.at };
    const message = `a tensor is named "${METADATA_KEY}", the name reserved for metadata: other readers lose it`;
    findings.add(finding('reserved-name', message, where));
  }
  if (offsets !== undefined && offsets[1] < offsets[0]) {
    report('offsets-reversed', `its range ends before it begins: [${offsets[0]}, ${offsets[1]}]`, entry.at);
  } else if (offsets !== undefined && !usable) {
    report(
      'offsets-out-of-range',
      `its range [${offsets[0]}, ${offsets[1]}] lies outside anything a file can hold`,
      entry.at,
    );
  }
  const info = dtype === undefined ? undefined : SAFETENSORS_DTYPES.get(dtype);
  if (dtype !== undefined && info === undefined) {
    report('unknown-dtype', `unknown dtype ${quoteName(dtype)}: only its raw bytes can be shown`, entry.at, 'present');
  }
  if (shape === undefined) {
    return;
  }
  const bits = count === undefined || info === undefined ? undefined : bitCount(count, info.bits);
  if (count === undefined || (info !== undefined && bits === undefined)) {
    report('shape-overflow', `its shape [${shape.join(', ')}] has more elements than 64 bits can count`, entry.at);
    return;
  }
  if (bits === undefined || info === undefined) {
    return;
  }
  judgeSize(bits, offsets, (code, message) => report(code, message, entry.at));
  if (info.name.startsWith('F6_')) {
    table.refuse(id, F6_REASON, 'present');
  }
};

const judgeSize = (
  bits: Int,
  offsets: readonly [Int, Int] | undefined,
  report: (code: FindingCode, message: string) => void,
): void => {
  const [begin, end] = offsets ?? [0, -1];
  // All but always: numbers, and the sizes agree.
  if (typeof bits === 'number' && typeof begin === 'number' && typeof end === 'number' && (end - begin) * 8 === bits) {
    return;
  }
  const total = BigInt(bits);
  if (total % 8n !== 0n) {
    report('size-not-whole-bytes', `its shape needs ${formatInt(bits)} bits, which is no whole number of bytes`);
    return;
  }
  if (end < begin) {
    return;
  }
  const needed = total / 8n;
  const given = BigInt(end) - BigInt(begin);
  if (needed !== given) {
    report('size-mismatch', `its shape needs ${formatInt(needed)} bytes, its range has ${formatInt(given)}`);
  }
};
