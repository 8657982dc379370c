/**
 * What src/kernels uses of WebAssembly, which Node and browsers share. For tsconfig.node.json and tsconfig.lib.json: the
 * environments with a DOM bring their own definitions.
 */
declare namespace WebAssembly {
  class CompileError extends Error {}
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
  }
  class Instance {
    constructor(module: Module);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
