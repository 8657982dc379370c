import { describe, expect, it } from 'vitest';
import {
  longOfBytes,
  parseFloatText,
  parseInt0,
  parseLong,
} from '../../../../src/core/formats/pickle/pickle-numbers.ts';

const line = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('numbers in text', () => {
  it.each<readonly [string, number | bigint | boolean]>([
    ['00', false],
    ['01', true],
    ['0', 0],
    ['1', 1],
    ['001', 1],
    ['010', 8],
    ['-010', -8],
    ['0x10', 16],
    ['0b101', 5],
    ['0o17', 15],
    ['1_000', 1000],
    [' 12 ', 12],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740993', -9007199254740993n],
    ['7\0anything', 7],
  ])('INT %j', (text, value) => {
    expect(parseInt0(line(text))).toBe(value);
  });

  it.each(['', '+', '08', '0x', '1__0', '_1', '1.0', 'a', '--1', '0_1', '1 2'])('INT %j is none', (text) => {
    expect(() => parseInt0(line(text))).toThrow('an integer that is none');
  });

  it('LONG takes one L, and no octal of C', () => {
    expect([parseLong(line('5L')), parseLong(line('-0x10L')), parseLong(line('0'))]).toEqual([5, -16, 0]);
    expect(() => parseLong(line('010L'))).toThrow();
    expect(() => parseLong(line('5LL'))).toThrow();
  });

  it.each<readonly [string, number]>([
    ['1', 1],
    ['-1.5e3', -1500],
    ['.5', 0.5],
    ['5.', 5],
    [' 1 ', 1],
    ['1_0.2_5', 10.25],
    ['1e999', Infinity],
    ['-inf', -Infinity],
    ['+Infinity', Infinity],
    ['NaN', Number.NaN],
    ['2.2250738585072011e-308', 2.225073858507201e-308],
    ['-0', -0],
  ])('FLOAT %j, as the more tolerant of the two loaders', (text, value) => {
    expect(parseFloatText(line(text))).toBe(value);
  });

  it.each(['', '.', 'e5', '1e', '0x1p3', '1,5', 'infinit', '1 2', '__1'])('FLOAT %j is none', (text) => {
    expect(() => parseFloatText(line(text))).toThrow('a float that is none');
  });
});

describe('integers in bytes', () => {
  it('are those of every length around where doubles end', () => {
    for (let length = 0; length <= 12; length += 1) {
      for (const fill of [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff]) {
        for (const last of [0x00, 0x01, 0x7f, 0x80, 0xff]) {
          const bytes = new Uint8Array(length).fill(fill);
          bytes[length - 1] = last;
          const unsigned = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
          expect(BigInt(longOfBytes(bytes))).toBe(BigInt.asIntN(8 * length, unsigned));
        }
      }
    }
  });
});
