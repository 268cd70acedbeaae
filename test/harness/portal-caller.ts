/** A partner that manages its webhooks in a browser. */
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { newLink } from './portal.ts';
import { observe, type Observed } from './browser.ts';
import type { Partner } from './partner.ts';
import type { TestService } from './service.ts';

/** A page of the portal, as its navigation names it. */
export type PortalPage =
  | 'Endpoints'
  | 'Deliveries'
  | 'Events'
  | 'Requests'
  | 'Bookings'
  | 'Statement'
  | 'Access'
  | 'Verify'
  | 'Sandbox'
  | 'Conformance';

export interface PortalUser {
  page: Page;
  observed: Observed;
  /** The dialog that is open. */
  dialog: Locator;
  /** Opens a new link for the partner. */
  enter(): Promise<void>;
  /** Goes to a page by the navigation. */
  go(to: PortalPage): Promise<void>;
  close(): Promise<void>;
}

/** The address that opens the portal for a partner, on the service's own socket. */
export const linkAddress = async (service: TestService, partner: Partner): Promise<string> =>
  `${service.origin}/portal#link=${await newLink(service, partner)}`;

/** Opens a window of its own, with its own cookies. */
export async function openPortalCaller(
  browser: Browser,
  service: TestService,
  partner: Partner,
  options: BrowserContextOptions = {},
): Promise<PortalUser> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const heading = (name: string) => page.getByRole('heading', { level: 1, name });
  return {
    page,
    observed: observe(page),
    dialog: page.getByRole('dialog'),
    enter: async () => {
      await page.goto(await linkAddress(service, partner));
      await heading('Endpoints').waitFor();
    },
    go: async (to) => {
      await page.getByRole('navigation').getByRole('link', { name: to, exact: true }).click();
      await heading(to).waitFor();
    },
    close: () => context.close(),
  };
}
