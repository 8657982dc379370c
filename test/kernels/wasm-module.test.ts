import { expect, test } from 'vitest';
import { compileKernels } from '../../scripts/kernels.mjs';
import { wasmModule } from '../../src/kernels/load-loops.ts';

test('the module is what its sources compile to', async () => {
  expect(Buffer.from(wasmModule()).equals(Buffer.from(await compileKernels()))).toBe(true);
}, 60_000);
