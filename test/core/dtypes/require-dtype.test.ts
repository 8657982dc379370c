import { expect, test } from 'vitest';
import { requireDtype } from '../../../src/core/dtypes/require-dtype.ts';
import { LoupeError } from '../../../src/shared/errors.ts';

test('gives the row of a dtype that exists', () => {
  expect(requireDtype('BF16').bits).toBe(16);
});

test('names the dtype that does not exist', () => {
  expect(() => requireDtype('F7"')).toThrow(LoupeError);
  expect(() => requireDtype('F7"')).toThrow(
    expect.objectContaining({ code: 'unknown-dtype', details: { dtype: 'F7"' } }),
  );
});
