import { describe, expect, it } from 'vitest';
import { listZip } from '../../../support/list-zip.ts';
import { type CraftedMember, craftZip, utf8, zipBytes } from '../../../support/zip-bytes.ts';

const PICKLE: CraftedMember = { name: 'archive/data.pkl', content: utf8('cos\nsystem\n.') };
const JUNK: CraftedMember = { name: 'archive/junk', content: utf8('junk') };

describe('overlaps', () => {
  it('two entries for one local header', async () => {
    const { codes, findings } = await listZip(zipBytes(PICKLE, { ...JUNK, central: { header: 0 } }));
    expect(codes).toContain('zip-overlap');
    expect(findings.find(({ code }) => code === 'zip-overlap')?.message).toMatch(
      /shares bytes \[0, \d+\) with member "archive\/data.pkl"/,
    );
  });

  it('a member inside another', async () => {
    const inner = zipBytes(JUNK);
    const { codes } = await listZip(zipBytes({ ...PICKLE, content: inner }, { ...JUNK, central: { header: 46 } }));
    expect(codes).toContain('zip-overlap');
  });

  it('a long member over many: every one is told', async () => {
    const small = ['a', 'b', 'c'].map((name) => ({ name, content: utf8('xy') }));
    const { findings } = await listZip(zipBytes({ ...PICKLE, both: { bytes: 100, compressedBytes: 100 } }, ...small));
    expect(findings.filter(({ code }) => code === 'zip-overlap').length).toBe(3);
  });

  it('with the directory', async () => {
    const { codes, findings } = await listZip(zipBytes({ ...PICKLE, both: { bytes: 30, compressedBytes: 30 } }));
    expect(codes).toEqual(['zip-overlap']);
    expect(findings[0]?.message).toContain('with the directory');
  });

  it('behind the directory', async () => {
    const plain = craftZip({ members: [PICKLE] });
    const tail = zipBytes(JUNK).subarray(0, 46);
    const { codes } = await listZip(
      craftZip({ members: [{ ...PICKLE, central: { header: plain.bytes.length } }], trailing: tail }).bytes,
    );
    expect(codes).toContain('zip-directory-disagrees');
  });
});
