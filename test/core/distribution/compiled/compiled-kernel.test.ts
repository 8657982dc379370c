import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CompiledKernel } from '../../../../src/core/distribution/compiled/compiled-kernel.ts';
import type { DistributionKernel } from '../../../../src/core/distribution/kernels.ts';
import { WINDOW_BYTES } from '../../../../src/core/distribution/kernels.ts';
import { PlainKernel } from '../../../../src/core/distribution/plain/plain-kernel.ts';
import { loadLoops } from '../../../../src/kernels/load-loops.ts';
import { bytesOf, seededRandom } from '../support/windows.ts';

const random = seededRandom(5);
const NOISE = Uint8Array.from({ length: 8 * 4001 }, () => Math.floor(random() * 256));
const TOOLS = [4, 8, 16, 'f32', 'f64', 'i32', 'u32', 'i64', 'u64'] as const;

const toolOf = (kernel: DistributionKernel, tool: (typeof TOOLS)[number]) =>
  typeof tool === 'number' ? kernel.patternCounter(tool) : kernel.wideScanner(tool);

describe('tools of one kernel', () => {
  test('take turns in any order without losing or mixing anything', () => {
    const compiled = new CompiledKernel(loadLoops());
    const plain = new PlainKernel();
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(TOOLS.length * 2 - 1), fc.nat(4000), fc.nat(300)), { maxLength: 30 }),
        (steps) => {
          // Two of each kind.
          const pairs = [...TOOLS, ...TOOLS].map((tool) => [toolOf(compiled, tool), toolOf(plain, tool)] as const);
          for (const [who, from, length] of steps) {
            for (const tool of pairs[who] ?? []) {
              tool.add(NOISE.subarray(from * 8, (from + length) * 8));
            }
          }
          for (const [fast, slow] of pairs) {
            expect(fast.drain()).toEqual(slow.drain());
            fast.release();
            slow.release();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test.each(TOOLS)(
    '%s: drained or released, they are empty; released without a drain, nothing is left behind',
    (tool) => {
      const kernel = new CompiledKernel(loadLoops());
      const empty = toolOf(kernel, tool).drain();
      expect(empty).toEqual(toolOf(new PlainKernel(), tool).drain());
      const first = toolOf(kernel, tool);
      first.add(NOISE);
      first.drain();
      expect(first.drain()).toEqual(empty);
      first.add(NOISE);
      first.release();
      for (const other of TOOLS) {
        expect(toolOf(kernel, other).drain()).toEqual(toolOf(new PlainKernel(), other).drain());
      }
      const next = toolOf(kernel, tool);
      next.add(NOISE.subarray(0, 800));
      const expected = toolOf(new PlainKernel(), tool);
      expected.add(NOISE.subarray(0, 800));
      expect(next.drain()).toEqual(expected.drain());
    },
  );

  test.each(TOOLS)('%s: moving sums to where they cannot overflow changes nothing', (tool) => {
    const often = toolOf(new CompiledKernel(loadLoops(), 800), tool);
    const never = toolOf(new CompiledKernel(loadLoops()), tool);
    for (let begin = 0; begin < NOISE.length; begin += 1208) {
      often.add(NOISE.subarray(begin, begin + 1208));
      never.add(NOISE.subarray(begin, begin + 1208));
    }
    expect(often.drain()).toEqual(never.drain());
  });
});

test('the window takes what is read into it', () => {
  for (const kernel of [new CompiledKernel(loadLoops()), new PlainKernel()]) {
    const { window } = kernel;
    expect(window).toHaveLength(WINDOW_BYTES);
    expect(kernel.window.buffer).toBe(window.buffer);
    window.set(bytesOf(Float32Array.of(1, -2, 0)), 8);
    const scanner = kernel.wideScanner('f32');
    scanner.add(window.subarray(8, 20));
    expect(scanner.drain()).toMatchObject({ count: 3, zeros: 1, min: -2, max: 1 });
  }
});
