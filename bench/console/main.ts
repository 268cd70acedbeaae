/**
 * Measures the operator's console with many homes: how long each page takes to open, and the longest frame while
 * its calendar scrolls, from a recorded trace.
 */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../test/harness/browser.ts';
import { buildConsoleIfStale } from '../../test/harness/built-console.ts';
import { routesOf } from '../../test/harness/page-routes.ts';
import { type ConsoleSystem, openConsoleSystem } from './console-system.ts';
import { type Scrolled, scrollCalendar } from './scroll-trace.ts';
import { openTimedWindow, type TimedWindow } from './timed-window.ts';

const usage = 'npm run console-speed -- [--homes N] [--stays N] [--opens N] [--trace FILE]';

// They need a secret of their own and have no layout of the console.
const outside = new Set(['/invitation', '/provider']);

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1]!;

/** The address of each page; no call and no delivery is kept of this partner. */
function addressesOf({ system: _, origin: _origin, ...ids }: ConsoleSystem): string[] {
  const values: Readonly<Record<string, string>> = {
    ...ids,
    requestId: randomUUID(),
    deliveryId: randomUUID(),
  };
  const valueOf = (route: string, name: string): string => {
    const value = values[name];
    if (value === undefined) throw new Error(`${route}: no value for ${name}`);
    return encodeURIComponent(value);
  };
  return routesOf('operator')
    .filter((route) => !outside.has(route))
    .map((route) => route.replaceAll(/\$(\w+)/g, (_match, name: string) => valueOf(route, name)));
}

// Until the browser has the files, and the compiled code of the scripts.
const warmUps = 2;

/**
 * In a window of its own: the browser that is measured needs longer with each document that a window has opened. After
 * 150, also of a page without scripts, it needs 90 ms more for any page, before that page's first script.
 */
async function openingTimes(window: TimedWindow, address: string, opens: number): Promise<number> {
  for (let time = 0; time < warmUps; time += 1) await window.open(address);
  const times: number[] = [];
  for (let time = 0; time < opens; time += 1) times.push(await window.open(address));
  return median(times);
}

/** To the first page of each group of the navigation, without loading the document again. */
async function followingTimes(window: TimedWindow, opens: number): Promise<Map<string, number>> {
  const groups = window.page.getByRole('navigation').getByRole('list').first();
  const links = groups.getByRole('link');
  const names = await links.allInnerTexts();
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  await window.follow(names.at(-1)!);
  // The first time only warms up.
  for (let time = 0; time <= opens; time += 1) {
    for (const name of names) {
      const took = await window.follow(name);
      if (time > 0) times.get(name)!.push(took);
    }
  }
  return new Map([...times].map(([name, taken]) => [name, median(taken)]));
}

const ms = (value: number): string => `${Math.round(value)} ms`;

function printScrolled(scrolled: Scrolled): void {
  const { seconds, rows, frames, longestFrameMs, longestTaskMs, longestTaskCpuMs } = scrolled;
  console.log(`\nScrolled over ${rows} rows of the calendar in ${seconds.toFixed(1)} s:`);
  console.log(`  frames drawn        ${frames}`);
  console.log(`  longest frame       ${ms(longestFrameMs)}`);
  console.log(`  longest task        ${ms(longestTaskMs)}, in CPU time ${ms(longestTaskCpuMs)}`);
}

const { values } = parseArgs({
  options: {
    homes: { type: 'string', default: '10000' },
    stays: { type: 'string', default: '200000' },
    opens: { type: 'string', default: '5' },
    trace: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [homes, stays, opens] = [values.homes, values.stays, values.opens].map(Number) as [
  number,
  number,
  number,
];
if (values.help || !(homes >= 1 && stays >= 1 && opens >= 1)) {
  console.error(usage);
  process.exit(values.help ? 0 : 2);
}
buildConsoleIfStale();

/** A window of its own, with a process and a cache that belong to no other measurement. */
async function inWindow<Measured>(
  browser: Browser,
  at: ConsoleSystem,
  measure: (window: TimedWindow) => Promise<Measured>,
): Promise<Measured> {
  const window = await openTimedWindow(browser, at);
  try {
    return await measure(window);
  } finally {
    await window.close();
  }
}

async function measureAll(browser: Browser, at: ConsoleSystem): Promise<void> {
  console.log(
    `${homes} homes, ${stays} stays; medians of ${opens}\n\nOpened by address, files in the browser's cache:`,
  );
  for (const address of addressesOf(at)) {
    const took = await inWindow(browser, at, (window) => openingTimes(window, address, opens));
    console.log(`  ${address.padEnd(52)} ${ms(took)}`);
  }
  console.log('\nFollowed in the navigation:');
  const followed = await inWindow(browser, at, async (window) => {
    await window.open('/');
    return await followingTimes(window, opens);
  });
  for (const [name, took] of followed) console.log(`  ${name.padEnd(52)} ${ms(took)}`);
  const { trace, ...scrolled } = await inWindow(browser, at, async ({ open, page }) => {
    await open('/calendar');
    return await scrollCalendar(browser, page);
  });
  printScrolled(scrolled);
  if (values.trace) await writeFile(values.trace, trace);
}

const at = await openConsoleSystem(homes, stays);
const browser = await openBrowser();
try {
  await measureAll(browser, at);
} finally {
  await browser.close();
  await at.system.close();
}
