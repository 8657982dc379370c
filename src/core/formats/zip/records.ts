import type { Int } from '../../../shared/checkpoint-types.ts';
import { type FindingCode, finding } from '../../../shared/findings.ts';
import { narrow } from '../../checked-arithmetic.ts';
import type { FindingList } from '../../finding-list.ts';

/** Signatures, as little-endian u32 (FORMATS.md appendix A). */
export const LOCAL_HEADER = 0x04034b50;
export const CENTRAL_HEADER = 0x02014b50;
export const END_RECORD = 0x06054b50;
export const ZIP64_LOCATOR = 0x07064b50;
export const ZIP64_END_RECORD = 0x06064b50;
export const DATA_DESCRIPTOR = 0x08074b50;

/** Lengths without names, extra fields and comments. */
export const LOCAL_BYTES = 30;
export const CENTRAL_BYTES = 46;
export const END_BYTES = 22;
export const LOCATOR_BYTES = 20;
export const ZIP64_END_BYTES = 56;

/** What a 16-bit and a 32-bit slot hold when the number is in the zip64 record or field instead. */
export const FULL_16 = 0xffff;
export const FULL_32 = 0xffffffff;

/** A view of just these bytes. */
export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A 64-bit number, exact. */
export const u64 = (view: DataView, at: number): Int => narrow(view.getBigUint64(at, true));

/** Adds a finding; the offset is absolute in the file. */
export type Report = (code: FindingCode, message: string, offset?: number) => void;

/** A {@link Report} into a list. */
export const reporter =
  (findings: FindingList, file: string): Report =>
  (code, message, offset) => {
    const inFile = offset !== undefined && Number.isSafeInteger(offset) && offset >= 0;
    findings.add(finding(code, message, inFile ? { file, offset } : { file }));
  };
