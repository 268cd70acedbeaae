/** A window of the console that notes when a page is shown. */
import type { Browser, Page } from 'playwright-core';
import { openConsole } from '../../test/harness/staff-member.ts';
import type { ConsoleSystem } from './console-system.ts';

// A text: the project's own types know no browser. A page is shown when it has its heading and what it reads,
// and that is painted. Without a click, times begin with the navigation.
const timing = `(() => {
  const times = { begin: 0, heading: null, shownAt: null };
  window.consoleTimes = times;
  const isShown = () => {
    const heading = document.querySelector('h1')?.textContent ?? null;
    if (heading === null || heading === times.heading) return false;
    if (document.querySelector('[role=status][aria-label=Loading]')) return false;
    return !document.querySelector('.mc') || document.querySelector('.mc-cell') !== null;
  };
  const look = () => {
    if (!isShown()) times.shownAt = null;
    else if (times.shownAt === null) {
      times.shownAt = Infinity;
      requestAnimationFrame(() => setTimeout(() => {
        if (times.shownAt === Infinity) times.shownAt = performance.now();
      }));
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true });
  addEventListener('click', () => {
    Object.assign(times, {
      begin: performance.now(),
      heading: document.querySelector('h1')?.textContent ?? null,
      shownAt: null,
    });
  }, true);
})()`;

const shownAfter = `consoleTimes.shownAt === null ? NaN : consoleTimes.shownAt - consoleTimes.begin`;

/** A window in which a member of staff is signed in. */
export interface TimedWindow {
  page: Page;
  /** Opens the page at this address. Returns after how many milliseconds it was shown. */
  open(address: string): Promise<number>;
  /** Follows a link of the navigation. Returns the same. */
  follow(name: string): Promise<number>;
  close(): Promise<void>;
}

async function shown(page: Page): Promise<number> {
  await page.waitForLoadState('networkidle');
  for (;;) {
    const after = await page.evaluate<number>(shownAfter);
    if (Number.isFinite(after)) return after;
    await page.waitForTimeout(20);
  }
}

/** Opens a window. */
export async function openTimedWindow(
  browser: Browser,
  { system, origin }: Pick<ConsoleSystem, 'system' | 'origin'>,
): Promise<TimedWindow> {
  const { page, close } = await openConsole(
    browser,
    { origin, database: system.database },
    'administrator',
    { viewport: { width: 1_440, height: 900 }, readsAhead: true },
  );
  await page.addInitScript(timing);
  return {
    page,
    async open(address) {
      await page.goto(`${origin}/operator${address}`);
      return shown(page);
    },
    async follow(name) {
      await page.getByRole('link', { name, exact: true }).click();
      return shown(page);
    },
    close,
  };
}
