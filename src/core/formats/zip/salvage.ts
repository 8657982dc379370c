import { formatInt } from '../../../shared/format-number.ts';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { readBytes } from '../../bytes/checked-read.ts';
import { quoteName } from '../../quote-name.ts';
import { STREAMED } from './compare-headers.ts';
import { MEMBER_CHUNK, MOST_SALVAGED, SALVAGE_REACH } from './limits.ts';
import { nameText } from './member-name.ts';
import { CENTRAL_HEADER, DATA_DESCRIPTOR, FULL_32, LOCAL_BYTES, LOCAL_HEADER, viewOf } from './records.ts';
import type { Salvage, SalvagedMember } from './zip-types.ts';

/** Members named in the message. */
const MOST_NAMED = 20;
/** Bytes of a name that are read; longer names are no names of torch's. */
const LONGEST_NAME = 1024;

/** A local header on its way to being a member. */
interface Open {
  readonly name: string;
  readonly method: number;
  readonly flags: number;
  readonly header: number;
  readonly begin: number;
  /** The payload's length by the header; undefined where a data descriptor tells it. */
  readonly length: number | undefined;
}

const readOpen = async (source: ByteSource, header: number): Promise<Open | undefined> => {
  if (header > source.size - LOCAL_BYTES) {
    return undefined;
  }
  const view = viewOf(await readBytes(source, header, LOCAL_BYTES));
  const nameLength = view.getUint16(26, true);
  const begin = header + LOCAL_BYTES + nameLength + view.getUint16(28, true);
  if (view.getUint32(0, true) !== LOCAL_HEADER || nameLength > LONGEST_NAME || begin > source.size) {
    return undefined;
  }
  const { text } = nameText(await readBytes(source, header + LOCAL_BYTES, nameLength));
  const flags = view.getUint16(6, true);
  const length = view.getUint32(18, true);
  const told = length !== FULL_32 && ((flags & STREAMED) === 0 || length > 0);
  return { name: text, method: view.getUint16(8, true), flags, header, begin, length: told ? length : undefined };
};

const closed = ({ name, method, flags, header, begin }: Open, end: number | undefined): SalvagedMember => ({
  name,
  method,
  flags,
  header,
  payload: end === undefined ? undefined : { begin, end },
});

/** What was found at a signature: the end of the payload before it, and whether a header begins there. */
interface Mark {
  readonly at: number;
  readonly kind: 'header' | 'descriptor' | 'directory';
}

const KINDS: ReadonlyMap<number, Mark['kind']> = new Map([
  [LOCAL_HEADER, 'header'],
  [DATA_DESCRIPTOR, 'descriptor'],
  [CENTRAL_HEADER, 'directory'],
]);

/** Bytes of a signature, the CRC and the compressed size of a descriptor: what is looked at behind each P. */
const LOOK = 12;
/** What a signature costs of the bytes that may be searched: reading what stands there. */
const MARK_COST = 4096;

/** Finds signatures in a source, from front to back, a window at a time. */
class MarkFinder {
  readonly #source: ByteSource;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /**
   * The next signature at or behind `from`; a descriptor only where its compressed size says that the payload which begins
   * at `payload` ends there.
   */
  async next(from: number, payload: number, limit: number): Promise<Mark | undefined> {
    for (let at = from; at < limit; ) {
      await this.#load(at);
      const mark = this.#search(at - this.#at, payload);
      if (mark !== undefined) {
        return mark;
      }
      const end = this.#at + this.#bytes.length;
      at = end === this.#source.size ? end : end - LOOK + 1;
    }
    return undefined;
  }

  /** Holds the bytes at `at`: those in memory, if there are enough for a look. */
  async #load(at: number): Promise<void> {
    const end = this.#at + this.#bytes.length;
    if (at < this.#at || at >= end || (end - at < LOOK && end < this.#source.size)) {
      this.#bytes = await readBytes(this.#source, at, Math.min(MEMBER_CHUNK, this.#source.size - at));
      this.#at = at;
    }
  }

  #search(from: number, payload: number): Mark | undefined {
    const bytes = this.#bytes;
    const view = viewOf(bytes);
    for (let index = bytes.indexOf(0x50, from); index >= 0; index = bytes.indexOf(0x50, index + 1)) {
      const room = bytes.length - index;
      const kind = room < 4 ? undefined : KINDS.get(view.getUint32(index, true));
      const at = this.#at + index;
      const fits = kind !== 'descriptor' || (room >= LOOK && view.getUint32(index + 8, true) === at - payload);
      if (kind !== undefined && fits) {
        return { at, kind };
      }
    }
    return undefined;
  }
}

/** Searches a file for local headers, in order and in bounded memory and time; lengths that headers tell are skipped over. */
export const salvageMembers = async (source: ByteSource): Promise<Salvage> => {
  const members: SalvagedMember[] = [];
  let budget = SALVAGE_REACH;
  let at = 0;
  let open: Open | undefined;
  const close = (end: number | undefined): void => {
    if (open !== undefined) {
      members.push(closed(open, end));
      open = undefined;
    }
  };
  const finder = new MarkFinder(source);
  while (at < source.size && budget > 0 && members.length < MOST_SALVAGED) {
    const mark = await finder.next(at, open?.begin ?? 0, Math.min(source.size, at + budget));
    budget -= (mark?.at ?? source.size) - at + MARK_COST;
    if (mark === undefined) {
      at = source.size;
      break;
    }
    at = mark.at + 4;
    if (mark.kind === 'descriptor') {
      close(mark.at);
      continue;
    }
    if (mark.kind === 'directory') {
      close(undefined);
      continue;
    }
    const next = await readOpen(source, mark.at);
    if (next === undefined) {
      continue;
    }
    close(undefined);
    open = next;
    at = next.begin;
    if (next.length !== undefined) {
      const fits = next.length <= source.size - next.begin;
      at = fits ? next.begin + next.length : source.size;
      close(fits ? at : undefined);
    }
  }
  close(undefined);
  return { members, complete: at >= source.size && budget > 0 };
};

/** What was found, for the message that refuses the file: `local headers seen: 3 ("a/data.pkl", …)`. */
export const saySalvage = ({ members, complete }: Salvage): string => {
  const named = members.slice(0, MOST_NAMED).map(({ name }) => quoteName(name));
  const more = members.length > MOST_NAMED ? [`${formatInt(members.length - MOST_NAMED)} more`] : [];
  const names = members.length === 0 ? '' : ` (${[...named, ...more].join(', ')})`;
  const part = complete ? '' : '; not the whole file was searched';
  return `local headers seen: ${formatInt(members.length)}${names}${part}`;
};
