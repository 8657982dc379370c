/** Most members that are listed (FORMATS.md 8). */
export const MOST_MEMBERS = 1_000_000;

/** Bytes in which an end record must begin, from the end of the file: its 22 and the longest comment. */
export const END_RECORD_REACH = 22 + 0xffff;

/** End records of one file that are looked into, from the last one backwards. */
export const MOST_END_RECORDS = 16;

/** Bytes of the central directory held at once; its longest entry takes 46 + 3 · 65,535. */
export const DIRECTORY_WINDOW = 1024 * 1024;

/** Local headers at most this many bytes apart are read together: a read costs about what copying so many bytes does. */
export const NEAR_HEADERS = 16 * 1024;

/** Longest read of local headers and what lies between them. */
export const HEADER_WINDOW = 256 * 1024;

/** Reads of local headers under way at once, for sources that answer late. */
export const READS_AT_ONCE = 8;

/** Bytes of a local name, or of a local extra field, that are looked at where they are not what the directory leads to expect. */
export const LONGEST_LOCAL_LOOK = 4096;

/** Inflated bytes to a compressed one beyond which a member is taken for a bomb; deflate itself ends at 1032. */
export const MOST_RATIO = 1000;

/** Members that inflate to no more than this are no bombs, whatever their ratio. */
export const BOMB_FLOOR = 16 * 1024 * 1024;

/** Bytes of one member that are put in memory unless the caller says otherwise. */
export const MOST_MEMBER_BYTES = 2 ** 31;

/** Bytes given to the inflater at once: deflate makes at most 1032 times as many out of them before it can be stopped. */
export const INFLATE_PIECE = 16 * 1024;

/** Bytes of a member read at once while it is streamed. */
export const MEMBER_CHUNK = 1024 * 1024;

/** Bytes of a file without a directory that are searched for local headers. */
export const SALVAGE_REACH = 256 * 1024 * 1024;

/** Members of such a file that are listed. */
export const MOST_SALVAGED = 100_000;
