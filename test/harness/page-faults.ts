/** What is wrong with a page for people who use it with a keyboard, a screen reader or a small window. */
import axe from 'axe-core';
import type { Page } from 'playwright-core';

// Texts are run in the page: the project's own types know no browser.
const axeRun = (within: string): string => `(async () => {
  const { violations } = await axe.run(${within}, { resultTypes: ['violations'], preload: false });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' at ' + target.join(' ') + ': ' + failureSummary));
})()`;
const sideways = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const overflows = (one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === 'visible';
  const first = [...document.querySelectorAll('body *')]
    .find((one) => overflows(one) && ![...one.children].some(overflows));
  return ['is ' + (scrollWidth - clientWidth) + ' pixels too wide: ' + first?.outerHTML.slice(0, 150)];
})()`;
const repeatedIds = `
  [...document.querySelectorAll('[id]')]
    .map(({ id }) => id)
    .filter((id, place, all) => all.indexOf(id) !== place)
    .map((id) => 'has the ID ' + id + ' twice')`;
const danglingReferences = `
  ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'].flatMap((name) =>
    [...document.querySelectorAll('[' + name + ']')]
      .flatMap((one) => one.getAttribute(name).split(' '))
      .filter((id) => id && !document.getElementById(id))
      .map((id) => name + ' leads to no ' + id))`;
const headings = `(() => {
  const levels = [...document.querySelectorAll('h1, h2, h3')].map(({ tagName }) => tagName);
  return levels.lastIndexOf('H1') === 0 ? [] : ['has the headings ' + levels.join(' ')];
})()`;
// A word that a line break divides has more than one rectangle. What nobody reads as a word may break.
const brokenWords = `(() => {
  const broken = [];
  const range = document.createRange();
  for (const cell of document.querySelectorAll('td, th')) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { textContent } = texts.currentNode;
      if (/[A-Za-z]{31}/.test(textContent)) continue;
      for (const { 0: word, index } of textContent.matchAll(/[A-Za-z]{2,}/g)) {
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) broken.push('breaks the word ' + word);
      }
    }
  }
  return broken;
})()`;
const foreignMarkup = `
  [...document.querySelectorAll('[onload], [onerror], [href^="javascript:" i], main script, iframe, object, embed')]
    .map((one) => 'has the markup of a text: ' + one.outerHTML.slice(0, 200))`;
// Code, details and what people have typed may have any words; those of the machine are on hover.
const machineWords = `(() => {
  const looksLike = [
    /\\b[a-z]+(\\.[a-z]+)*\\.[a-z]+[A-Z][A-Za-z]*\\b/,
    /(^|[\\s(])[a-z]+(_[a-z]+)+([\\s).,;]|$)/,
    /(^|\\s)\\/[a-z]+(\\/[a-zA-Z0-9]+)+ (is|must)/,
    /\\b20\\d\\d-\\d\\d-\\d\\d(T|\\b)/,
  ];
  const found = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    if (parentElement.closest('pre, code, .mono, .mono-words, [role=option], details')) continue;
    if (looksLike.some((one) => one.test(textContent))) found.push('has words of the machine: ' + textContent.slice(0, 80));
  }
  return found;
})()`;
// On a narrow window: every page can be reached, the head is one line, and cards have no empty lines.
const narrowFrame = `(() => {
  const hidden = [...document.querySelectorAll('nav a')]
    .filter((link) => link.getBoundingClientRect().right > innerWidth)
    .map((link) => 'has the link ' + link.textContent + ' out of view');
  const { height } = document.querySelector('.frame-bar').getBoundingClientRect();
  const empty = [...document.querySelectorAll('.item-table td')]
    .filter((cell) => cell.checkVisibility() && /^–?$/.test(cell.textContent.trim()))
    .filter((cell) => cell.querySelector('img, svg, input') === null)
    .map((cell) => 'has an empty line ' + cell.dataset.name);
  return [...hidden, ...empty, ...(height > 60 ? ['has a head of ' + height + ' pixels'] : [])];
})()`;
const layout = `[...${sideways}, ...${brokenWords}]`;

const hasAxe = `'axe' in window`;

/** Whether a page, as wide as it is now, scrolls sideways or breaks words. */
export const layoutFaultsOf = (page: Page): Promise<string[]> => page.evaluate(layout);

async function violationsOf(page: Page, within: string): Promise<string[]> {
  if (!(await page.evaluate(hasAxe))) await page.evaluate(axe.source);
  return page.evaluate<string[]>(axeRun(within));
}

/** What is wrong with the dialog that is open: violations that axe finds, IDs, references, and its layout. */
export async function dialogFaultsOf(page: Page): Promise<string[]> {
  // It has its name a moment after it is shown.
  const dialog = page.getByRole('dialog', { name: /./ });
  await dialog.waitFor();
  await dialog.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  const violations = await violationsOf(page, `'[role=dialog]'`);
  const others = await page.evaluate<string[]>(
    `[...${repeatedIds}, ...${danglingReferences}, ...${layout}]`,
  );
  return [...violations, ...others];
}

/** What is wrong with a page of staff in a narrow window: links out of view, a head of several lines, empty lines. */
export async function narrowFaultsOf(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 360, height: 900 });
  return page.evaluate(narrowFrame);
}

/** Words of the machine on a page of staff: operations, members, reasons and dates as programs write them. */
export const machineWordsOn = (page: Page): Promise<string[]> => page.evaluate(machineWords);

/**
 * What is wrong with a page as it is now: violations that axe finds, contrast included; IDs, references and
 * headings; its layout; markup that came from a stored text.
 */
export async function faultsOf(page: Page): Promise<string[]> {
  const violations = await violationsOf(page, 'document');
  const others = await page.evaluate<string[]>(
    `[...${repeatedIds}, ...${danglingReferences}, ...${headings}, ...${foreignMarkup}, ...${layout}]`,
  );
  return [...violations, ...others];
}
