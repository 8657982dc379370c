/** Compiles the loops to a WebAssembly module. */
export const compileKernels: () => Promise<Uint8Array>;
