/** What is wrong with a page for people who use it with a keyboard, a screen reader or a small window. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

// Texts are run in the page: the project's own types know no browser.
const axeRun = `(async () => {
  const { violations } = await axe.run(document, { resultTypes: ['violations'] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary));
})()`;
const sideways = `document.documentElement.scrollWidth - document.documentElement.clientWidth`;

/** The violations that axe finds on a page as it is now, contrast included, and whether it scrolls sideways. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<string[]>(axeRun);
  const pixels = await page.evaluate<number>(sideways);
  return [...violations, ...(pixels > 0 ? [`is ${pixels} pixels too wide`] : [])];
}
