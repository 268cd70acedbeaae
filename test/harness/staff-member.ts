/** Members of staff who sign in, by the API or in a browser. */
import assert from 'node:assert/strict';
import { argon2Sync, randomUUID } from 'node:crypto';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Role } from '../../src/contract/operator/roles.ts';
import { goInside, observe, type Observed } from './browser.ts';
import { type Operator, operatorWith } from './operator.ts';
import { sql } from './rows.ts';
import type { TestService } from './service.ts';

/** The password of the members that tests make. */
export const staffPassword = 'a long enough password';

/** A hash with parameters that cost nothing: the service takes them from the hash. */
function cheapHash(password: string): string {
  const nonce = Buffer.alloc(16);
  const parameters = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 };
  const tag = argon2Sync('argon2id', { message: Buffer.from(password), nonce, ...parameters });
  return `$argon2id$v=19$m=8,t=1,p=1$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
}

/** Stores an active member of staff. Returns its address. */
export async function addMember(
  { database }: Pick<TestService, 'database'>,
  role: Role = 'administrator',
): Promise<string> {
  const email = `${role}-${randomUUID().slice(0, 8)}@staff.example`;
  const text = 'INSERT INTO staff_members (email, role, password_hash) VALUES ($1, $2, $3)';
  await sql(database, text, [email, role, cheapHash(staffPassword)]);
  return email;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a secret in base32. */
export function decodedSecret(secret: string): Buffer {
  const bits = Array.from(secret, (one) => alphabet.indexOf(one).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The cookie that a response sets, as a browser sends it. */
export const cookieOf = (headers: Headers): string =>
  (headers.get('set-cookie') ?? '').split(';', 1)[0]!;

/** A caller with the cookie of a session. */
export const withCookie = (
  service: Pick<TestService, 'origin'>,
  name: string,
  cookie: string,
): Operator => operatorWith(service, name, cookie === '' ? {} : { cookie });

/** A member of staff who is signed in. */
export interface SignedIn {
  email: string;
  cookie: string;
  operator: Operator;
}

/** Signs a member in: a new one, if none is named. */
export async function signedIn(
  service: Pick<TestService, 'origin' | 'database'>,
  role: Role = 'administrator',
  member?: string,
): Promise<SignedIn> {
  const email = member ?? (await addMember(service, role));
  const body = { email, password: staffPassword };
  const { status, headers } = await operatorWith(service, '', {}).send('operator.session.begin', {
    body,
  });
  assert.equal(status, 201);
  const cookie = cookieOf(headers);
  return { email, cookie, operator: withCookie(service, `staff ${email}`, cookie) };
}

/** A window of the console. */
export interface ConsoleUser {
  email: string;
  page: Page;
  observed: Observed;
  /**
   * Goes to a page by its path below `/operator`, such as `/audit`: as a link does, if the console is open and
   * shows another heading; by the address, otherwise.
   */
  go(path: string, heading: string): Promise<void>;
  close(): Promise<void>;
}

// Run in the page: the project's own types know no browser.
const saveData = `Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`;

/**
 * Opens a window of its own in which a member of staff is signed in. With `readsAhead`, it reads the code of the
 * pages that are not open, which takes longer than most tests.
 */
export async function openConsole(
  browser: Browser,
  service: Pick<TestService, 'origin' | 'database'>,
  role: Role = 'administrator',
  { readsAhead = false, ...options }: BrowserContextOptions & { readsAhead?: boolean } = {},
): Promise<ConsoleUser> {
  const { email, cookie } = await signedIn(service, role);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  if (!readsAhead) await context.addInitScript(saveData);
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([
    { name, value, domain: '127.0.0.1', path: '/operator', httpOnly: true, sameSite: 'Strict' },
  ]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return {
    email,
    page,
    observed: observe(page),
    async go(path, heading) {
      const address = `/operator${path}`;
      const shown = page.getByRole('heading', { level: 1, name: heading, exact: true });
      const isOpen = page.url().startsWith(`${service.origin}/operator`);
      if (isOpen && (await shown.count()) === 0) await goInside(page, address);
      else await page.goto(`${service.origin}${address}`);
      await shown.waitFor();
    },
    close: () => context.close(),
  };
}
