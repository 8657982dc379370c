import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../../src/rpc/decode-frame.ts';
import { encodeFrame } from '../../src/rpc/encode-frame.ts';
import { isLoupeError } from '../../src/shared/errors.ts';

const roundTrip = (value: unknown): unknown => decodeFrame(encodeFrame(value));

/** A frame with this JSON text and these bytes behind it. */
const frameOf = (json: string, tail: Uint8Array = new Uint8Array()): Uint8Array => {
  const text = new TextEncoder().encode(json);
  const frame = new Uint8Array(4 + text.byteLength + tail.byteLength);
  new DataView(frame.buffer).setUint32(0, text.byteLength, true);
  frame.set(text, 4);
  frame.set(tail, 4 + text.byteLength);
  return frame;
};

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    return isLoupeError(error) ? error.code : `foreign: ${String(error)}`;
  }
  return 'no error';
};

const decodeCode = (frame: Uint8Array): string => codeOf(() => decodeFrame(frame));

describe('a frame carries', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['special numbers', [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 5e-324]],
    ['big integers', [0n, -1n, 2n ** 64n - 1n, -(2n ** 63n), 10n ** 99n]],
    ['holes and undefined elements', [undefined, 1, undefined]],
    ['text of every kind', ['', '\0', '\u2028', '😀', '\ufeff', 'a\ud800b', '__proto__', '"\\']],
    [
      'typed arrays',
      { u8: new Uint8Array([1, 2]), f32: new Float32Array([1.5, Number.NaN]), f64: new Float64Array([-0]) },
    ],
    ['empty typed arrays', [new Uint8Array(), new Uint32Array(), new Float64Array()]],
    ['keys that look like our own', { value: { extras: [{ path: [], kind: 'u8', bytes: 9 }] }, extras: null }],
  ])('%s', (_name, value) => {
    expect(roundTrip(value)).toStrictEqual(value);
  });

  it('members that are undefined by leaving them out', () => {
    expect(roundTrip({ a: undefined, b: [{ c: undefined }] })).toStrictEqual({ b: [{}] });
  });

  it('hostile keys as ordinary members of their own', () => {
    const value: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"toString":3}',
    );
    const back = roundTrip(value);
    expect(Object.keys(back as object)).toEqual(['__proto__', 'constructor', 'toString']);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('values that are extras under hostile keys', () => {
    const value = Object.fromEntries([
      ['__proto__', new Uint8Array([7])],
      ['constructor', Number.NaN],
    ]);
    const back = roundTrip(value) as Record<string, unknown>;
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(back, '__proto__')?.value).toEqual(new Uint8Array([7]));
    expect(back.constructor).toBeNaN();
  });

  it('only the part of a buffer that an array sees, in a buffer of its own, aligned', () => {
    const whole = new Uint8Array(64).map((_, index) => index);
    const back = roundTrip([new Uint8Array([9]), new Float32Array(whole.buffer, 4, 2), whole.subarray(3, 5)]) as [
      Uint8Array,
      Float32Array,
      Uint8Array,
    ];
    expect(back[1]).toEqual(new Float32Array(whole.buffer, 4, 2));
    expect(back.map((array) => array.buffer.byteLength)).toEqual([1, 8, 2]);
    expect(back[2]).toEqual(new Uint8Array([3, 4]));
  });

  it('the same when it arrives as a Buffer inside a larger one', () => {
    const frame = encodeFrame({ a: new Float64Array([1, 2]), b: 'x' });
    const pool = Buffer.alloc(frame.byteLength + 13, 0xff);
    pool.set(frame, 5);
    const back = decodeFrame(pool.subarray(5, 5 + frame.byteLength)) as { a: Float64Array };
    expect(back.a).toEqual(new Float64Array([1, 2]));
    expect(back.a.buffer.byteLength).toBe(16);
  });
});

describe('encoding refuses', () => {
  const cyclic: unknown[] = [];
  cyclic.push(cyclic);
  it.each([
    ['functions', { a: () => 1 }],
    ['symbols', Symbol('x')],
    ['maps', new Map()],
    ['sets', [new Set()]],
    ['buffers without a type', new ArrayBuffer(4)],
    ['other typed arrays', new Int16Array(2)],
    ['data views', new DataView(new ArrayBuffer(2))],
    ['cycles', cyclic],
    ['integers beyond all use', 10n ** 101n],
  ])('%s', (_name, value) => {
    expect(codeOf(() => encodeFrame(value))).toBe('not-sendable');
  });
});

