import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/**
 * What axe finds on a page, a line for each element. All rules run in the light theme; the dark one has the same elements
 * in other colours, so there the rule about contrast is run alone.
 */
export const violations = async (page: Page, theme: 'light' | 'dark'): Promise<readonly string[]> => {
  const builder = new AxeBuilder({ page })
    // Selectors of the thousands of elements that passed would take most of the time.
    .options({ resultTypes: ['violations'], ...(theme === 'light' ? {} : { runOnly: ['color-contrast'] }) })
    // The other mode is for frames of other origins, of which there are none; it opens a page more for each run.
    .setLegacyMode();
  const result = await builder.analyze();
  return result.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
};
