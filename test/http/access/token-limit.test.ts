import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Credentials } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { askToken, exchange, inForm, type TokenResponse } from '../../harness/token-endpoint.ts';

const perApplication = 30;
const wrongPerAddress = 10;
const perAddress = 60;
/** What flows back while a test runs: one in one, two or six seconds. */
const slack = 3;

suite('token › 429 rate_limited', () => {
  let service: TestService;
  before(async () => {
    // Behind a proxy that says where a request came from.
    service = await startTestService({
      LATCHKEY_ROLES: 'api',
      LATCHKEY_TRUSTED_PROXY: '127.0.0.1',
    });
  });
  after(() => service.stop());

  const many = (count: number, ask: (nth: number) => Promise<TokenResponse>) =>
    Promise.all(Array.from({ length: count }, (_, nth) => ask(nth)));

  const countOf = (responses: TokenResponse[], status: number): number =>
    responses.filter((response) => response.status === status).length;

  /** A token request with these credentials, as if it came from this address. */
  const from = (address: string, credentials: Credentials, form: Record<string, string> = {}) =>
    askToken(service.origin, {
      form: { grant_type: 'client_credentials', ...inForm(credentials), ...form },
      headers: { 'x-forwarded-for': address },
    });

  const wrongFrom = (address: string, credentials: Credentials) =>
    from(address, credentials, { client_secret: 'lk_wrong' });

  const tooMany = (credentials: Credentials) =>
    many(perApplication + 2 * slack, () => exchange(service.origin, credentials));

  const unknownFrom = (address: string, form: Record<string, string> = {}) =>
    askToken(service.origin, {
      form: {
        grant_type: 'client_credentials',
        client_id: randomUUID(),
        client_secret: 'lk_wrong',
        ...form,
      },
      headers: { 'x-forwarded-for': address },
    });

  function assertLimited(responses: TokenResponse[]): void {
    const limited = responses.filter(({ status }) => status === 429);
    assert.ok(limited.length > 0, 'none was refused');
    for (const response of limited) {
      assert.equal(response.error, 'rate_limited');
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9][0-9]*$/);
    }
  }

  // Spec: ACCESS-6.
  test(`an application gets ${perApplication} a minute`, async () => {
    const { credentials } = await service.partner();
    const responses = await tooMany(credentials);
    const taken = countOf(responses, 200);
    assert.ok(taken >= perApplication && taken <= perApplication + slack, `${taken} were taken`);
    assertLimited(responses);
  });

  test('counts the addresses of an application together', async () => {
    const { credentials } = await service.partner();
    assertLimited(
      await many(perApplication + 2 * slack, (nth) => from(`192.0.2.${nth + 100}`, credentials)),
    );
  });

  test(`wrong secrets get ${wrongPerAddress} a minute for each application and address`, async () => {
    const { credentials } = await service.partner();
    const { credentials: other } = await service.partner();
    const responses = await many(wrongPerAddress + 2 * slack, () =>
      wrongFrom('198.51.100.1', credentials),
    );
    const refused = countOf(responses, 401);
    assert.ok(
      refused >= wrongPerAddress && refused <= wrongPerAddress + slack,
      `${refused} were refused as wrong`,
    );
    assertLimited(responses);
    const waits = responses.flatMap(({ headers }) => Number(headers.get('retry-after')) || []);
    assert.ok(Math.max(...waits) <= 6, 'one comes back every six seconds');
    assert.equal((await wrongFrom('198.51.100.2', credentials)).status, 401);
    assert.equal((await wrongFrom('198.51.100.1', other)).status, 401);
  });

  test('wrong secrets consume none of the limit of correct ones, at any address', async () => {
    const { credentials } = await service.partner();
    const attack = () =>
      many(perApplication + perAddress, () => wrongFrom('198.51.100.3', credentials));
    assertLimited(await attack());
    const right = await many(perApplication, (nth) =>
      from(nth % 2 === 0 ? '198.51.100.3' : '198.51.100.4', credentials),
    );
    assert.equal(countOf(right, 200), perApplication);
  });

  test('correct secrets consume none of the limit of wrong ones', async () => {
    const { credentials } = await service.partner();
    assertLimited(await tooMany(credentials));
    assert.equal((await wrongFrom('198.51.100.5', credentials)).status, 401);
  });

  test('counts calls that are refused for their grant_type, scope or resource', async () => {
    for (const form of [
      { grant_type: 'password' },
      { scope: 'openid' },
      { resource: 'https://x' },
    ]) {
      const { credentials } = await service.partner();
      const asked = () => exchange(service.origin, credentials, form);
      assertLimited(await many(perApplication + 2 * slack, asked));
    }
  });

  test('refills: one more request after Retry-After', async () => {
    const { credentials } = await service.partner();
    const responses = await tooMany(credentials);
    const waits = responses.flatMap(({ headers }) => Number(headers.get('retry-after')) || []);
    assert.ok(Math.max(...waits) <= 2, 'one comes back every two seconds');
    await sleep(Math.max(...waits) * 1000);
    assert.equal((await exchange(service.origin, credentials)).status, 200);
  });

  test('one application does not use up the limit of another', async () => {
    const { credentials } = await service.partner();
    const other = await service.partner();
    assertLimited(await tooMany(credentials));
    assert.equal((await exchange(service.origin, other.credentials)).status, 200);
  });

  test('is shared by the keys and the spellings of an application', async () => {
    const { credentials } = await service.partner();
    const shouted = { ...credentials, applicationId: credentials.applicationId.toUpperCase() };
    assertLimited(await tooMany(credentials));
    assertLimited(await many(slack, () => exchange(service.origin, shouted)));
  });

  test(`unknown clients get ${perAddress} a minute for each address`, async () => {
    const responses = await many(perAddress + 3 * slack, () => unknownFrom('192.0.2.1'));
    const refused = countOf(responses, 401);
    assert.ok(
      refused >= perAddress && refused <= perAddress + 2 * slack,
      `${refused} were looked at`,
    );
    assertLimited(responses);
    assert.equal((await unknownFrom('192.0.2.2')).status, 401);
  });

  test('unknown clients do not use up the limit of a known one at the same address', async () => {
    const { credentials } = await service.partner();
    // This process has seen it once; how long ago does not matter.
    assert.equal((await exchange(service.origin, credentials)).status, 200);
    assertLimited(await many(perAddress + 3 * slack, () => unknownFrom('192.0.2.3')));
    assert.equal((await from('192.0.2.3', credentials)).status, 200);
  });

  test('a client that this process sees for the first time does not count as unknown', async () => {
    for (let nth = 0; nth < perAddress + 2 * slack; nth += 1) {
      const { credentials } = await service.partner();
      assert.equal((await from('192.0.2.5', credentials)).status, 200, `client ${nth}`);
    }
  });

  // Spec: ACCESS-6.
  test('an ID that does not exist has the limits of one that does: nobody learns which do', async () => {
    const { credentials } = await service.partner();
    const statusesOf = async (network: string, client_id: string) => {
      const responses: TokenResponse[] = [];
      for (let nth = 0; nth < wrongPerAddress + slack; nth += 1) {
        responses.push(await unknownFrom(network, { client_id }));
      }
      return responses.map(({ status }) => status);
    };
    const ofUnknown = await statusesOf('192.0.2.6', randomUUID());
    const ofKnown = await statusesOf('192.0.2.7', credentials.applicationId);
    for (const statuses of [ofUnknown, ofKnown]) {
      const first = statuses.indexOf(429);
      assert.ok(first >= wrongPerAddress && first <= wrongPerAddress + slack, `${first}`);
    }
  });

  test('wrong secrets of IDs that exist count for their address as those of others do', async () => {
    const known = await Promise.all(Array.from({ length: 8 }, () => service.partner()));
    const responses = await many(perAddress + 3 * slack, (nth) =>
      wrongFrom('192.0.2.8', known[nth % known.length]!.credentials),
    );
    assertLimited(responses);
    assert.ok(countOf(responses, 401) <= perAddress + 2 * slack);
  });

  test('an ID that is no UUID counts as an unknown client', async () => {
    const asked = () => unknownFrom('192.0.2.4', { client_id: 'nobody' });
    assertLimited(await many(perAddress + 3 * slack, asked));
  });
});
