import { type Finding, type FindingCode, finding } from '../../../shared/findings.ts';
import { CheckpointError } from '../../errors.ts';
import { quoteName } from '../../quote-name.ts';
import type { MemberLimits } from './member-limits.ts';
import type { ZipMember } from './zip-types.ts';

/** Where the faults of one member go while it is read. */
export interface MemberFaults {
  /** There was one. */
  readonly any: boolean;
  /** @throws CheckpointError when nothing collects findings. */
  add(code: FindingCode, message: string): void;
  /** Data that cannot be inflated: no wonder when it is encrypted. @throws CheckpointError */
  addBroken(message: string): void;
  /** @throws CheckpointError on a mismatch, when nothing collects findings. */
  compareCrc(computed: number): void;
}

const hex = (crc: number): string => `0x${crc.toString(16).padStart(8, '0')}`;

/** Collects the faults of a member into `limits.findings`, or throws them. */
export const memberFaults = (member: ZipMember, { file, findings }: MemberLimits): MemberFaults => {
  const where = { file, offset: member.payload?.begin ?? member.header };
  const name = `member ${quoteName(member.name)}`;
  let any = false;
  const tell = (item: Finding): void => {
    any = true;
    if (findings === undefined && item.severity !== 'note') {
      throw new CheckpointError(item);
    }
    findings?.add(item);
  };
  const add = (code: FindingCode, message: string): void => tell(finding(code, `${name} ${message}`, where));
  return {
    get any() {
      return any;
    },
    add,
    addBroken: (message) => add(member.encrypted ? 'zip-encrypted' : 'zip-directory-disagrees', message),
    compareCrc: (computed) => {
      if (computed === member.crc32) {
        return;
      }
      if (member.crc32 === 0) {
        // Torch writes 0 when told not to compute it (FORMATS.md 2.2), so this is no corruption.
        add(
          'zip-crc-absent',
          `has the CRC 0, which torch writes when it computes none; the bytes have ${hex(computed)}`,
        );
      } else if (member.encrypted) {
        add(
          'zip-encrypted',
          `has the CRC ${hex(member.crc32)}, its bytes ${hex(computed)}: they are encrypted or changed`,
        );
      } else {
        add('zip-crc-mismatch', `has the CRC ${hex(member.crc32)}, its bytes ${hex(computed)}: they were changed`);
      }
    },
  };
};
