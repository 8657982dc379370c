import { describe, expect, test } from 'vitest';
import { CompiledKernel } from '../../../src/core/distribution/compiled/compiled-kernel.ts';
import type { DistributionKernel } from '../../../src/core/distribution/kernels.ts';
import { newDistribution } from '../../../src/core/distribution/new-distribution.ts';
import { PlainKernel } from '../../../src/core/distribution/plain/plain-kernel.ts';
import { loadLoops, wasmModule } from '../../../src/kernels/load-loops.ts';
import { KernelPool, newKernel } from '../../../src/node/scan/kernel-pool.ts';

describe('the kernel', () => {
  test('is the compiled one where that loads', () => {
    const warnings: string[] = [];
    expect(newKernel(undefined, (message) => warnings.push(message))).toBeInstanceOf(CompiledKernel);
    expect(warnings).toEqual([]);
  });

  test('is the plain one where WebAssembly does not take the module, with the same answers and a warning', () => {
    const warnings: string[] = [];
    // An engine without SIMD refuses the module, as any engine refuses one that is cut off.
    const fallback = newKernel(
      () => loadLoops(wasmModule().slice(0, 5000)),
      (message) => warnings.push(message),
    );
    expect(fallback).toBeInstanceOf(PlainKernel);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/slower plain loops.*CompileError/s);
    const [slow, fast] = [fallback, newKernel()].map((kernel) => {
      const distribution = newDistribution('F32', { kernel });
      distribution.add(new Uint8Array(Float32Array.of(1, -2, Number.NaN, 1e-40, 0.1).buffer));
      return distribution.toData();
    });
    expect(slow).toEqual(fast);
  });

  test('is the plain one where there is no WebAssembly at all', () => {
    const missing = (): never => {
      throw new ReferenceError('WebAssembly is not defined');
    };
    expect(newKernel(missing, () => undefined)).toBeInstanceOf(PlainKernel);
  });
});

describe('a pool', () => {
  test('lends a kernel to one task at a time, and the same one again afterwards', async () => {
    const made: DistributionKernel[] = [];
    const pool = new KernelPool(() => {
      const kernel = new PlainKernel();
      made.push(kernel);
      return kernel;
    });
    await pool.lend((one) =>
      pool.lend(async (other) => {
        expect(other).not.toBe(one);
      }),
    );
    expect(made).toHaveLength(2);
    await pool.lend(async (again) => {
      expect(made).toContain(again);
    });
    expect(made).toHaveLength(2);
  });

  test('takes a kernel back from a task that failed half way, and what that left in it does no harm', async () => {
    const pool = new KernelPool();
    const failed = pool.lend(async (kernel) => {
      newDistribution('F32', { kernel }).add(new Uint8Array(4000).fill(1));
      throw new Error('the file is gone');
    });
    await expect(failed).rejects.toThrow('the file is gone');
    const next = await pool.lend(async (kernel) => {
      const distribution = newDistribution('F32', { kernel });
      distribution.add(new Uint8Array(Float32Array.of(2, 3).buffer));
      return distribution.summarise('t');
    });
    expect(next).toMatchObject({ count: 2, min: 2, max: 3, mean: 2.5 });
  });
});
