import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page, a line for each element. All rules run in the light theme; the dark one has the same elements
 * in other colours, so there the rule about contrast is run alone.
 */
export const violations = async (page: Page, theme: 'light' | 'dark'): Promise<readonly string[]> => {
  const builder = new AxeBuilder({ page });
  const result = await (theme === 'light' ? builder : builder.withRules(['color-contrast'])).analyze();
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};
