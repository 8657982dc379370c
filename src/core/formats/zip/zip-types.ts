import type { FindingList } from '../../finding-list.ts';

/** Absolute bytes `[begin, end)` of the file. */
export interface ByteRange {
  readonly begin: number;
  readonly end: number;
}

/**
 * One entry of the central directory, as that directory has it; the local header gives the payload's place alone. Plain
 * data, safe to send to another thread. Names are for looking up and showing, never for writing files.
 */
export interface ZipMember {
  /** Position in the directory. */
  readonly index: number;
  /** The name as UTF-8, or as code page 437 where its bytes are no UTF-8. */
  readonly name: string;
  /** 0 stored, 8 deflated; others cannot be read. */
  readonly method: number;
  /** General-purpose flags. */
  readonly flags: number;
  /** CRC-32 of the bytes; 0 also where torch was told not to compute it (FORMATS.md 2.2). */
  readonly crc32: number;
  /** Bytes of the payload. Exact where there is one; declarations beyond 2^53 are rounded. */
  readonly compressedBytes: number;
  /** Bytes the payload inflates to, as declared. The same rounding. */
  readonly bytes: number;
  /** Absolute offset of the local header, wherever it points. */
  readonly header: number;
  /** Where the payload lies, wholly inside the file; undefined when it does not, and `problem` says why. */
  readonly payload: ByteRange | undefined;
  readonly problem: string | undefined;
  /** The local header has another name. */
  readonly localNameDiffers: boolean;
  /** That other name, at most its first 4,096 bytes. */
  readonly localName: string | undefined;
  /** The directory says it is encrypted. Its bytes can be read as they are; if the CRC agrees they were not. */
  readonly encrypted: boolean;
  /** Another member has this name, also in other case, with backslashes or up to a NUL: loaders differ on which counts. */
  readonly sharesName: boolean;
  /** The name is absolute, leads upwards or holds a NUL, or the entry is a symbolic link or another special file. */
  readonly unsafeName: boolean;
}

/** A directory that an end record leads to: what {@link ZipDirectory.others} are, for `readZipDirectory` to list. */
export interface DirectoryPlace {
  /** Offset of the end record. */
  readonly endRecord: number;
  /** The directory's bytes, clipped to the file. */
  readonly begin: number;
  readonly end: number;
  /** What to add to the offsets inside: the bytes before the archive. */
  readonly shift: number;
  /** Entries declared. */
  readonly entries: number;
}

/** Bytes of the file that belong to no member. */
export interface Stretch extends ByteRange {
  readonly where: 'before the first member' | 'between members' | 'behind the end record' | 'comment';
  /** What they look like, as part of a sentence; undefined for nothing known, or when too many were looked into. */
  readonly kind: string | undefined;
  /** They begin like a zip archive: `regionSource` and `readZipDirectory` list it. */
  readonly isZip: boolean;
  /** Loaders may run code out of such content, so it wants to be scanned. */
  readonly mayHoldCode: boolean;
}

/** A local header found by searching, in a file without a readable directory. */
export interface SalvagedMember {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly header: number;
  /** The payload, where the header or a data descriptor tells its end and that lies inside the file. */
  readonly payload: ByteRange | undefined;
}

/** What a search for local headers found; a guess, since bytes of a payload may look like a header. */
export interface Salvage {
  readonly members: readonly SalvagedMember[];
  /** The search went through the whole file. */
  readonly complete: boolean;
}

/** A zip archive's directory and what is wrong with it. */
export interface ZipDirectory {
  readonly file: string;
  /** In the directory's order; empty when no directory could be read. */
  readonly members: readonly ZipMember[];
  /** The directory that was listed: the one PyTorch and Python take. */
  readonly place: DirectoryPlace | undefined;
  /** Other directories that a reader might take, none of them listed here; each is a finding already. */
  readonly others: readonly DirectoryPlace[];
  /** Bytes that belong to nothing, in file order, and the comment if there is one. */
  readonly stretches: readonly Stretch[];
  /** Only where no directory could be read. */
  readonly salvage: Salvage | undefined;
  readonly findings: FindingList;
}
