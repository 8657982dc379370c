import type { FindingCode } from '../../shared/findings.ts';
import { craftFile, entry, headerOf } from './craft.ts';

/** One crafted file, and the findings it must give: these codes and no others. */
export interface BatteryCase {
  readonly name: string;
  readonly file: Uint8Array;
  readonly codes: readonly FindingCode[];
  /** Tensors that stay readable. */
  readonly readable: number;
}

const GOOD = entry('good', 'F32', '[4]', '[0,16]');

const crafted = (
  name: string,
  codes: readonly FindingCode[],
  readable: number,
  header: string | Uint8Array,
  data: Uint8Array | number = 16,
  declaredLength?: bigint,
): BatteryCase => ({ name, codes, readable, file: craftFile(header, data, declaredLength) });

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

const invalidUtf8 = (): Uint8Array => {
  const header = text(headerOf(entry('XX', 'F32', '[4]', '[0,16]')));
  header.set([0xc0, 0xaf], header.indexOf(0x58));
  return header;
};

const nested = (levels: number): string =>
  headerOf(`"good":{"dtype":"F32","shape":[4],"data_offsets":[0,16],"x":${'['.repeat(levels)}${']'.repeat(levels)}}`);

/** Every lie a safetensors header can tell (FORMATS.md 1.2, 1.3; FIELD-CASES B01–B13), and files that must pass. */
export const safetensorsBattery = (): readonly BatteryCase[] => [
  crafted('control: one whole tensor', [], 1, headerOf(GOOD)),
  crafted('control: no tensors', [], 0, '{}', 0),
  crafted('control: metadata and padding', [], 1, `${headerOf('"__metadata__":{"format":"pt"}', GOOD)}     `),
  crafted('control: leading white space', [], 1, ` \n${headerOf(GOOD)}`),
  crafted(
    'control: scalar and empty tensors',
    [],
    3,
    headerOf(
      entry('s', 'F32', '[]', '[0,4]'),
      entry('e', 'F32', '[0,3]', '[4,4]'),
      entry('f', 'F8_E4M3', '[0]', '[4,4]'),
    ),
    4,
  ),
  crafted(
    'control: names of object members',
    [],
    3,
    headerOf(
      entry('__proto__', 'U8', '[1]', '[0,1]'),
      entry('10', 'U8', '[1]', '[1,2]'),
      entry('', 'U8', '[1]', '[2,3]'),
    ),
    3,
  ),
  { name: 'file shorter than its own length field', codes: ['file-too-short'], readable: 0, file: new Uint8Array(7) },
  { name: 'empty file', codes: ['file-too-short'], readable: 0, file: new Uint8Array(0) },
  crafted('header longer than the file', ['header-length-exceeds-file'], 0, headerOf(GOOD), 16, 4096n),
  crafted('header length 2^63', ['header-length-exceeds-file'], 0, headerOf(GOOD), 16, 2n ** 63n),
  crafted('header length 2^64 - 1', ['header-length-exceeds-file'], 0, headerOf(GOOD), 16, 2n ** 64n - 1n),
  crafted(
    'header length that wraps when 8 is added',
    ['header-length-exceeds-file'],
    0,
    headerOf(GOOD),
    16,
    2n ** 64n - 8n,
  ),
  crafted(
    'header length 100,000,001 in a small file',
    ['header-length-exceeds-file'],
    0,
    headerOf(GOOD),
    16,
    100_000_001n,
  ),
  crafted('header length 0', ['header-not-json'], 0, '', 16),
  crafted('header that is not UTF-8', ['header-not-utf8'], 0, invalidUtf8()),
  crafted('header that is not JSON', ['header-not-json'], 0, '{"a":'),
  crafted('header with a byte order mark', ['header-not-json'], 0, `\u{feff}${headerOf(GOOD)}`),
  crafted('header followed by zero bytes', ['header-not-json'], 0, `${headerOf(GOOD)}\0\0\0`),
  crafted('header with a trailing comma', ['header-not-json'], 0, `{${GOOD},}`),
  crafted(
    'header with half a surrogate pair',
    ['header-not-json'],
    0,
    headerOf(entry('\\ud800', 'F32', '[4]', '[0,16]')),
  ),
  crafted('header nested too deep', ['header-not-json'], 0, nested(5000)),
  crafted('header that is an array', ['header-not-object'], 0, '[1]'),
  crafted('header that is a string', ['header-not-object'], 0, '"x"'),
  crafted('known writer fault: metadata after the object', ['header-not-json'], 0, '{},"__metadata__":{}}', 0),
  crafted('one name twice', ['duplicate-name'], 2, headerOf(GOOD, entry('good', 'F32', '[2,2]', '[16,32]')), 32),
  crafted(
    'one name twice, once escaped',
    ['duplicate-name'],
    2,
    headerOf(GOOD, entry('g\\u006fod', 'F32', '[4]', '[16,32]')),
    32,
  ),
  crafted(
    'one key twice in an entry',
    ['duplicate-key'],
    0,
    '{"good":{"dtype":"F32","dtype":"I32","shape":[4],"data_offsets":[0,16]}}',
  ),
  crafted('metadata twice', ['duplicate-key'], 1, headerOf('"__metadata__":{}', '"__metadata__":{}', GOOD)),
  crafted('metadata value that is a number', ['metadata-not-strings'], 1, headerOf('"__metadata__":{"n":0}', GOOD)),
  crafted('metadata that is an array', ['metadata-not-strings'], 1, headerOf('"__metadata__":[]', GOOD)),
  crafted('a tensor named __metadata__', ['reserved-name'], 1, headerOf(entry('__metadata__', 'F32', '[4]', '[0,16]'))),
  crafted('missing dtype', ['field-missing'], 0, '{"good":{"shape":[4],"data_offsets":[0,16]}}'),
  crafted('missing shape', ['field-missing'], 0, '{"good":{"dtype":"F32","data_offsets":[0,16]}}'),
  crafted('missing offsets', ['field-missing', 'trailing-bytes'], 0, '{"good":{"dtype":"F32","shape":[4]}}'),
  crafted('entry that is no object', ['field-invalid', 'trailing-bytes'], 0, '{"good":7}'),
  crafted('dtype that is a number', ['field-invalid'], 0, '{"good":{"dtype":7,"shape":[4],"data_offsets":[0,16]}}'),
  crafted('negative offset', ['field-invalid', 'trailing-bytes'], 0, headerOf(entry('good', 'F32', '[4]', '[-16,0]'))),
  crafted(
    'fractional offset',
    ['field-invalid', 'trailing-bytes'],
    0,
    headerOf(entry('good', 'F32', '[4]', '[0.0,16]')),
  ),
  crafted('three offsets', ['field-invalid', 'trailing-bytes'], 0, headerOf(entry('good', 'F32', '[4]', '[0,8,16]'))),
  crafted('negative dimension', ['field-invalid'], 0, headerOf(entry('good', 'F32', '[-4]', '[0,16]'))),
  crafted(
    'dimension beyond 64 bits',
    ['field-invalid'],
    0,
    headerOf(entry('good', 'F32', '[18446744073709551616]', '[0,16]')),
  ),
  crafted('unknown dtype', ['unknown-dtype'], 0, headerOf(entry('good', 'F8_E3M4', '[16]', '[0,16]'))),
  crafted('dtype in lower case', ['unknown-dtype'], 0, headerOf(entry('good', 'f32', '[4]', '[0,16]'))),
  crafted(
    'overflowing shape',
    ['shape-overflow'],
    0,
    headerOf(entry('good', 'F32', '[4294967296,4294967296]', '[0,16]')),
  ),
  crafted(
    'shape that overflows before its zero',
    ['shape-overflow'],
    0,
    headerOf(entry('good', 'F32', '[1099511627776,1099511627776,0]', '[0,16]')),
  ),
  crafted(
    'shape that wraps to the right size',
    ['shape-overflow'],
    0,
    headerOf(entry('good', 'F32', '[4611686018427387908]', '[0,16]')),
  ),
  crafted('half a byte', ['size-not-whole-bytes'], 0, headerOf(entry('good', 'F4', '[3]', '[0,2]')), 2),
  crafted(
    'extent that disagrees with the shape',
    ['size-mismatch'],
    0,
    headerOf(entry('good', 'F32', '[1000,1000]', '[0,16]')),
  ),
  crafted('scalar without bytes', ['size-mismatch'], 0, headerOf(entry('good', 'F32', '[1]', '[0,0]')), 0),
  crafted('reversed range', ['offsets-reversed', 'trailing-bytes'], 0, headerOf(entry('good', 'F32', '[4]', '[16,0]'))),
  crafted(
    'extent past the end, after a gap',
    ['offsets-out-of-range'],
    1,
    headerOf(GOOD, entry('far', 'F32', '[4]', '[1000,1016]')),
  ),
  crafted(
    'offset beyond 2^53',
    ['offsets-out-of-range'],
    1,
    headerOf(GOOD, entry('far', 'U8', '[4]', '[9007199254740993,9007199254740997]')),
  ),
  crafted(
    'extent past the end of a short file',
    ['truncated'],
    1,
    headerOf(GOOD, entry('cut', 'F32', '[4]', '[16,32]')),
    23,
  ),
  crafted('all data missing', ['truncated', 'truncated'], 0, headerOf(GOOD, entry('cut', 'F32', '[4]', '[16,32]')), 0),
  crafted('two tensors share a range', ['shared-range'], 2, headerOf(GOOD, entry('other', 'I32', '[4]', '[0,16]'))),
  crafted('two tensors overlap', ['overlap'], 2, headerOf(GOOD, entry('other', 'F32', '[4]', '[8,24]')), 24),
  crafted(
    'one tensor inside another',
    ['overlap'],
    2,
    headerOf(entry('outer', 'F32', '[8]', '[0,32]'), entry('inner', 'F32', '[1]', '[8,12]')),
    32,
  ),
  crafted(
    'only the first and the third overlap',
    ['overlap', 'overlap'],
    3,
    headerOf(entry('a', 'U8', '[30]', '[0,30]'), entry('b', 'U8', '[2]', '[4,6]'), entry('c', 'U8', '[12]', '[20,32]')),
    32,
  ),
  crafted('empty tensor inside another', ['overlap'], 2, headerOf(GOOD, entry('e', 'F32', '[0]', '[8,8]'))),
  crafted('gap between tensors', ['gap'], 2, headerOf(GOOD, entry('other', 'F32', '[4]', '[24,40]')), 40),
  crafted('gap before the first tensor', ['gap'], 1, headerOf(entry('good', 'F32', '[4]', '[4,20]')), 20),
  crafted('bytes after the last tensor', ['trailing-bytes'], 1, headerOf(GOOD), 22),
  crafted(
    'a zip archive after the last tensor',
    ['trailing-bytes', 'not-scanned'],
    1,
    headerOf(GOOD),
    Uint8Array.from([...new Uint8Array(16), 0x50, 0x4b, 3, 4, 0, 0]),
  ),
];
