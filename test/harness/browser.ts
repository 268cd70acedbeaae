/** A real browser. */
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser, type Page, type Request } from 'playwright-core';
import { browserProgram } from './browser-program.ts';

// Its own rules in force, one process a page, made as a copy of one that is ready.
const unwanted = new Set([
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--single-process',
  '--no-zygote',
]);

// The pages use no 3D graphics, and drawing them in software costs more than the rest.
chromium.setGraphicsMode = false;

// In the locale of POSIX, the browser's search for a text finds nothing.
const locale = { LC_ALL: 'en_US.UTF-8' };

/** Starts the browser that the tests bring. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await browserProgram();
  const args = chromium.args.filter((argument) => !unwanted.has(argument));
  return playwright.launch({
    executablePath,
    args,
    headless: true,
    env: { ...process.env, ...locale },
  });
}

/** What a page asked for, and what the browser complained of: errors, refused calls, violations of the policy. */
export interface Observed {
  requested: string[];
  complaints: string[];
  /** What it waits for. */
  waiting: Set<Request>;
}

/** Watches a page from now on. */
export function observe(page: Page): Observed {
  const observed: Observed = { requested: [], complaints: [], waiting: new Set() };
  page.on('request', (request) => {
    observed.requested.push(request.url());
    observed.waiting.add(request);
  });
  page.on('requestfinished', (request) => observed.waiting.delete(request));
  page.on('requestfailed', (request) => observed.waiting.delete(request));
  page.on('pageerror', (error) => observed.complaints.push(error.message));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    observed.complaints.push(`${message.text()} (${message.location().url})`);
  });
  return observed;
}

/** Goes to a page of the document that is open, as a link does, without loading the document again. */
export const goInside = (page: Page, address: string): Promise<void> =>
  page.evaluate(`history.pushState(null, '', ${JSON.stringify(address)})`);

/** What was asked of anybody but the service. */
export const askedElsewhere = ({ requested }: Observed, origin: string): string[] =>
  requested.filter((url) => !url.startsWith('data:') && new URL(url).origin !== origin);
