import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { craftFile } from '../../../../fuzz/craft.mjs';
import { naiveRefusal, violations } from '../../../../fuzz/naive-check.mjs';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { buildHeader, type HeaderTensor } from '../../../../src/core/formats/safetensors/write-header.ts';
import { Tensor } from '../../../../src/core/tensor/tensor.ts';
import { isLoupeError } from '../../../../src/shared/errors.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';
import { soundTensors } from '../../../support/sound-tensors.ts';

/** What the program makes of bytes, or undefined when it threw an error of its own. Any other error passes through. */
const inspectOrRefuse = async (bytes: Uint8Array) => {
  try {
    return await inspectBytes(bytes, 'x.safetensors');
  } catch (fault) {
    if (isLoupeError(fault)) {
      return undefined;
    }
    throw fault;
  }
};

describe('whole files', () => {
  const write = (tensors: readonly HeaderTensor[], metadata?: ReadonlyMap<string, string>) => {
    const { prefix, order } = buildHeader(tensors, metadata);
    const size = order.reduce((sum, { bytes }) => sum + bytes, 0);
    const file = new Uint8Array(prefix.length + size);
    file.set(prefix);
    for (let at = prefix.length; at < file.length; at += 1) {
      file[at] = at * 31;
    }
    return { file, order, dataStart: prefix.length };
  };

  it('that the writer wrote are read back row by row, without a finding', async () => {
    const metadata = fc.option(
      fc
        .dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))
        .map((pairs) => new Map(Object.entries(pairs))),
      { nil: undefined },
    );
    await fc.assert(
      fc.asyncProperty(soundTensors(), metadata, async (tensors, pairs) => {
        const { file, order, dataStart } = write(tensors, pairs);
        expect(naiveRefusal(file)).toBeUndefined();
        const { rows, findings, content } = await inspectBytes(file, 'x.safetensors');
        expect(findings).toEqual([]);
        let at = dataStart;
        const expected = order.map(({ name, dtype, shape, bytes }, id) => {
          const offset = at;
          at += bytes;
          return { id, name, dtype, shape, bytes, offset, file: 'x.safetensors', layout: 'contiguous' };
        });
        expect(rows).toMatchObject(expected);
        expect(rows.every(({ readable, dtype }) => readable || dtype.startsWith('F6_'))).toBe(true);
        expect(new Map(content.metadata.map(({ key, value }) => [key, value]))).toEqual(
          tensors.length === 0 && pairs?.size === 0 ? new Map() : (pairs ?? new Map()),
        );
        const source = memorySource(file, 'x');
        for (const { id, offset = 0, bytes = 0 } of rows) {
          expect(await new Tensor(content.table, id, source).bytes()).toEqual(file.slice(offset, offset + bytes));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('with any bytes changed never throw another error, and never show a tensor that is not whole', async () => {
    const change = fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }), kind: fc.nat({ max: 2 }) });
    await fc.assert(
      fc.asyncProperty(soundTensors(), fc.array(change, { minLength: 1, maxLength: 6 }), async (tensors, changes) => {
        let file: Uint8Array = write(tensors).file;
        for (const { at, byte, kind } of changes) {
          const place = at % (file.length + 1);
          const rest = file.subarray(kind === 1 ? place : place + 1);
          const added = kind === 2 ? [] : [byte];
          file = Uint8Array.from([...file.subarray(0, place), ...added, ...rest]);
        }
        const inspected = await inspectOrRefuse(file);
        expect(inspected === undefined ? [] : violations(file, inspected.content)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('crafted files (fuzz/craft.mjs)', () => {
  it('are judged as an independent reader judges them', async () => {
    let accepted = 0;
    let partly = 0;
    const RUNS = 2500;
    for (let seed = 0; seed < RUNS; seed += 1) {
      const file = craftFile(seed);
      const inspected = await inspectOrRefuse(file);
      const wrong = inspected === undefined ? [] : violations(file, inspected.content);
      expect({ seed, wrong }).toEqual({ seed, wrong: [] });
      accepted += naiveRefusal(file) === undefined ? 1 : 0;
      partly += inspected?.verdict === 'damaged' && inspected.readable.length > 0 ? 1 : 0;
    }
    // The crafted files are worth something only while many of them are sound and many damaged in part.
    expect(accepted).toBeGreaterThan(RUNS / 5);
    expect(partly).toBeGreaterThan(RUNS / 10);
  });

  it('readable tensors hand out exactly the file’s bytes', async () => {
    for (let seed = 100_000; seed < 101_000; seed += 1) {
      const file = craftFile(seed);
      const inspected = await inspectOrRefuse(file);
      const source = memorySource(file, 'x');
      for (const { id, offset = 0, bytes = 0, readable } of inspected?.rows ?? []) {
        if (readable && inspected !== undefined) {
          const read = await new Tensor(inspected.content.table, id, source).bytes();
          expect(read).toEqual(file.slice(offset, offset + bytes));
        }
      }
    }
  });
});
