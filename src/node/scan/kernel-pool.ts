import { CompiledKernel } from '../../core/distribution/compiled/compiled-kernel.ts';
import type { DistributionKernel } from '../../core/distribution/kernels.ts';
import { PlainKernel } from '../../core/distribution/plain/plain-kernel.ts';
import { loadLoops } from '../../kernels/load-loops.ts';

/**
 * The fastest kernel that runs here: the compiled one, or the plain one, with the same answers, where WebAssembly or its SIMD
 * instructions are missing.
 *
 * @param load loads the compiled loops; another one in tests
 * @param warn told why they are not used
 */
export const newKernel = (
  load: typeof loadLoops = loadLoops,
  warn: (message: string) => void = (message) => process.emitWarning(message),
): DistributionKernel => {
  try {
    return new CompiledKernel(load());
  } catch (cause) {
    warn(`statistics are counted by the slower plain loops, since the compiled ones do not load: ${String(cause)}`);
    return new PlainKernel();
  }
};

/** Kernels that wait for the next task; each holds 10 MB. A worker has one task at a time and needs no second one. */
const SPARES = 1;

/**
 * Kernels of one thread, each lent to one task at a time: a kernel has one window, which the bytes of two tasks must not share.
 */
export class KernelPool {
  readonly #make: () => DistributionKernel;
  readonly #idle: DistributionKernel[] = [];

  constructor(make: () => DistributionKernel = newKernel) {
    this.#make = make;
  }

  /** Lends a kernel until `use` is over, however it ends. */
  async lend<R>(use: (kernel: DistributionKernel) => Promise<R>): Promise<R> {
    const kernel = this.#idle.pop() ?? this.#make();
    try {
      return await use(kernel);
    } finally {
      if (this.#idle.length < SPARES) {
        this.#idle.push(kernel);
      }
    }
  }
}
