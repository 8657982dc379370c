import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveRefusal } from '../../../../fuzz/naive-check.mjs';
import { SAFETENSORS_DTYPES } from '../../../../src/core/dtypes/dtype-table.ts';
import { buildHeader, type HeaderTensor } from '../../../../src/core/formats/safetensors/write-header.ts';
import { isLoupeError } from '../../../../src/shared/errors.ts';
import { inspectBytes } from '../../../support/inspect-bytes.ts';
import { soundTensors } from '../../../support/sound-tensors.ts';

const tensor = (name: string, dtype = 'F32', shape: readonly number[] = [], bytes = 4): HeaderTensor => ({
  name,
  dtype,
  shape,
  bytes,
});

const lengthOf = (prefix: Uint8Array): number => Number(new DataView(prefix.buffer).getBigUint64(0, true));
const textOf = (prefix: Uint8Array): string => new TextDecoder().decode(prefix.subarray(8));
const header = (tensors: readonly HeaderTensor[], metadata?: ReadonlyMap<string, string>): string =>
  textOf(buildHeader(tensors, metadata).prefix);

const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (fault) {
    if (isLoupeError(fault)) {
      return fault.code;
    }
    throw fault;
  }
  return 'none';
};

describe('golden vectors of the reference (FORMATS.md 1.7)', () => {
  it.each<readonly [string, HeaderTensor, number, number]>([
    ['attn.0 [1,2,3]: no padding', tensor('attn.0', 'F32', [1, 2, 3], 24), 64, 0],
    ['attn0 [1,1,2,3]: 7 spaces', tensor('attn0', 'F32', [1, 1, 2, 3], 24), 72, 7],
    ['F4 attn.0 [1,2]: 4 spaces', tensor('attn.0', 'F4', [1, 2], 1), 64, 4],
  ])('%s', (_what, one, length, spaces) => {
    const { prefix } = buildHeader([one]);
    expect(lengthOf(prefix)).toBe(length);
    expect(prefix).toHaveLength(8 + length);
    expect(textOf(prefix)).toBe(
      `{"${one.name}":{"dtype":"${one.dtype}","shape":[${one.shape}],"data_offsets":[0,${one.bytes}]}}${' '.repeat(spaces)}`,
    );
  });

  it('no tensors at all', () => {
    expect(header([])).toBe('{}      ');
  });

  it('{"format":"pt"} and one tensor (FORMATS.md appendix D): N = 88, 3 spaces', () => {
    expect(header([tensor('a', 'F32', [1])], new Map([['format', 'pt']]))).toBe(
      '{"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}   ',
    );
  });

  it('metadata without tensors: N = 40', () => {
    expect(header([], new Map([['framework', 'pt']]))).toBe('{"__metadata__":{"framework":"pt"}}     ');
  });

  it('a thousand tensors of every dtype and odd names: the reference’s header, byte for byte', async () => {
    const bytes = readFileSync(new URL('../../../fixtures/oracle/mixed-1000.safetensors', import.meta.url));
    const { rows, content } = await inspectBytes(bytes);
    expect(rows).toHaveLength(1000);
    const shuffled = rows
      .toSorted((a, b) => ((a.id * 7919) % 1000) - ((b.id * 7919) % 1000))
      .map(({ name, dtype, shape, bytes: size = 0 }) => ({ name, dtype, shape, bytes: size }));
    const { prefix, order } = buildHeader(shuffled, new Map(content.metadata.map(({ key, value }) => [key, value])));
    expect(Buffer.from(prefix).equals(bytes.subarray(0, prefix.length))).toBe(true);
    expect(order.map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
  });
});

describe('order', () => {
  it('is by falling rank of the dtype', () => {
    const dtypes = [...SAFETENSORS_DTYPES.keys()];
    const { order } = buildHeader(dtypes.map((dtype) => tensor(dtype, dtype, [0], 0)));
    expect(order.map(({ dtype }) => dtype)).toEqual(dtypes.toReversed());
  });

  it('then by the bytes of the name, which differ from UTF-16 beyond the basic plane', () => {
    const names = ['😀', '\uffee', '\ue000', 'z', 'a', 'aa', '', 'é'];
    const { order } = buildHeader(names.map((name) => tensor(name)));
    expect(order.map(({ name }) => name)).toEqual(['', 'a', 'aa', 'z', 'é', '\ue000', '\uffee', '😀']);
  });

  it('of metadata keys is by their bytes', () => {
    const metadata = new Map(['😀', '\uffee', 'b', 'a'].map((key) => [key, 'v']));
    expect(header([tensor('t')], metadata)).toMatch(/^\{"__metadata__":\{"a":"v","b":"v","\uffee":"v","😀":"v"\},/);
  });
});

describe('metadata', () => {
  it('that is empty is kept beside tensors and dropped without any, as that breaks the reference', () => {
    expect(header([tensor('a')], new Map())).toMatch(/^\{"__metadata__":\{\},"a"/);
    expect(header([], new Map())).toBe('{}      ');
  });
});

describe('text', () => {
  it('escapes what JSON demands and leaves the rest as it is', () => {
    const name = '"\\\b\f\n\r\t\u0000\u001f/\u007f\u2028é😀';
    expect(header([tensor(name)])).toContain('"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/\u007f\u2028é😀":');
  });

  it('keeps dimensions exact', () => {
    const shape = [0, 2n ** 64n - 1n];
    expect(header([{ name: 'a', dtype: 'U8', shape, bytes: 0 }])).toContain('"shape":[0,18446744073709551615]');
  });
});

describe('refused', () => {
  it.each(['\ud800', 'a\udc00', '\udc00\ud800'])('half a surrogate pair: %j', (text) => {
    expect(codeOf(() => buildHeader([tensor(text)]))).toBe('bad-name');
    expect(codeOf(() => buildHeader([tensor('a')], new Map([[text, 'v']])))).toBe('bad-name');
    expect(codeOf(() => buildHeader([tensor('a')], new Map([['k', text]])))).toBe('bad-name');
  });

  it('a dtype that safetensors does not have', () => {
    expect(codeOf(() => buildHeader([tensor('a', 'f32')]))).toBe('unknown-dtype');
  });

  it('a tensor named __metadata__', () => {
    expect(codeOf(() => buildHeader([tensor('__metadata__')]))).toBe('reserved-name');
  });

  it('one name twice', () => {
    expect(codeOf(() => buildHeader([tensor('a'), tensor('b'), tensor('a', 'U8', [4])]))).toBe('duplicate-name');
  });

  it('a header over 100,000,000 bytes, and not one of exactly that', () => {
    const rest = header([tensor('')]).trimEnd().length;
    const longest = buildHeader([tensor('x'.repeat(100_000_000 - rest))]);
    expect(lengthOf(longest.prefix)).toBe(100_000_000);
    expect(codeOf(() => buildHeader([tensor('x'.repeat(100_000_000 - rest + 1))]))).toBe('header-over-cap');
  });
});

it('every header is valid, a multiple of 8 long, and does not depend on the order given', () => {
  fc.assert(
    fc.property(
      soundTensors().chain((tensors) =>
        fc.tuple(fc.constant(tensors), fc.shuffledSubarray(tensors, { minLength: tensors.length })),
      ),
      ([tensors, shuffled]) => {
        const { prefix } = buildHeader(tensors);
        expect(prefix.length % 8).toBe(0);
        expect(buildHeader(shuffled).prefix).toEqual(prefix);
        const size = tensors.reduce((sum, { bytes }) => sum + bytes, 0);
        const file = new Uint8Array(prefix.length + size);
        file.set(prefix);
        expect(naiveRefusal(file)).toBeUndefined();
      },
    ),
    { numRuns: 200 },
  );
});
