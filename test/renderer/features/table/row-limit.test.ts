import { expect, it } from 'vitest';
import { cutText, ROW, ROW_LIMIT } from '../../../../src/renderer/features/table/row-limit.ts';

it('says that rows are left off only when some are', () => {
  expect(ROW_LIMIT * ROW).toBeLessThan(33_554_400);
  expect(cutText(ROW_LIMIT)).toBeUndefined();
  expect(cutText(ROW_LIMIT + 1)).toMatch(/^The table ends after 1,375,000 of 1,375,001 rows/);
});
