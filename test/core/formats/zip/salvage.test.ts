import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../../src/core/bytes/memory-source.ts';
import { salvageMembers, saySalvage } from '../../../../src/core/formats/zip/salvage.ts';
import type { SalvagedMember } from '../../../../src/core/formats/zip/zip-types.ts';
import { type CraftedMember, joined, utf8, zipBytes } from '../../../support/zip-bytes.ts';

const A: CraftedMember = { name: 'm/a', content: utf8('first') };
const B: CraftedMember = { name: 'm/b', content: utf8('second, longer') };

const found = async (bytes: Uint8Array): Promise<readonly (readonly [string, string | undefined])[]> => {
  const { members } = await salvageMembers(memorySource(bytes));
  const text = ({ payload }: SalvagedMember): string | undefined =>
    payload === undefined ? undefined : new TextDecoder().decode(bytes.subarray(payload.begin, payload.end));
  return members.map((member) => [member.name, text(member)]);
};

const withoutDirectory = (...members: CraftedMember[]): Uint8Array => {
  const bytes = zipBytes(...members);
  return bytes.subarray(0, Buffer.from(bytes).indexOf('PK\u0001\u0002', 0, 'latin1'));
};

describe('a search for local headers', () => {
  it.each<[string, CraftedMember[]]>([
    ['with lengths in the headers', [A, B]],
    [
      'with data descriptors',
      [
        { ...A, descriptor: 16 },
        { ...B, descriptor: 16 },
      ],
    ],
    ['one of each', [{ ...A, descriptor: 16 }, B]],
  ])('%s finds whole payloads', async (_, members) => {
    expect(await found(withoutDirectory(...members))).toEqual([
      ['m/a', 'first'],
      ['m/b', 'second, longer'],
    ]);
    expect(await found(zipBytes(...members))).toEqual(await found(withoutDirectory(...members)));
  });

  it('gives no payload to a member that is cut', async () => {
    for (const member of [B, { ...B, descriptor: 16 } as const]) {
      const bytes = withoutDirectory(A, member);
      const cut = bytes.subarray(0, withoutDirectory(A).length + 40);
      expect(await found(cut)).toEqual([
        ['m/a', 'first'],
        ['m/b', undefined],
      ]);
    }
  });

  it('ends a payload without length at the next header, without a place', async () => {
    const open = { ...A, both: { flags: 8 }, local: { compressedBytes: 0 } };
    expect(await found(withoutDirectory(open, B))).toEqual([
      ['m/a', undefined],
      ['m/b', 'second, longer'],
    ]);
  });

  it('takes no descriptor whose length is another', async () => {
    const content = joined(utf8('xPK\u0007\u0008'), new Uint8Array(20), utf8('end'));
    const [[, payload] = []] = await found(withoutDirectory({ name: 'm/a', content, descriptor: 16 }));
    expect(payload?.endsWith('end')).toBe(true);
  });

  it('finds headers across its windows', async () => {
    for (const size of [1_048_530, 1_048_540, 1_048_545, 1_048_550, 2_097_100]) {
      const long: CraftedMember = { name: 'm/long', content: new Uint8Array(size), descriptor: 16 };
      const names = (await found(withoutDirectory(long, B))).map(([name, text]) => [name, text?.length]);
      expect(names).toEqual([
        ['m/long', size],
        ['m/b', 14],
      ]);
    }
  });

  it('goes through signatures in their thousands once', async () => {
    const bytes = new Uint8Array(400_000);
    for (let at = 0; at < bytes.length; at += 4) {
      bytes.set([0x50, 0x4b, 3, 4], at);
    }
    let read = 0;
    const source = memorySource(bytes);
    const salvage = await salvageMembers({
      ...source,
      read: (offset, target) => {
        read += target.length;
        return source.read(offset, target);
      },
    });
    expect(read).toBeLessThan(bytes.length * 20);
    expect(salvage.members).toEqual([]);
  });

  it('is put in words', () => {
    const members = Array.from({ length: 22 }, (_, index) => ({
      name: `n${index}`,
      method: 0,
      flags: 0,
      header: 0,
      payload: undefined,
    }));
    expect(saySalvage({ members: [], complete: true })).toBe('local headers seen: 0');
    expect(saySalvage({ members, complete: false })).toMatch(
      /^local headers seen: 22 \("n0", .*"n19", 2 more\); not the whole/,
    );
  });
});
