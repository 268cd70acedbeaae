/** Signing in with an OpenID provider: a real one, on this machine. */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
// @ts-expect-error -- the package has no types
import OpenIdProvider from 'oidc-provider';
import { pino } from 'pino';
import { isRefusal } from '../../src/contract/errors.ts';
import { logOptions } from '../../src/platform/log.ts';
import { openBrowser } from '../harness/browser.ts';
import { openProvider } from '../../src/sign-in/index.ts';
import { buildConsoleIfStale } from '../harness/built-console.ts';
import { operatorWith } from '../harness/operator.ts';
import { sql } from '../harness/rows.ts';
import { freePort } from '../harness/free-port.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addMember, cookieOf, withCookie } from '../harness/staff-member.ts';

// The provider sends the browser back to it.
const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const redirectUri = `${baseUrl}/operator/provider`;

interface ProviderApp {
  callback(): Parameters<typeof createServer>[1];
}
type MakeProvider = new (issuer: string, settings: object) => ProviderApp;

/** A provider in which everybody has a verified address, except those who are named otherwise. */
async function startProvider(): Promise<{ issuer: string; server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new (OpenIdProvider as MakeProvider)(issuer, {
    clients: [
      {
        client_id: 'latchkey',
        client_secret: 'a secret of the client',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for cookies'] },
    findAccount: (_context: unknown, email: string) => ({
      accountId: email,
      claims: () => ({ sub: email, email, email_verified: !email.startsWith('unverified') }),
    }),
  });
  server.on('request', provider.callback()!);
  return { issuer, server };
}

/** Signs in at the provider as a browser would. Returns the query with which it comes back. */
async function answerOf(url: string, email: string): Promise<string> {
  const cookies = new Map<string, string>();
  const visit = async (address: string, form?: Record<string, string>): Promise<string> => {
    const response = await fetch(address, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const next = response.headers.get('location');
    assert.ok(next, `${address} ${response.status} ${await response.text()}`);
    return new URL(next, address).href;
  };
  const login = await visit(url);
  const consent = await visit(await visit(login, { prompt: 'login', login: email, password: 'x' }));
  const back = await visit(await visit(consent, { prompt: 'consent' }));
  assert.ok(back.startsWith(redirectUri), back);
  return new URL(back).search.slice(1);
}

suite('an OpenID provider', () => {
  let service: TestService;
  let server: Server;
  let issuer: string;
  before(async () => {
    ({ issuer, server } = await startProvider());
    const env = {
      BASE_URL: baseUrl,
      LATCHKEY_OIDC_ISSUER: issuer,
      LATCHKEY_OIDC_CLIENT_ID: 'latchkey',
      LATCHKEY_OIDC_CLIENT_SECRET: 'a secret of the client',
    };
    service = await startTestService(env, { port });
  });
  after(async () => {
    await service?.stop();
    server?.closeAllConnections();
    server?.close();
  });

  const anybody = () => operatorWith(service, '', {});
  const begin = () => anybody().done('operator.provider.begin', { body: {} });
  const complete = (query: string, pending: string) =>
    anybody().send('operator.provider.complete', { body: { query, pending } });

  test('signs in a member by the verified address, once for each answer', async () => {
    const email = await addMember(service, 'viewer');
    const { provider } = await anybody().done('operator.signIn.options');
    assert.match(provider ?? '', /^127\.0\.0\.1:/);
    const { url, pending } = await begin();
    assert.match(url, /code_challenge_method=S256/);
    const query = await answerOf(url, email.toUpperCase());
    const { status, headers } = await complete(query, pending);
    assert.equal(status, 201);
    const session = await withCookie(service, '', cookieOf(headers)).done('operator.session.get');
    assert.equal(session.email, email);
    assert.equal((await complete(query, pending)).status, 401);
  });

  test('401 unauthenticated › the provider does not say when somebody proved who they are', async () => {
    const email = await addMember(service, 'viewer');
    const { url, pending } = await begin();
    const asked = new URL(url);
    assert.equal(asked.searchParams.get('prompt'), 'login');
    assert.equal(asked.searchParams.get('max_age'), '600');
    // As a browser could change it: then the ID token has no `auth_time`.
    asked.searchParams.delete('prompt');
    asked.searchParams.delete('max_age');
    assert.equal((await complete(await answerOf(asked.href, email), pending)).status, 401);
  });

  test('401 unauthenticated › no member, a disabled one, an address that is not verified', async () => {
    const disabled = await addMember(service);
    const text = 'UPDATE staff_members SET disabled_at = now() WHERE email = $1';
    await sql(service.database, text, [disabled]);
    const unverified = 'unverified@staff.example';
    const insert = `INSERT INTO staff_members (email, role) VALUES ($1, 'viewer')`;
    await sql(service.database, insert, [unverified]);
    for (const email of ['nobody@staff.example', disabled, unverified]) {
      const { url, pending } = await begin();
      assert.equal((await complete(await answerOf(url, email), pending)).status, 401, email);
    }
    const failures = await sql<{ failed: string }>(
      service.database,
      `SELECT actor || ': ' || (details ->> 'reason') AS failed FROM audit_entries
        WHERE action = 'staff.sign-in.fail' ORDER BY entry_id DESC LIMIT 3`,
    );
    assert.deepEqual(failures.map(({ failed }) => failed).toReversed(), [
      'unknown account: provider',
      `staff ${disabled}: disabled`,
      'unknown account: provider',
    ]);
  });

  test('401 unauthenticated › the answer of another beginning, none, or a changed one', async () => {
    const email = await addMember(service);
    const [own, other] = [await begin(), await begin()];
    const query = await answerOf(own.url, email);
    assert.equal((await complete(query, other.pending)).status, 401);
    assert.equal((await complete(query, 'AAAA')).status, 401);
    assert.equal((await complete('', own.pending)).status, 401);
    assert.equal((await complete('error=access_denied', own.pending)).status, 401);
  });

  test('in a browser: signs in with the provider; a step-up needs a new sign-in', async () => {
    const email = await addMember(service);
    const withoutPassword = 'UPDATE staff_members SET password_hash = NULL WHERE email = $1';
    await sql(service.database, withoutPassword, [email]);
    buildConsoleIfStale();
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`${service.origin}/operator/staff`);
      await page.getByRole('button', { name: /^Sign in with 127/ }).click();
      await page.locator('input[name=login]').fill(email);
      await page.locator('input[name=password]').fill('x');
      await page.locator('[type=submit]').click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      assert.equal(new URL(page.url()).search, '');
      const late = `UPDATE staff_sessions SET confirmed_at = now() - interval '1 hour'
        WHERE staff_id = (SELECT staff_id FROM staff_members WHERE email = $1)`;
      await sql(service.database, late, [email]);
      await page.getByRole('link', { name: 'Admin', exact: true }).click();
      await page.getByRole('link', { name: 'Staff', exact: true }).click();
      await page.getByLabel('Email').fill('grace@staff.example');
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').getByText('Sign out and sign in again').waitFor();
    } finally {
      await browser.close();
    }
  });

  test('401 unauthenticated › a wrong client secret; the log names it, without the secret', async () => {
    const lines: { details: object; message: string }[] = [];
    const warn = (details: object, message: string) => void lines.push({ details, message });
    const settings = { issuer: new URL(issuer), clientId: 'latchkey', clientSecret: 'a wrong one' };
    const { vault } = service.database;
    const provider = await openProvider(settings, vault, baseUrl, { warn });
    const { url, pending } = await provider.begin();
    const answer = await answerOf(url, await addMember(service));
    assert.ok(isRefusal(await provider.emailOf(answer, pending)));
    const [line] = lines;
    assert.equal(lines.length, 1);
    assert.equal(line?.message, 'sign-in at the provider failed');
    assert.partialDeepStrictEqual(line?.details, { oauthError: 'invalid_client' });
    const logged: string[] = [];
    const log = pino(logOptions('warn'), { write: (text: string) => void logged.push(text) });
    log.warn(line?.details, line?.message);
    assert.doesNotMatch(logged.join(), new RegExp(`a wrong one|${answer}`));
  });

  test('503 unavailable › the provider does not answer for the token, or fails', async () => {
    const email = await addMember(service);
    const own = server.listeners('request')[0] as RequestListener;
    const failures: RequestListener[] = [
      (request) => request.socket.destroy(),
      (_request, response) => void response.writeHead(502).end(),
    ];
    for (const fail of failures) {
      const { url, pending } = await begin();
      const query = await answerOf(url, email);
      server.removeAllListeners('request');
      server.on('request', (request, response) =>
        (request.url === '/token' ? fail : own)(request, response),
      );
      const { status } = await complete(query, pending);
      server.removeAllListeners('request');
      server.on('request', own);
      assert.equal(status, 503);
    }
  });

  test('503 unavailable › the provider does not answer', async () => {
    const away = await startTestService({
      LATCHKEY_OIDC_ISSUER: 'http://127.0.0.1:9',
      LATCHKEY_OIDC_CLIENT_ID: 'latchkey',
      LATCHKEY_OIDC_CLIENT_SECRET: 'x',
    });
    try {
      const refusal = await operatorWith(away, '', {}).refused('operator.provider.begin', {
        body: {},
      });
      assert.equal(refusal.status, 503);
    } finally {
      await away.stop();
    }
  });
});
