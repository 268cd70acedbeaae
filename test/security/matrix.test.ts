import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { mintKey } from '../../src/access/application-key.ts';
import { operationIds, rowOf, type OperationId } from '../../src/contract/partner/operations.ts';
import {
  capabilities,
  scopes,
  scopesOf,
  type Capability,
  type Scope,
} from '../../src/contract/scopes.ts';
import { insertKey, revokeKey } from '../../src/access/store/application-keys.ts';
import { openTestWorker } from '../harness/test-worker.ts';
import { eventually } from '../harness/eventually.ts';
import { assertError, begin, type Journey } from '../harness/journey.ts';
import type { CallError, CallInput, CallReply, Partner } from '../harness/partner.ts';
import { aged } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { exchange } from '../harness/token-endpoint.ts';
import { ownCalls, type OwnCall } from './successful-calls.ts';
import { unknownCallers } from './callers.ts';

const capabilityOf = (scope: Scope): Capability =>
  capabilities.find((name) => (scopesOf[name] as readonly string[]).includes(scope))!;

/** The calls left in the tier, from the headers of the response. */
const remaining = ({ headers }: { headers: Headers }): number =>
  Number(/;r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]);

suite('who may do what', () => {
  let service: TestService;
  let calls: Record<OperationId, OwnCall>;
  let journey: Journey;
  let other: Journey;
  let expired: Journey;
  const authorizations = new Map<string, string | null>();
  const ungranted = new Map<Capability, string>();
  const narrowed = new Map<string, Promise<string>>();
  const ofRevokedKey = new Map<Partner, string>();

  /** A token of a second key, which is then revoked. */
  async function revokedKeyToken(partner: Partner): Promise<string> {
    const { credentials } = partner;
    const { keyId, applicationKey, digest } = mintKey('simulation');
    const { applicationId } = credentials;
    await insertKey(service.database, { keyId, applicationId, digest, lifetimeSeconds: 3600 });
    const second = { ...credentials, keyId, applicationKey };
    const { accessToken = '' } = await exchange(service.origin, second);
    await revokeKey(service.database, keyId);
    const { error } = await exchange(service.origin, second);
    assert.equal(error, 'invalid_client');
    // A process knows it within seconds.
    await eventually(async () => {
      const { status } = await partner.call('distribution.site.get', { token: accessToken });
      return status === 401;
    }, 10_000);
    return accessToken;
  }

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    const testWorker = await openTestWorker(service.database);
    const owners = {
      card: await service.partner({ settlement: 'card' }),
      settled: await service.partner(),
    };
    calls = await ownCalls(owners, testWorker);
    const situation = { service, partner: await service.partner() };
    for (const [name, authorization] of Object.entries(unknownCallers)) {
      authorizations.set(name, await authorization(situation));
    }
    for (const capability of capabilities) {
      const grants = capabilities.filter((granted) => granted !== capability);
      ungranted.set(capability, await (await service.partner({ grants })).token());
    }
    for (const owner of Object.values(owners))
      ofRevokedKey.set(owner, await revokedKeyToken(owner));
    [journey, other, expired] = [
      await begin(owners.card),
      await begin(owners.card),
      await begin(owners.card),
    ];
    await aged.session(service.database, expired.checkoutId);
  });
  after(() => service.stop());

  /** A token of the caller's own, for these scopes alone; made once. */
  function narrowedToken({ credentials }: Partner, asked: readonly Scope[]): Promise<string> {
    const scope = asked.join(' ');
    const key = `${credentials.applicationId} ${scope}`;
    const made =
      narrowed.get(key) ??
      exchange(service.origin, credentials, { scope }).then(({ accessToken = '' }) => accessToken);
    narrowed.set(key, made);
    return made;
  }

  const refused = (id: OperationId, more: CallInput<OperationId>): Promise<CallError> =>
    calls[id].partner.refused(id, { ...calls[id].input, ...more });

  async function succeeds(id: OperationId, token: string): Promise<CallReply> {
    const { partner, input } = calls[id];
    const reply = await partner.call(id, { ...input, token });
    assert.ok(Object.keys(rowOf(id).reply).includes(String(reply.status)), reply.text);
    return reply;
  }

  /** Refused because of a missing scope: quota headers, but no quota consumed. */
  async function refusedForScope(id: OperationId, token: string): Promise<void> {
    const first = await refused(id, { token });
    const second = await refused(id, { token });
    for (const error of [first, second]) {
      assertError(error, [403, 'forbidden', 'scope']);
      assert.match(error.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/);
      assert.ok(error.headers.get('ratelimit-policy'));
    }
    assert.ok(remaining(second) >= remaining(first), 'a call without the grant uses no quota');
  }

  for (const id of operationIds) {
    const { scope } = rowOf(id);

    for (const name of Object.keys(unknownCallers)) {
      test(`${id} › ${name} › 401 unauthenticated`, async () => {
        const authorization = authorizations.get(name) ?? null;
        const headers = authorization === null ? {} : { authorization };
        const error = await refused(id, { token: null, headers });
        assert.deepEqual([error.status, error.code], [401, 'unauthenticated']);
        const { reason } = error.details as { reason: string };
        assert.equal(reason === 'missing', authorization === null);
        const challenge = 'Bearer realm="latchkey"';
        const expected = authorization === null ? challenge : `${challenge}, error="invalid_token"`;
        const given = error.headers.get('www-authenticate');
        assert.equal(given?.replace(/, error_description="[^"]+"$/, ''), expected);
        assert.equal(error.headers.get('ratelimit'), null, 'nobody has a quota');
      });
    }

    test(`${id} › no token, and a body that is wrong in every way › 401 unauthenticated`, async () => {
      const long = { rawBody: 'x'.repeat(20_000), headers: { 'content-type': 'text/plain' } };
      const body = rowOf(id).body === undefined ? {} : long;
      assertError(await refused(id, { token: null, ...body }), [401, 'unauthenticated', 'missing']);
    });

    test(`${id} › missing grant › 403 forbidden`, () =>
      refusedForScope(id, ungranted.get(capabilityOf(scope))!));

    test(`${id} › scope narrowed to all others › 403 forbidden`, async () => {
      const others = scopes.filter((one) => one !== scope);
      await refusedForScope(id, await narrowedToken(calls[id].partner, others));
    });

    test(`${id} › scope narrowed to this one › is served`, async () => {
      await succeeds(id, await narrowedToken(calls[id].partner, [scope]));
    });

    test(`${id} › token of a revoked key › 401 unauthenticated`, async () => {
      const token = ofRevokedKey.get(calls[id].partner)!;
      assertError(await refused(id, { token }), [401, 'unauthenticated', 'revoked']);
    });

    if (rowOf(id).session === undefined) {
      test(`${id} › an unneeded session capability › is ignored`, async () => {
        const { partner, input } = calls[id];
        const reply = await partner.call(id, { ...input, session: 'nobody' });
        assert.ok(reply.status < 300, reply.text);
      });
    } else {
      const sessions: [name: string, session: () => string | undefined][] = [
        ['missing', () => undefined],
        ['empty', () => ''],
        ['wrong', () => randomBytes(32).toString('base64url')],
        ["another checkout's", () => other.open.at.session],
        ["an expired checkout's", () => expired.open.at.session],
      ];
      for (const [name, session] of sessions) {
        test(`${id} › session capability › ${name} › 403 forbidden`, async () => {
          const { session: _, ...rest } = calls[id].input;
          const presented = session();
          const asked = { ...rest, ...(presented !== undefined && { session: presented }) };
          const error = await calls[id].partner.refused(id, asked);
          assertError(error, [403, 'forbidden', 'session_capability']);
        });
      }

      test(`${id} › session capability › expired › 403 forbidden`, async () => {
        const error = await refused(id, about(expired, id));
        assertError(error, [403, 'forbidden', 'session_expired']);
      });
    }
  }

  /** The call of an operation, about another checkout of the same application. */
  function about({ checkoutId, open }: Journey, id: OperationId): CallInput<OperationId> {
    const { session } = open.at;
    const { rawBody } = calls[id].input;
    if (rowOf(id).params !== undefined) return { params: { checkoutId }, session };
    const body = { ...(JSON.parse(String(rawBody)) as object), checkoutId };
    return { rawBody: JSON.stringify(body), session };
  }

  test('the checkout is unchanged after all calls', async () => {
    assert.equal((await journey.read()).version, 1);
  });
});
