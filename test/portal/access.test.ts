/** Quotas and keys in the portal of an environment with homes of its own, where the operator decides. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { openBuckets } from '../../src/access/index.ts';
import { portalLimits } from '../../src/contract/portal/limits.ts';
import { eventually } from '../harness/eventually.ts';
import { assertError } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { enterPortal, type PortalCaller } from '../harness/portal.ts';
import { sql } from '../harness/rows.ts';
import {
  ownHomes,
  standardQuotas,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { exchange } from '../harness/token-endpoint.ts';
import { setApplication } from '../harness/acts.ts';

let service: TestService;
let partner: Partner;
let caller: PortalCaller;
let processes = 1;
const log = { info: () => undefined, warn: () => undefined };

before(async () => {
  // No minute passes, however long the calls take.
  const buckets = openBuckets({
    redis: null,
    prefix: '',
    processes: () => processes,
    log,
    elapsedMs: () => 0,
  });
  service = await startTestService({ ...ownHomes, LATCHKEY_ROLES: 'api' }, { buckets });
  partner = await service.partner({ quotas: standardQuotas });
  caller = await enterPortal(service, partner);
});
after(() => service.stop());

const allow = (portalKeys: boolean, { credentials } = partner) =>
  setApplication(service.database, 'test', credentials.applicationId, {
    changes: { portalKeys },
    countToday: () => Promise.resolve({ began: 0, hasSkipped: false }),
  });

describe('portal.quota.get', () => {
  const tierOf = async (name: string) => {
    const { tiers } = await caller.succeed('portal.quota.get');
    return tiers.find(({ tier }) => tier === name)!;
  };

  it('shows the limit of each tier, and what is left of it', async () => {
    const { tiers, exact, reservationsPerDay } = await caller.succeed('portal.quota.get');
    assert.deepEqual(
      tiers.map(({ tier, limit }) => [tier, limit]),
      Object.entries(standardQuotas),
    );
    assert.deepEqual([exact, reservationsPerDay], [true, null]);
    const earlier = await tierOf('read');
    for (let count = 0; count < 3; count += 1) await partner.call('distribution.site.get');
    assert.equal((await tierOf('read')).available, earlier.available - 3);
  });

  it('says so when several processes share a quota by parts', async () => {
    processes = 3;
    const { tiers, exact } = await caller.succeed('portal.quota.get');
    const search = tiers.find(({ tier }) => tier === 'search')!;
    processes = 1;
    assert.equal(exact, false);
    const part = standardQuotas.search / 3;
    assert.deepEqual([search.limit, search.perMinute], [standardQuotas.search, part]);
    assert.ok(search.available <= part);
  });

  it('shows the use of a daily limit', async () => {
    const { applicationId } = partner.credentials;
    await sql(
      service.database,
      `WITH limited AS (
          UPDATE applications SET reservations_per_day = 9 WHERE application_id = $1
        )
        INSERT INTO reservation_days (application_id, day, reservations)
        VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 4)`,
      [applicationId],
    );
    const { reservationsPerDay } = await caller.succeed('portal.quota.get');
    assert.deepEqual(reservationsPerDay, { limit: 9, used: 4 });
  });
});

describe('keys in the portal', () => {
  const list = () => caller.succeed('portal.key.list');
  const revoke = (keyId: string, lastToo?: boolean) => ({
    params: { keyId },
    body: lastToo === undefined ? {} : { lastToo },
  });

  it('are shown, and only the operator changes them unless it allows more', async () => {
    const { items, mayChange } = await list();
    assert.equal(mayChange, false);
    assert.equal(items.length, 1);
    assert.ok(!JSON.stringify(items).includes('lk_'));
    const refusals = [
      await caller.refused('portal.key.issue', { body: {} }),
      await caller.refused('portal.key.revoke', revoke(items[0]!.keyId, true)),
    ];
    for (const error of refusals) {
      assertError(error, [422, 'policy_restricted', 'keys_by_operator']);
    }
    assert.equal((await list()).items[0]?.state, 'active');
  });

  it('can be issued once allowed; the key works, and only its digest is stored', async () => {
    await allow(true);
    const issued = await caller.succeed('portal.key.issue', { body: { expiresInDays: 30 } });
    const days = (Date.parse(issued.expiresAt) - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days < 30.1, issued.expiresAt);
    const { applicationKey } = issued;
    const { accessToken } = await exchange(service.origin, {
      ...partner.credentials,
      applicationKey,
    });
    assert.ok(accessToken);
    const stored = await sql<{ row: string }>(
      service.database,
      'SELECT k::text AS row FROM application_keys k UNION ALL SELECT a::text FROM audit_entries a',
    );
    assert.ok(!stored.some(({ row }) => row.includes(applicationKey)));
  });

  it('can be revoked, the last usable one only with a confirmation', async () => {
    const { items } = await list();
    const [first, second] = items;
    const body = revoke(first!.keyId);
    assert.equal((await caller.succeed('portal.key.revoke', body)).state, 'revoked');
    const last = revoke(second!.keyId);
    assertError(await caller.refused('portal.key.revoke', last), [
      422,
      'policy_restricted',
      'last_key',
    ]);
    // Revoking a key again needs nothing.
    assert.equal((await caller.succeed('portal.key.revoke', body)).state, 'revoked');
    const confirmed = revoke(second!.keyId, true);
    assert.equal((await caller.succeed('portal.key.revoke', confirmed)).state, 'revoked');
    const entries = await sql<{ actor: string; action: string; key_id: string }>(
      service.database,
      `SELECT actor, action, details->>'keyId' AS key_id FROM audit_entries
        WHERE application_id = $1 AND actor = 'portal' AND action LIKE 'key.%' ORDER BY entry_id`,
      [partner.credentials.applicationId],
    );
    assert.deepEqual(
      entries.map(({ action, key_id: keyId }) => [action, keyId]),
      [
        ['key.issue', second!.keyId],
        ['key.revoke', first!.keyId],
        ['key.revoke', first!.keyId],
        ['key.revoke', second!.keyId],
      ],
    );
  });

  it('of two that are revoked at once, one is left', async () => {
    const keys = [
      await caller.succeed('portal.key.issue', { body: {} }),
      await caller.succeed('portal.key.issue', { body: {} }),
    ];
    const replies = await Promise.all(
      keys.map(({ keyId }) => caller.call('portal.key.revoke', revoke(keyId))),
    );
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 422]);
  });

  it('are at most ten usable ones', async () => {
    const usable = (await list()).items.filter(({ state }) => state === 'active').length;
    for (let count = usable; count < portalLimits.usableKeys; count += 1) {
      await caller.succeed('portal.key.issue', { body: {} });
    }
    assertError(await caller.refused('portal.key.issue', { body: {} }), [
      422,
      'policy_restricted',
      'too_many_keys',
    ]);
  });

  it('are at most a thousand, with those that are revoked', async () => {
    const another = await service.partner();
    const { applicationId } = another.credentials;
    await allow(true, another);
    const other = await enterPortal(service, another);
    await sql(
      service.database,
      `INSERT INTO application_keys (key_id, application_id, secret_digest, expires_at, revoked_at)
        SELECT gen_random_uuid(), $1, '', now(), now() FROM generate_series(1, $2)`,
      [applicationId, portalLimits.keysEver - 2],
    );
    const { keyId } = await other.succeed('portal.key.issue', { body: {} });
    await other.succeed('portal.key.revoke', revoke(keyId));
    assertError(await other.refused('portal.key.issue', { body: {} }), [
      422,
      'policy_restricted',
      'too_many_keys_ever',
    ]);
  });

  it('are not issued to an application that was suspended after its session was checked', async () => {
    const another = await service.partner();
    const { applicationId } = another.credentials;
    await allow(true, another);
    const other = await enterPortal(service, another);
    const issuing = await service.database.transaction(async (executor) => {
      await sql(
        executor,
        'UPDATE applications SET suspended_at = now() WHERE application_id = $1',
        [applicationId],
      );
      const refused = other.refused('portal.key.issue', { body: {} });
      await eventually(async () => {
        const waiting = await sql(
          service.database,
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      });
      // Not `refused`: a transaction whose work returns a refusal is rolled back.
      return { answer: refused };
    });
    assertError(await issuing.answer, [401, 'unauthenticated', 'session']);
  });

  it("are the application's own", async () => {
    const stranger = await service.partner();
    const { keyId } = stranger.credentials;
    for (const named of [keyId, randomUUID()]) {
      assertError(await caller.refused('portal.key.revoke', revoke(named, true)), [
        404,
        'not_found',
      ]);
    }
    const { items } = await (await enterPortal(service, stranger)).succeed('portal.key.list');
    assert.deepEqual(
      items.map((one) => [one.keyId, one.state]),
      [[keyId, 'active']],
    );
  });
});

describe('portal.reservation.simulate', () => {
  it('is refused outside the simulation, for every reservation', async () => {
    const error = await caller.refused('portal.reservation.simulate', {
      params: { reference: 'LK-7Q4M-2XHV' },
      body: { change: 'cancelled' },
    });
    assertError(error, [422, 'policy_restricted', 'simulation_only']);
  });
});
