import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shellQuote } from '../../src/renderer/features/commands/shell-quote.ts';

it.skipIf(!existsSync('/bin/bash'))('a quoted word comes out of bash as it went in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (text) => {
      fc.pre(!text.includes('\0'));
      expect(execFileSync('/bin/bash', ['-c', `printf %s ${shellQuote(text)}`], { encoding: 'utf8' })).toBe(text);
    }),
    { numRuns: 60 },
  );
});
