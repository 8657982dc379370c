import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memorySource } from '../../../src/core/bytes/memory-source.ts';
import { type Checkpoint, inspectSource } from '../../../src/core/checkpoint.ts';
import { type ConversionOptions, planConversion } from '../../../src/core/writing/plan-conversion.ts';
import { entry, fileBytes, floats, header, member, octets } from '../../support/safetensors-bytes.ts';

const opened = (text: string, data: number): Promise<Checkpoint> => inspectSource(memorySource(fileBytes(text, data)));

const namesOf = (checkpoint: Checkpoint, options?: ConversionOptions): string[][] =>
  planConversion(checkpoint, options).files.map(({ plan }) => plan.order.map(({ name }) => name));

const codeOf = (checkpoint: Checkpoint, options?: ConversionOptions): { code: string; message: string } => {
  try {
    planConversion(checkpoint, options);
  } catch (fault) {
    return fault as { code: string; message: string };
  }
  return { code: 'none', message: '' };
};

describe('planning a conversion', () => {
  it('keeps names, dtypes, shapes and metadata, in the reference’s order', async () => {
    const checkpoint = await opened(
      header('"__metadata__":{"format":"pt"}', octets('z', 0, 4), floats('b', 4, 12), floats('a', 12, 16)),
      16,
    );
    const { files, index, bytes, notes } = planConversion(checkpoint);
    expect(namesOf(checkpoint)).toEqual([['a', 'b', 'z']]);
    expect(files[0]?.name).toBe('model.safetensors');
    expect(new TextDecoder().decode(files[0]?.plan.prefix)).toContain('{"__metadata__":{"format":"pt"},"a":');
    expect([index, bytes, notes]).toEqual([undefined, files[0]?.plan.fileBytes, []]);
  });

  it('sets metadata over what is kept, in every shard', async () => {
    const checkpoint = await opened(
      header('"__metadata__":{"format":"pt","n":3}', octets('a', 0, 4), octets('b', 4, 8)),
      8,
    );
    const { files, notes } = planConversion(checkpoint, {
      maxShardBytes: 4,
      metadata: [
        ['k', 'v=w'],
        ['format', 'np'],
      ],
    });
    for (const { plan } of files) {
      expect(new TextDecoder().decode(plan.prefix)).toContain('{"__metadata__":{"format":"np","k":"v=w","n":"3"}');
    }
    expect(notes).toEqual(['the metadata value of "n" is no string; its JSON text was kept']);
  });

  it('filters, and refuses when nothing is left', async () => {
    const checkpoint = await opened(header(octets('a.w', 0, 1), octets('a.b', 1, 2), octets('c.w', 2, 3)), 3);
    expect(namesOf(checkpoint, { include: ['a.*'] })).toEqual([['a.b', 'a.w']]);
    expect(namesOf(checkpoint, { include: ['*.w'], exclude: ['c*'] })).toEqual([['a.w']]);
    expect(codeOf(checkpoint, { include: ['nothing'] }).code).toBe('no-such-tensor');
  });

  it('of no tensors at all is an empty file, also in shards', async () => {
    const empty = await opened('{}', 0);
    expect(namesOf(empty)).toEqual([[]]);
    expect(planConversion(empty, { maxShardBytes: 10 })).toMatchObject({
      files: [{ name: 'model.safetensors' }],
      index: undefined,
    });
  });

  it('refuses damaged tensors by name, unless they are left out', async () => {
    const checkpoint = await opened(header(octets('a', 0, 4), octets('cut', 4, 12), octets('too', 12, 16)), 6);
    const { code, message } = codeOf(checkpoint);
    expect(code).toBe('unreadable-tensor');
    expect(message).toMatch(/"cut" cannot be read: .*; so is "too"\. Leave it out by --exclude/);
    expect(namesOf(checkpoint, { exclude: ['cut', 'too'] })).toEqual([['a']]);
  });

  it('refuses a dtype that safetensors does not have, and copies the ones that cannot be decoded', async () => {
    const checkpoint = await opened(
      header(member('new', entry('F8_E3M4', '[2]', '[0,2]')), member('f6', entry('F6_E2M3', '[4]', '[2,5]'))),
      5,
    );
    expect(codeOf(checkpoint).message).toContain('safetensors has no dtype "F8_E3M4"');
    expect(namesOf(checkpoint, { exclude: ['new'] })).toEqual([['f6']]);
  });

  it('refuses a name that occurs twice, and says what to do', async () => {
    const checkpoint = await opened(header(octets('a', 0, 4), octets('a', 4, 8), octets('b', 8, 9)), 9);
    const { code, message } = codeOf(checkpoint);
    expect(code).toBe('duplicate-name');
    expect(message).toMatch(/"a" occurs 2 times \(#0 in .*, #1 in .*\).*--exclude.*#ID/);
    expect(namesOf(checkpoint, { exclude: ['a'] })).toEqual([['b']]);
  });

  it('writes tied tensors once for each name, and says so', async () => {
    const checkpoint = await opened(header(octets('a', 0, 4), octets('b', 0, 4), octets('c', 4, 5)), 5);
    const plan = planConversion(checkpoint);
    expect(plan.files[0]?.plan.order.map(({ bytes }) => bytes)).toEqual([4, 4, 1]);
    expect(plan.notes).toEqual(['"a", "b" share the same 4 bytes; each got its own copy']);
    expect(planConversion(checkpoint, { exclude: ['b'] }).notes).toEqual([]);
  });

  it('refuses what is no checkpoint, and a list of tensors that is itself damaged', async () => {
    const page = await inspectSource(memorySource(new TextEncoder().encode('<!doctype html><title>x</title>')));
    expect(codeOf(page).code).toBe('unrecognised');
    const broken = await opened(`{${octets('a', 0, 1)},"b":`, 1);
    expect(codeOf(broken, { include: ['a'] })).toMatchObject({
      code: 'header-not-json',
      message: expect.stringContaining('the list of tensors is damaged'),
    });
    expect(codeOf(await inspectSource(memorySource(new Uint8Array(3), 'x.safetensors'))).code).toBe('file-too-short');
  });

  it('refuses a tensor called __metadata__', async () => {
    const checkpoint = await opened(header(floats('__metadata__', 0, 4)), 4);
    if (checkpoint.table.length > 0) {
      expect(codeOf(checkpoint).code).toBe('reserved-name');
    }
  });

  it('takes every tensor once, whatever the limit, and the index says where each is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 40 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 80 }),
        async (sizes, maxShardBytes) => {
          let at = 0;
          const members = sizes.map((size, index) => {
            at += size;
            return octets(`t${index}`, at - size, at);
          });
          const checkpoint = await opened(header(...members), at);
          const { files, index } = planConversion(checkpoint, { maxShardBytes });
          const where = files.flatMap(({ name, plan }) => plan.order.map((tensor) => [tensor.name, name] as const));
          expect(where.map(([name]) => name).toSorted()).toEqual(sizes.map((_, id) => `t${id}`).toSorted());
          expect(index !== undefined).toBe(files.length > 1);
          if (index !== undefined) {
            expect(JSON.parse(index.text)).toEqual({
              metadata: { total_size: at },
              weight_map: Object.fromEntries(where),
            });
          }
        },
      ),
    );
  });
});