describe('decoding refuses as bad-frame', () => {
  const withExtra = (extra: unknown, value: unknown = null, tail?: Uint8Array): Uint8Array =>
    frameOf(JSON.stringify({ value, extras: [extra] }), tail);

  it.each([
    ['nothing', new Uint8Array()],
    ['less than a length', new Uint8Array(3)],
    ['a length beyond the frame', new Uint8Array([255, 255, 255, 255, 1, 2])],
    ['text that is no JSON', frameOf('{')],
    ['text that is no UTF-8', new Uint8Array([1, 0, 0, 0, 0xff])],
    ['a bare value', frameOf('7')],
    ['null', frameOf('null')],
    ['no extras', frameOf('{"value":1}')],
    ['no value', frameOf('{"extras":[]}')],
    ['inherited fields', frameOf('{"__proto__":{"value":1,"extras":[]}}')],
    ['extras that are no list', frameOf('{"value":1,"extras":{"length":1}}')],
    ['an extra that is null', withExtra(null)],
    ['an extra without a path', withExtra({ kind: 'number', text: 'NaN' })],
    ['a path of other things', withExtra({ path: [{}], kind: 'number', text: 'NaN' })],
    ['an unknown kind', withExtra({ path: [], kind: 'f16', bytes: 0 })],
    ['an inherited kind', withExtra({ path: [], kind: 'constructor', bytes: 0 })],
    ['a kind called __proto__', withExtra({ path: [], kind: '__proto__', bytes: 0 })],
    ['a number that is none', withExtra({ path: [], kind: 'number', text: '12' })],
    ['an integer that is none', withExtra({ path: [], kind: 'bigint', text: '0x10' })],
    ['an integer of many digits', withExtra({ path: [], kind: 'bigint', text: '9'.repeat(5000) })],
    ['an array longer than the frame', withExtra({ path: [], kind: 'u8', bytes: 9 }, null, new Uint8Array(8))],
    ['an array of negative length', withExtra({ path: [], kind: 'u8', bytes: -1 })],
    ['an array of fractional length', withExtra({ path: [], kind: 'u8', bytes: 0.5 })],
    ['a float array of 3 bytes', withExtra({ path: [], kind: 'f32', bytes: 3 }, null, new Uint8Array(3))],
    ['bytes left over', frameOf('{"value":1,"extras":[]}', new Uint8Array(1))],
    ['a path to nowhere', withExtra({ path: ['a'], kind: 'undefined', text: '' }, { b: null })],
    ['a path through a string', withExtra({ path: ['a', 0], kind: 'undefined', text: '' }, { a: 'x' })],
    ['a path through __proto__', withExtra({ path: ['__proto__', 'x'], kind: 'undefined', text: '' }, {})],
    ['a path to a value that is there', withExtra({ path: ['a'], kind: 'undefined', text: '' }, { a: 1 })],
    ["a path to an array's length", withExtra({ path: ['length'], kind: 'undefined', text: '' }, [null])],
  ])('%s', (_name, frame) => {
    expect(decodeCode(frame)).toBe('bad-frame');
  });
});

describe('a value of more text than the other side reads', () => {
  it('is refused by whoever sends it, which costs the call and not the connection', () => {
    const value = { name: 'n'.repeat(100) };
    const { length } = JSON.stringify({ value, extras: [] });
    expect(decodeFrame(encodeFrame(value, length))).toEqual(value);
    expect(codeOf(() => encodeFrame(value, length - 1))).toBe('not-sendable');
    expect(decodeFrame(encodeFrame({ bytes: new Uint8Array(1000) }, 200))).toEqual({ bytes: new Uint8Array(1000) });
  });
});

describe('properties', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.float32Array(),
    fc.float64Array(),
    fc.uint32Array(),
  );
  const key = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'toJSON', 'length', 'then', '0'));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('value')),
      fc.dictionary(key, tie('value'), { noNullPrototype: true }),
    ),
  }));

  it('whatever is encoded decodes to the same', () => {
    fc.assert(
      // Not toStrictEqual: it looks at members called constructor and __proto__.
      fc.property(value, (data) => deepStrictEqual(roundTrip(data), data)),
      { numRuns: 500 },
    );
  });

  const isDecodedOrRefused = (frame: Uint8Array): void => {
    const code = decodeCode(frame);
    if (code !== 'no error') {
      expect(code).toBe('bad-frame');
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  };

  it('a frame cut anywhere is refused', () => {
    fc.assert(
      fc.property(value, fc.nat(), (data, cut) => {
        const frame = encodeFrame(data);
        expect(decodeCode(frame.subarray(0, cut % frame.byteLength))).toBe('bad-frame');
      }),
      { numRuns: 500 },
    );
  });

  it('a frame with changed bytes is decoded or refused, and never anything else', () => {
    fc.assert(
      fc.property(
        value,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
        (data, edits) => {
          const frame = encodeFrame(data);
          for (const [at, byte] of edits) {
            frame[at % frame.byteLength] = byte;
          }
          isDecodedOrRefused(frame);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('a frame of hostile extras is decoded or refused, and never anything else', () => {
    const step = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'length', 'a', 'value'),
      fc.integer({ min: -1, max: 3 }),
    );
    const extra = fc.record({
      path: fc.array(step, { maxLength: 4 }),
      kind: fc.constantFrom('u8', 'f64', 'number', 'bigint', 'undefined', '__proto__'),
      bytes: fc.oneof(fc.integer({ min: -1, max: 16 }), fc.double()),
      text: fc.constantFrom('NaN', '-0', '7', '', 'polluted'),
    });
    fc.assert(
      fc.property(
        fc.json(),
        fc.array(extra, { maxLength: 4 }),
        fc.uint8Array({ maxLength: 16 }),
        (json, extras, tail) => {
          isDecodedOrRefused(frameOf(`{"value":${json},"extras":${JSON.stringify(extras)}}`, tail));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('bytes at random are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (frame) => isDecodedOrRefused(frame)),
      { numRuns: 1000 },
    );
  });
});
