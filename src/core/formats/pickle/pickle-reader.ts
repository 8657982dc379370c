import { broken, cutOff } from './pickle-stop.ts';

const LINE_FEED = 0x0a;
const EMPTY = new Uint8Array(0);

/**
 * What a frame's end does.
 *
 * - `ignored`: nothing, as in `pickle.loads`.
 * - `buffered`: CPython's C loader reading from a file without `peek`, such as the BytesIO of `torch.load`, holds the frame
 *   in a buffer. An argument that goes beyond the buffer's end is read from behind the frame whole, and what the buffer
 *   still held is lost (of bytes objects it is kept, since Python 3.8). So one stream can be two pickles (shown by test/oracle/pickles.py).
 */
export type FrameReading = 'ignored' | 'buffered';

/**
 * Reads the arguments of opcodes. A length is compared with what remains before anything is done with it; bytes are views,
 * so none allocates.
 *
 * Every method throws PickleStop.
 */
export class PickleReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at: number;
  readonly #buffered: boolean;
  /** Where the frame at hand ends; −1 outside frames. */
  frameEnd = -1;

  constructor(bytes: Uint8Array, start: number, frames: FrameReading) {
    this.bytes = bytes;
    this.#buffered = frames === 'buffered';
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = start;
  }

  get remaining(): number {
    return this.bytes.length - this.at;
  }

  /** Passes over `length` bytes; returns where they begin. */
  skip(length: number): number {
    if (this.#buffered && length > 0 && this.frameEnd >= 0 && length > this.frameEnd - this.at) {
      this.#loseFrame();
    }
    if (length > this.remaining) {
      cutOff(`needs ${length} bytes, and ${this.remaining} remain`);
    }
    const start = this.at;
    this.at += length;
    return start;
  }

  /** Begins a frame; returns what is wrong with it, if anything. */
  frame(length: number): string | undefined {
    const inside = this.frameEnd >= 0 && this.at < this.frameEnd;
    // Its own length may lie across the end of the frame before.
    const across = this.frameEnd >= 0 && this.at > this.frameEnd;
    if (this.#buffered) {
      if (inside && length <= this.frameEnd - this.at) {
        return 'a frame inside another';
      }
      const start = this.skip(length);
      this.at = start;
      this.frameEnd = start + length;
      return inside ? 'a frame inside another' : undefined;
    }
    if (length > this.remaining) {
      this.frameEnd = -1;
      return `a frame of ${length} bytes, and ${this.remaining} remain`;
    }
    this.frameEnd = this.at + length;
    return inside || across ? 'a frame inside another' : undefined;
  }

  #loseFrame(): void {
    this.at = Math.max(this.at, this.frameEnd);
    this.frameEnd = -1;
  }

  take(length: number): Uint8Array {
    const start = this.skip(length);
    return length === 0 ? EMPTY : this.bytes.subarray(start, start + length);
  }

  /** Bytes of a bytes object, which loaders since Python 3.8 piece together from the frame and what follows it. */
  takeAcross(length: number): Uint8Array {
    if (this.#buffered && this.frameEnd >= 0 && length > this.frameEnd - this.at) {
      this.frameEnd = -1;
    }
    return this.take(length);
  }

  u1(): number {
    return this.#view.getUint8(this.skip(1));
  }

  u2(): number {
    return this.#view.getUint16(this.skip(2), true);
  }

  u4(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  i4(): number {
    return this.#view.getInt32(this.skip(4), true);
  }

  /** Exact below 2^53; beyond, a number that is larger than any file all the same. */
  u8(): number {
    return Number(this.#view.getBigUint64(this.skip(8), true));
  }

  f8(): number {
    return this.#view.getFloat64(this.skip(8), false);
  }

  /** A signed length that must not be negative. */
  lengthI4(): number {
    const length = this.i4();
    return length >= 0 ? length : broken(`a negative length, ${length}`);
  }

  /** A line without its line feed; a carriage return belongs to the line. */
  line(): Uint8Array {
    let end = this.bytes.indexOf(LINE_FEED, this.at);
    if (this.#buffered && this.frameEnd >= 0 && (end < 0 || end >= this.frameEnd)) {
      this.#loseFrame();
      end = this.bytes.indexOf(LINE_FEED, this.at);
    }
    if (end < 0) {
      cutOff('the stream ends inside a line');
    }
    const line = this.bytes.subarray(this.at, end);
    this.at = end + 1;
    return line;
  }
}
