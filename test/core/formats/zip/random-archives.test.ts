import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ByteSource } from '../../../../src/core/bytes/byte-source.ts';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { readMember } from '../../../../src/core/formats/zip/read-member.ts';
import { readZipDirectory } from '../../../../src/core/formats/zip/read-zip-directory.ts';
import { isLoupeError } from '../../../../src/shared/errors.ts';
import { listZip } from '../../../support/list-zip.ts';
import { type CraftedMember, craftZip, extraField } from '../../../support/zip-bytes.ts';

const member = fc.record({
  name: fc.string({ unit: fc.constantFrom('a', 'b', '/', 'é', '名', '0'), minLength: 1, maxLength: 12 }),
  content: fc.uint8Array({ maxLength: 300 }),
  deflate: fc.boolean(),
  descriptor: fc.constantFrom(undefined, 12 as const, 16 as const, 20 as const, 24 as const),
  zip64: fc.boolean(),
  padding: fc.integer({ min: 0, max: 90 }),
});

const crafted = fc
  .record({
    members: fc.uniqueArray(member, { maxLength: 12, selector: ({ name }) => name.toLowerCase() }),
    zip64: fc.boolean(),
    comment: fc.string({ unit: fc.constantFrom('a', ' '), maxLength: 40 }),
  })
  .map(({ members, zip64, comment }) =>
    craftZip({
      members: members.map(({ descriptor, padding, ...rest }, index): CraftedMember => {
        const local = { extra: extraField(0x4246, new Uint8Array(padding)) };
        return { ...rest, name: `m${index}/${rest.name}`, local, ...(descriptor === undefined ? {} : { descriptor }) };
      }),
      ...(zip64 ? { zip64End: {} } : {}),
      comment: new TextEncoder().encode(comment),
    }),
  );

/** A source that keeps an eye on how much is asked of it. */
const watched = (bytes: Uint8Array): { source: ByteSource; asked: () => number; longest: () => number } => {
  const source = memorySource(bytes);
  let asked = 0;
  let longest = 0;
  const read = (offset: number, target: Uint8Array): void | Promise<void> => {
    asked += target.length;
    longest = Math.max(longest, target.length);
    return source.read(offset, target);
  };
  return {
    source: { name: 'm', size: bytes.length, read, close: () => source.close() },
    asked: () => asked,
    longest: () => longest,
  };
};

/** Reads all there is, as a scanner would; any fault must be one of this project's. */
const readAll = async (bytes: Uint8Array): Promise<void> => {
  const { source, asked, longest } = watched(bytes);
  const { members, findings, salvage, stretches } = await readZipDirectory(source, 'm');
  expect(asked()).toBeLessThan(70_000 + bytes.length * 12);
  expect(longest()).toBeLessThanOrEqual(bytes.length);
  for (const { begin, end } of [...stretches, ...(salvage?.members ?? []).flatMap(({ payload }) => payload ?? [])]) {
    expect(0 <= begin && begin <= end && end <= bytes.length).toBe(true);
  }
  for (const item of members) {
    const { payload } = item;
    expect(payload === undefined).toBe(item.problem !== undefined);
    expect(
      payload === undefined || (0 <= payload.begin && payload.begin <= payload.end && payload.end <= bytes.length),
    ).toBe(true);
    const content = await readMember(source, item, { file: 'm', findings, mostBytes: 1_000_000 }).catch(
      (error: unknown) => {
        expect(isLoupeError(error)).toBe(true);
        return new Uint8Array();
      },
    );
    expect(content.length).toBeLessThanOrEqual(1_000_000);
    // Whoever asks strictly gets the declared length with the declared CRC, or an error.
    const strict = await readMember(source, item, { file: 'm', mostBytes: 1_000_000 }).catch((error: unknown) => {
      expect(isLoupeError(error)).toBe(true);
    });
    expect(strict?.length ?? item.bytes).toBe(item.bytes);
  }
};

describe('random archives', () => {
  it('come back as they were made', async () => {
    await fc.assert(
      fc.asyncProperty(crafted, async ({ bytes, headers }) => {
        const { codes, directory } = await listZip(bytes);
        expect(codes).toEqual([]);
        expect(directory.stretches.every(({ where }) => where === 'comment')).toBe(true);
        expect(directory.members.map(({ header }) => header)).toEqual(headers);
        await readAll(bytes);
      }),
      { numRuns: 150 },
    );
  });

  it('hold what was put in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 8 }),
        fc.boolean(),
        async (contents, deflate) => {
          const { bytes } = craftZip({
            members: contents.map((content, index) => ({ name: `${index}`, content, deflate })),
          });
          const { directory } = await listZip(bytes);
          const read = directory.members.map((item) => readMember(memorySource(bytes), item, { file: 'm' }));
          expect(await Promise.all(read)).toEqual(contents);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('changed anywhere: findings or typed errors, never a byte outside the file', async () => {
    const change = fc.record({
      at: fc.nat(),
      value: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff, 0x50),
      length: fc.constantFrom(1, 1, 2, 4, 8),
    });
    await fc.assert(
      fc.asyncProperty(
        crafted,
        fc.array(change, { minLength: 1, maxLength: 6 }),
        async ({ bytes, directory }, changes) => {
          for (const { at, value, length } of changes) {
            // Half of them where the numbers are: in the directory and behind it.
            const from = at % 2 === 0 ? directory : 0;
            bytes.fill(value, from + (at % (bytes.length - from)), from + (at % (bytes.length - from)) + length);
          }
          await readAll(bytes);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('cut anywhere, or pieces put together', async () => {
    await fc.assert(
      fc.asyncProperty(crafted, fc.nat(), fc.nat(), async ({ bytes }, one, two) => {
        await readAll(bytes.subarray(0, one % (bytes.length + 1)));
        await readAll(bytes.subarray(one % (bytes.length + 1)));
        await readAll(Buffer.concat([bytes.subarray(0, one % bytes.length), bytes.subarray(two % bytes.length)]));
      }),
      { numRuns: 150 },
    );
  });
});
