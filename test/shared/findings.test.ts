import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countFindings,
  FINDING_RULES,
  type FindingCode,
  finding,
  meansIncomplete,
  SEVERITIES,
  severityOf,
  type Verdict,
  verdictOf,
} from '../../src/shared/findings.ts';

const codes = Object.keys(FINDING_RULES).filter((code): code is FindingCode => code in FINDING_RULES);
const make = (code: FindingCode) => finding(code, code, { file: 'm' });
const VERDICTS: readonly Verdict[] = ['clean', 'warnings', 'incomplete', 'damaged', 'dangerous'];
const rank = (verdict: Verdict): number => VERDICTS.indexOf(verdict);

describe('codes', () => {
  // REQUIREMENTS section 6: the table, row by row.
  const TABLE: Readonly<Record<string, string>> = {
    error:
      'file-too-short header-length-exceeds-file header-not-utf8 header-not-json header-not-object header-over-cap ' +
      'duplicate-name duplicate-key field-missing field-invalid unknown-dtype shape-overflow size-not-whole-bytes ' +
      'size-mismatch offsets-reversed offsets-out-of-range truncated overlap shared-range gap trailing-bytes ' +
      'index-invalid shard-missing shard-name-unsafe index-entry-missing tensor-in-two-shards zip-truncated ' +
      'zip-duplicate-member zip-overlap zip-directory-disagrees zip-crc-mismatch storage-missing ' +
      'storage-size-mismatch tensor-out-of-bounds byteorder-unknown pickle-broken file-changed',
    warning:
      'metadata-not-strings reserved-name tensor-not-in-index stray-file total-size-mismatch shard-outside-folder ' +
      'zip-local-name-differs zip-flags zip-trailing-bytes zip-prefix-bytes pickle-unknown-import pickle-trailing ' +
      'hidden-pickle extension-mismatch has-nan has-infinity',
    incomplete:
      'zip-encrypted zip-unsupported-method zip-bomb not-scanned pickle-limit git-lfs-pointer html-page json-error ' +
      'unrecognised',
    danger:
      'pickle-dangerous-import pickle-computed-import pickle-extension-code pickle-build-on-global pickle-dangerous-call',
    note: 'view-of-larger-storage unreferenced-storage-bytes all-zero constant identical-tensors',
  };

  it.each(Object.entries(TABLE))('of %s are as the requirements list them', (kind, names) => {
    for (const name of names.split(' ')) {
      const code = codes.find((one) => one === name);
      expect(code, name).toBeDefined();
      if (code !== undefined) {
        expect([name, severityOf(code)]).toEqual([name, kind === 'incomplete' ? 'warning' : kind]);
        expect([name, meansIncomplete(code)]).toEqual([name, kind === 'incomplete']);
      }
    }
  });
});

describe('the verdict', () => {
  it.each<readonly [readonly FindingCode[], Verdict]>([
    [[], 'clean'],
    [['constant', 'all-zero'], 'clean'],
    [['has-nan'], 'warnings'],
    [['has-nan', 'not-scanned'], 'incomplete'],
    [['not-scanned', 'has-nan'], 'incomplete'],
    [['unrecognised'], 'incomplete'],
    [['not-scanned', 'gap'], 'damaged'],
    [['gap', 'not-scanned', 'has-nan'], 'damaged'],
    [['gap', 'pickle-dangerous-call', 'not-scanned'], 'dangerous'],
  ])('over %j is %s', (found, verdict) => {
    expect(verdictOf(found.map(make))).toBe(verdict);
  });

  it('is that of the worst finding alone, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...codes), { maxLength: 8 }), (found) => {
        const alone = found.map((code) => rank(verdictOf([make(code)])));
        expect(rank(verdictOf(found.map(make)))).toBe(Math.max(0, ...alone));
        expect(verdictOf(found.toReversed().map(make))).toBe(verdictOf(found.map(make)));
      }),
    );
  });
});

describe('counting', () => {
  it('is by severity', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...codes)), (found) => {
        const counts = countFindings(found.map(make));
        for (const severity of SEVERITIES) {
          expect(counts[severity]).toBe(found.filter((code) => severityOf(code) === severity).length);
        }
      }),
    );
  });
});

describe('a finding', () => {
  it('has its code’s severity and where it was found', () => {
    expect(finding('gap', 'a hole', { file: 'm', tensor: 'a', tensorId: 3, offset: 80 })).toEqual({
      code: 'gap',
      severity: 'error',
      message: 'a hole',
      file: 'm',
      tensor: 'a',
      tensorId: 3,
      offset: 80,
    });
  });
});
