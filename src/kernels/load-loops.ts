import type { CompiledLoops, IntLoopTotals, Loop, LoopTotals } from '../core/distribution/compiled/compiled-loops.ts';
import type { SparseCounts } from '../core/distribution/sparse-counts.ts';
import { isLoopExports, type LoopExports } from './loop-exports.ts';
import { LoopResults } from './loop-results.ts';
import { WASM_MODULE } from './wasm-module.ts';

/** Of float32: a count of 24 bits in each entry of the table bounds what fits between two drains, 2^24 − 1 numbers. */
const LIMIT_BYTES = 2 ** 25;

/** The module's bytes. */
export const wasmModule = (): Uint8Array<ArrayBuffer> => {
  const characters = atob(WASM_MODULE);
  const bytes = new Uint8Array(characters.length);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = characters.charCodeAt(index);
  }
  return bytes;
};

/** Loops read from their own memory alone: what lies elsewhere is copied there, piece by piece. */
class LoopInput {
  readonly #memory: Uint8Array;
  readonly #stage: number;
  readonly #stageBytes: number;

  constructor({ memory, STAGE, STAGE_BYTES }: LoopExports) {
    this.#memory = new Uint8Array(memory.buffer);
    this.#stage = STAGE.value;
    this.#stageBytes = STAGE_BYTES.value;
  }

  /** Calls `scan` with where the bytes are, and how many, in whole pieces of 64 KiB but for the last. */
  feed(bytes: Uint8Array, scan: (at: number, length: number) => void): void {
    if (bytes.buffer === this.#memory.buffer) {
      scan(bytes.byteOffset, bytes.length);
      return;
    }
    for (let begin = 0; begin < bytes.length; begin += this.#stageBytes) {
      const piece = bytes.subarray(begin, begin + this.#stageBytes);
      this.#memory.set(piece, this.#stage);
      scan(this.#stage, piece.length);
    }
  }
}

/**
 * Loads the compiled loops, each time with a memory of their own of 10 MB.
 *
 * @param bytes of the module; other ones in tests
 * @throws whatever WebAssembly throws where it is missing or cannot run them, for want of SIMD or of memory
 */
export const loadLoops = (bytes: Uint8Array<ArrayBuffer> = wasmModule()): CompiledLoops => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  if (!isLoopExports(exports)) {
    throw new TypeError('the module of the kernels has not the exports it should have');
  }
  const input = new LoopInput(exports);
  const results = new LoopResults(exports);

  const loop = <Totals>(
    size: number,
    scan: (at: number, elements: number) => void,
    drain: () => Totals,
  ): Loop<Totals> => ({
    scan: (window) => input.feed(window, (at, length) => scan(at, length / size)),
    drain,
  });
  const counts = (size: number, scan: LoopExports['countBytes'], drain: () => number): Loop<SparseCounts> =>
    loop(size, scan, () => results.counts(drain()));
  const integers = (
    size: number,
    scan: LoopExports['scanSigned32'],
    drain: () => number,
    moments: () => IntLoopTotals['moments'],
  ): Loop<IntLoopTotals> =>
    loop(size, scan, () => {
      const totals: LoopTotals = results.totals(drain());
      return { ...totals, moments: moments() };
    });

  const { drainIntegers32, drainIntegers64 } = exports;
  return {
    window: new Uint8Array(exports.memory.buffer, exports.WINDOW.value, exports.WINDOW_BYTES.value),
    limit: LIMIT_BYTES,
    bytes: counts(1, exports.countBytes, exports.drainBytes),
    halves: counts(2, exports.countHalves, exports.drainHalves),
    f32: loop(4, exports.scanFloat32, () => results.float32(exports.drainFloat32())),
    f64: loop(8, exports.scanFloat64, () => results.float64(exports.drainFloat64())),
    i32: integers(4, exports.scanSigned32, drainIntegers32, () => results.moments32()),
    u32: integers(4, exports.scanUnsigned32, drainIntegers32, () => results.moments32()),
    i64: integers(8, exports.scanSigned64, drainIntegers64, () => results.moments64(true)),
    u64: integers(8, exports.scanUnsigned64, drainIntegers64, () => results.moments64(false)),
  };
};
