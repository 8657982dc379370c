import type { FindingList } from '../../finding-list.ts';

/** How a member is read. */
export interface MemberLimits {
  /** Name of the file, for findings. */
  readonly file: string;
  /** Most bytes of content; 2 GiB for a whole member, no bound for chunks. */
  readonly mostBytes?: number;
  /** Compare the CRC-32; for whole members unless it is `false`, for chunks if it is `true`. */
  readonly crc?: boolean;
  /** Goes on with a CRC-32 over more bytes; the one of `crc32.ts` where the caller has none that is faster. */
  readonly crcOf?: (bytes: Uint8Array, before: number) => number;
  /** Collects what is wrong, and lets reading go on with what there is. Without it, the first fault is thrown. */
  readonly findings?: FindingList;
}
