import { describe, expect, it, vi } from 'vitest';
import { parseHeader } from '../../../../src/core/formats/safetensors/parse-header.ts';
import type { Finding } from '../../../../src/shared/findings.ts';

// The real limit is 4,000,000: reaching it takes seconds and gigabytes.
vi.mock('../../../../src/core/formats/safetensors/limits.ts', async (original) => ({
  ...(await original<typeof import('../../../../src/core/formats/safetensors/limits.ts')>()),
  MOST_ENTRIES: 1000,
}));

const findingsOf = (text: string): readonly Finding[] => {
  const bytes = new TextEncoder().encode(text);
  const frame = { file: 'm', dataStart: 8 + bytes.length, fileSize: 8 + bytes.length };
  return parseHeader(bytes, frame).findings.kept;
};

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(',');

describe('header-over-cap: more entries than the program reads', () => {
  const tensor = (index: number): string => `"${index}":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`;
  const pair = (index: number): string => `"${index}":"x"`;

  it('as many as the limit are read', () => {
    expect(findingsOf(`{${times(1000, tensor)}}`)).toEqual([]);
    expect(findingsOf(`{"__metadata__":{${times(1000, pair)}}}`)).toEqual([]);
  });

  it('one tensor more', () => {
    const text = `{${times(1001, tensor)}}`;
    const position = text.lastIndexOf('"1000"');
    expect(findingsOf(text)).toEqual([
      {
        code: 'header-over-cap',
        severity: 'error',
        message: `the header is not read on from byte ${position}: more than 1,000 tensors`,
        file: 'm',
        offset: 8 + position,
      },
    ]);
  });

  it('one metadata entry more', () => {
    const text = `{"__metadata__":{${times(1001, pair)}}}`;
    expect(findingsOf(text)).toMatchObject([
      { code: 'header-over-cap', offset: 8 + text.lastIndexOf('"1000"'), message: /more than 1,000 metadata entries$/ },
    ]);
  });
});
