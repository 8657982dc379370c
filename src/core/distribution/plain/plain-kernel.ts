import { type DistributionKernel, type PatternCounter, WINDOW_BYTES, type WideScanner } from '../kernels.ts';
import type { WideEncoding } from '../wide-totals.ts';
import { Float32Scanner } from './float32-scanner.ts';
import { Float64Scanner } from './float64-scanner.ts';
import { Int32Scanner } from './int32-scanner.ts';
import { Int64Scanner } from './int64-scanner.ts';
import { ByteCounter, HalfCounter } from './pattern-counter.ts';

/** Released counters or scanners of one kind that are kept; each holds 0.5 to 3 MB of tables. */
const SPARES = 2;

/** Keeps released tools, so that scanning many small tensors does not allocate tables for each. */
class Pool<T> {
  readonly #make: (release: (tool: T) => void) => T;
  readonly #spares: T[] = [];

  constructor(make: (release: (tool: T) => void) => T) {
    this.#make = make;
  }

  take(): T {
    return (
      this.#spares.pop() ??
      this.#make((tool) => {
        if (this.#spares.length < SPARES && !this.#spares.includes(tool)) {
          this.#spares.push(tool);
        }
      })
    );
  }
}

/** The kernel in plain TypeScript: runs everywhere, and is what faster ones are compared with. */
export class PlainKernel implements DistributionKernel {
  #window: Uint8Array | undefined;
  readonly #halves = new Pool<HalfCounter>((release) => new HalfCounter(release));
  readonly #scanners: Readonly<Record<WideEncoding, Pool<WideScanner>>> = {
    f32: new Pool<WideScanner>((release) => new Float32Scanner(release)),
    f64: new Pool<WideScanner>((release) => new Float64Scanner(release)),
    i32: new Pool<WideScanner>((release) => new Int32Scanner(true, release)),
    u32: new Pool<WideScanner>((release) => new Int32Scanner(false, release)),
    i64: new Pool<WideScanner>((release) => new Int64Scanner(true, release)),
    u64: new Pool<WideScanner>((release) => new Int64Scanner(false, release)),
  };

  get window(): Uint8Array {
    this.#window ??= new Uint8Array(WINDOW_BYTES);
    return this.#window;
  }

  patternCounter(bits: 4 | 8 | 16): PatternCounter {
    const halves = this.#halves.take();
    return bits === 16 ? halves : new ByteCounter(bits, halves);
  }

  wideScanner(encoding: WideEncoding): WideScanner {
    return this.#scanners[encoding].take();
  }
}
