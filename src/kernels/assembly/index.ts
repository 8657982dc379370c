/**
 * The hot loops, in AssemblyScript: scripts/kernels.mjs compiles this file to the module in ../wasm-module.ts, which
 * ../load-loops.ts loads. Every loop takes bytes at any alignment and any number of elements, and every sum is an exact
 * integer; their plain TypeScript twins are in core/distribution/plain.
 */
export { countBytes, drainBytes } from './bytes';
export { drainFloat32, scanFloat32 } from './float32';
export { drainFloat64, scanFloat64 } from './float64';
export { countHalves, drainHalves } from './halves';
export { drainIntegers32, scanSigned32, scanUnsigned32 } from './integers32';
export { drainIntegers64, scanSigned64, scanUnsigned64 } from './integers64';
export { COUNTS, KEYS, SQUARES, STAGE, STAGE_BYTES, SUMS, TALLY, WINDOW, WINDOW_BYTES } from './layout';
