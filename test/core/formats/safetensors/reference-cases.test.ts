/** Headers that the reference implementation has judged (test/oracle/make.py), against what this program makes of them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { naiveRefusal } from '../../../../fuzz/naive-check.mjs';
import { MAX_NESTING } from '../../../../src/core/formats/safetensors/json-cursor.ts';
import { type Inspected, inspectBytes } from '../../../support/inspect-bytes.ts';

interface ReferenceCase {
  readonly group: string;
  readonly name: string;
  readonly file_base64: string;
  /** Whether the reference opens it. */
  readonly accepted: boolean;
  readonly tensors: readonly string[];
  readonly error: string | null;
  /** How this program's answer must relate to the reference's (test/oracle/header_cases.py). */
  readonly ours: 'same' | 'stricter' | 'milder' | 'either';
}

interface ReferenceCases {
  readonly deepestIgnoredField: { readonly arrays: number; readonly objects: number };
  readonly cases: readonly ReferenceCase[];
}

const { cases, deepestIgnoredField }: ReferenceCases = JSON.parse(
  readFileSync(new URL('../../../fixtures/oracle/json-cases.json', import.meta.url), 'utf8'),
);

/** Whether nothing is reported that a strict reader refuses. */
const strictlyAccepted = ({ findings, content }: Inspected): boolean =>
  content.format === 'safetensors' &&
  findings.every(
    ({ code, severity }) => severity !== 'error' && code !== 'metadata-not-strings' && code !== 'reserved-name',
  );

it('there are hundreds of cases, of both kinds', () => {
  expect(cases.filter(({ accepted }) => accepted).length).toBeGreaterThan(100);
  expect(cases.filter(({ accepted }) => !accepted).length).toBeGreaterThan(100);
});

it('nesting ends where the reference ends it', () => {
  // The header and the entry are two levels around the field.
  expect(MAX_NESTING).toBe(deepestIgnoredField.arrays + 2);
  expect(MAX_NESTING).toBe(deepestIgnoredField.objects + 2);
});

describe.each(cases)('$group: $name', ({ file_base64, accepted, tensors, ours }) => {
  const bytes = Uint8Array.from(Buffer.from(file_base64, 'base64'));

  it(`the reference ${accepted ? 'accepts' : 'refuses'} it; ours: ${ours}`, async () => {
    const inspected = await inspectBytes(bytes);
    const names = new Set(inspected.rows.map(({ name }) => name));
    if (accepted) {
      // Every tensor the reference shows is shown.
      expect([...names]).toEqual(expect.arrayContaining([...tensors]));
    }
    if (strictlyAccepted(inspected)) {
      expect(accepted).toBe(true);
      expect([...names].toSorted()).toEqual([...tensors].toSorted());
    }
    switch (ours) {
      case 'same':
        expect(strictlyAccepted(inspected)).toBe(accepted);
        break;
      case 'stricter':
        expect(accepted).toBe(true);
        expect(inspected.verdict).toBe('damaged');
        break;
      case 'milder':
        expect(accepted).toBe(false);
        expect(inspected.verdict).toBe('warnings');
        expect(inspected.readable.length).toBeGreaterThan(0);
        break;
      case 'either':
        break;
    }
  });

  it('the independent reader of the fuzz harness agrees', async () => {
    expect(naiveRefusal(bytes) === undefined).toBe(strictlyAccepted(await inspectBytes(bytes)));
  });
});
