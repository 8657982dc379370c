import { describe, expect, it } from 'vitest';
import { readBytes } from '../../../src/core/bytes/checked-read.ts';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { ClosedError } from '../../../src/core/errors.ts';

describe('bytes in memory', () => {
  it('are read at any offset, the view’s own and no others', async () => {
    const backing = Uint8Array.from({ length: 20 }, (_, index) => index);
    const source = memorySource(backing.subarray(5, 15), 'part');
    expect([source.name, source.size]).toEqual(['part', 10]);
    expect(await readBytes(source, 0, 10)).toEqual(backing.slice(5, 15));
    expect(await readBytes(source, 9, 1)).toEqual(Uint8Array.of(14));
    expect(await readBytes(source, 10, 0)).toHaveLength(0);
    await expect(readBytes(source, 9, 2)).rejects.toThrow(/do not lie inside part, which has 10 bytes/);
  });

  it('are gone once it is closed, however often that is', async () => {
    const source = memorySource(Uint8Array.of(1));
    source.close();
    source.close();
    await expect(readBytes(source, 0, 1)).rejects.toThrow(ClosedError);
    await expect(readBytes(source, 0, 0)).rejects.toThrow('memory is closed');
  });
});
