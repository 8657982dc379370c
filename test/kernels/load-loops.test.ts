import { describe, expect, test } from 'vitest';
import { loadLoops, wasmModule } from '../../src/kernels/load-loops.ts';

/** A module without exports: the magic number and the version. */
const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

describe('loading', () => {
  test('gives each caller loops of his own', () => {
    const [one, other] = [loadLoops(), loadLoops()];
    one.bytes.scan(Uint8Array.of(7));
    expect(other.bytes.drain().keys).toHaveLength(0);
    expect([...one.bytes.drain().keys]).toEqual([7]);
  });

  test('throws for a module that the engine does not take, and for another one', () => {
    expect(() => loadLoops(wasmModule().slice(0, 100))).toThrow(WebAssembly.CompileError);
    expect(() => loadLoops(EMPTY_MODULE)).toThrow(TypeError);
  });
});

describe('the window', () => {
  test('is scanned where it is, and left as it is', () => {
    const { window, halves } = loadLoops();
    window.set([1, 0, 2, 0, 1, 0], 3);
    halves.scan(window.subarray(3, 9));
    const { keys, counts } = halves.drain();
    expect([...keys]).toEqual([1, 2]);
    expect([...counts]).toEqual([2, 1]);
    expect([...window.subarray(0, 12)]).toEqual([0, 0, 0, 1, 0, 2, 0, 1, 0, 0, 0, 0]);
  });

  test('is not touched when other bytes are scanned', () => {
    const { window, ...loops } = loadLoops();
    window.fill(0xab);
    const other = new Uint8Array(200_000).fill(3);
    for (const loop of [loops.bytes, loops.halves, loops.f32, loops.f64, loops.i32, loops.u32, loops.i64, loops.u64]) {
      loop.scan(other);
      loop.drain();
    }
    expect(window.every((byte) => byte === 0xab)).toBe(true);
  });

  test('what a drain gave does not change afterwards', () => {
    const { f32 } = loadLoops();
    f32.scan(new Uint8Array(Float32Array.of(1, 2, 3).buffer));
    const totals = f32.drain();
    const before = structuredClone(totals);
    f32.scan(new Uint8Array(Float32Array.of(-1, -2, -3, -4).buffer));
    f32.drain();
    expect(totals).toEqual(before);
  });
});
