/** A new master key: what was sealed and handed out before, during and after its rotation. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { insertAuditEntry } from '../../src/platform/audit/audit-entries.ts';
import { chainAllAuditEntries } from '../../src/platform/audit/audit-chain.ts';
import { verifyAuditTrail } from '../../src/platform/audit/verify-chain.ts';
import {
  type Database,
  defaultPoolLimits,
  openDatabase,
} from '../../src/platform/postgres/database.ts';
import { checkInstallation } from '../../src/platform/postgres/installation.ts';
import { decideKeys } from '../../src/platform/postgres/master-keys.ts';
import { openVault } from '../../src/platform/vault.ts';
import { emailDigest, findErased } from '../../src/bookings/index.ts';
import { isRefusal } from '../../src/contract/errors.ts';
import {
  retireMasterKeys,
  rotateMasterKey,
  sealedColumns,
  showMasterKeys,
} from '../../src/operator/master-key.ts';
import { guest, type OpenCheckout, type Partner } from '../harness/partner.ts';
import { type Operator, operatorOf } from '../harness/operator.ts';
import { testConnection, testMasterKey } from '../harness/postgres.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, type RestartableService, startTestService } from '../harness/service.ts';
import { addMember } from '../harness/staff-member.ts';

const newKey = Buffer.alloc(32, 8);
const actor = 'test:operator';

const nameOf = (column: { table: string; column: string }) => `${column.table}.${column.column}`;

/** Columns of bytes that are not sealed, and why a rotation leaves them. */
const notSealed: Readonly<Record<string, string>> = {
  'application_keys.secret_digest': 'SHA-256 of a random secret',
  'audit_chain.hash': 'SHA-256 of the entry and the hash before it',
  'audit_head.anchor_hash': 'the same',
  'audit_head.hash': 'the same',
  'bookings.input_digest': 'keyed digest of an input that is not kept: every key is compared',
  'bookings.session_nonce': 'random',
  'calendar_addresses.digest': 'SHA-256 of a derived secret: every key is tried',
  'calendar_addresses.nonce': 'random',
  'change_requests.input_digest': 'keyed digest of an input that is not kept',
  'channel_calendars.source_digest': 'keyed digest: made again',
  'checkout_commands.input_digest': 'keyed digest of an input that is not kept',
  'guest_digests.email': 'keyed digest: made again',
  'guest_digests.last_name': 'keyed digest: made again',
  'guest_digests.name': 'keyed digest: made again',
  'guest_digests.phone': 'keyed digest: made again',
  'guest_digests.words': 'keyed digests: made again',
  'installation.master_key_check': 'tells the key from others',
  'keyed_creates.input_digest': 'keyed digest, kept for a day',
  'keyed_creates.key_digest': 'keyed digest, kept for a day',
  'keyed_creates.reply_sealed': 'bound to a key that only the caller has; kept for a day',
  'master_keys.key_check': 'tells the key from others',
  'operator_tokens.token_digest': 'SHA-256 of a random secret',
  'portal_links.link_digest': 'SHA-256 of a random secret',
  'portal_sessions.session_digest': 'SHA-256 of a random secret',
  'processes.master_key': 'tells the key from others',
  'quotes.input_digest': 'keyed digest of an input that is not kept',
  'reservations.guest_email_digest': 'keyed digest: made again',
  'signals.input_digest': 'keyed digest of an input that is not kept',
  'staff_invitations.invitation_digest': 'SHA-256 of a random secret',
  'staff_passkeys.public_key': 'public',
  'staff_sessions.session_digest': 'SHA-256 of a random secret',
  'webhook_attempts.response': 'what a receiver has answered',
};

suite('a new master key', () => {
  let service: RestartableService;
  let ring: Database;
  let alone: Database;
  let current: Database | null = null;
  let operator: Operator;
  let partner: Partner;
  let open: OpenCheckout;
  let reference: string;
  let listing: string;
  let address: string;
  let cursor: string;
  let changeRequestId: string;
  const email = `grace.${randomUUID()}@example.com`;
  const url = 'http://127.0.0.1:9/feed.ics';

  const sealIn = async (column: string, where = 'true') => {
    const one = sealedColumns.find((known) => nameOf(known) === column)!;
    const names = Object.keys(one.key).map((name) => `${name}::text`);
    const { table } = one;
    const rows = await sql<{ key: string[] }>(
      service.database,
      `SELECT ARRAY[${names.join(', ')}] AS key FROM ${table} WHERE ${where}`,
    );
    for (const { key } of rows) {
      const sealed = service.database.vault.seal(one.purpose, 'secret', one.context(key, null));
      const at = names.map((name, index) => `${name} = $${index + 2}`).join(' AND ');
      await sql(service.database, `UPDATE ${table} SET ${one.column} = $1 WHERE ${at}`, [
        sealed,
        ...key,
      ]);
    }
  };

  before(async () => {
    service = await startTestService(ownHomes, { changeDatabase: (real) => current ?? real });
    const [{ name }] = (await sql(service.database, 'SELECT current_database() AS name')) as [
      { name: string },
    ];
    const connection = { ...testConnection(), database: name };
    const opened = (...keys: [Buffer, ...Buffer[]]) =>
      openDatabase(connection as never, openVault(...keys), defaultPoolLimits, () => undefined);
    ring = opened(newKey, testMasterKey);
    alone = opened(newKey);
    operator = await operatorOf(service);
    partner = await service.partner({
      grants: ['catalog', 'search', 'quotes', 'checkout', 'changes'],
    });
    const { applicationId } = partner.credentials;

    // Everything that is sealed, and everything that is handed out.
    const quote = await partner.quote();
    listing = quote.listingId;
    ({ reference } = await partner.requestedReservation(quote, { guest: { ...guest(), email } }));
    open = await partner.checkout();
    const pages = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    cursor = pages.nextCursor!;
    changeRequestId = randomUUID();
    await partner.succeed('reservation.change.request', {
      params: { reference },
      body: { changeRequestId, kind: 'cancel', note: 'She is ill.' },
    });
    await operator.done('operator.reservation.addNote', {
      params: { reference },
      body: { text: 'Has a dog.' },
    });
    ({ url: address } = await operator.done('operator.channelCalendar.address', {
      body: { listing },
    }));
    await operator.done('operator.channelCalendar.add', { body: { listing, url } });
    const { database } = service;
    const [{ calendar_id: calendarId }] = (await sql(
      database,
      'SELECT calendar_id FROM channel_calendars',
    )) as [{ calendar_id: string }];
    await sql(
      database,
      `INSERT INTO channel_events (calendar_id, nights, event_uid, state, first_seen_at)
        VALUES ($1, '[2027-05-01,2027-05-03)', 'one', 'ignored', now())`,
      [calendarId],
    );
    await sealIn('channel_events.summary_sealed');
    await addMember(service);
    await sealIn('staff_members.second_factor');
    await sealIn('staff_members.pending_factor');
    await sealIn('bookings.payment_secret_sealed');
    const erased = { table: 'customer_erasures' } as const;
    await sql(
      database,
      `INSERT INTO ${erased.table} (application_id, checkout_id, email_sealed, due_at)
        VALUES ($1, $2, '', now() + interval '1 day')`,
      [applicationId, open.created.checkoutId],
    );
    await sealIn('customer_erasures.email_sealed');
    await sql(
      database,
      `INSERT INTO webhook_endpoints (endpoint_id, application_id, url, secret_sealed, previous_secret_sealed,
          previous_secret_until, fanned_out_to) VALUES ($1, $2, 'https://example.com/hook', '', '', now() + interval '1 day', 0)`,
      [randomUUID(), applicationId],
    );
    await sealIn('webhook_endpoints.secret_sealed');
    await sealIn('webhook_endpoints.previous_secret_sealed');
    await insertAuditEntry(database, {
      actor,
      action: 'clock.confirm',
      applicationId: null,
      details: { reason: 'The clock was wrong.' },
    });
    await chainAllAuditEntries(database);
  });
  after(async () => {
    await ring.close();
    await alone.close();
    await service.stop();
  });

  // Spec: ACCESS-14.
  test('every column of bytes is sealed again, or is none that a key has sealed', async () => {
    const rows = await sql<{ name: string }>(
      service.database,
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = 'public' AND udt_name IN ('bytea', '_bytea')`,
    );
    const known = [...sealedColumns.map(nameOf), ...Object.keys(notSealed)];
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), known.toSorted());
    for (const { table, column } of sealedColumns) {
      const filled = await sql(
        service.database,
        `SELECT FROM ${table} WHERE ${column} IS NOT NULL`,
      );
      assert.notEqual(filled.length, 0, `the rotation below has no ${table}.${column}`);
    }
  });

  test('a process that does not have it first keeps it from being rotated', async () => {
    await checkInstallation(ring, 'simulation');
    const refused = await rotateMasterKey(ring, actor, false);
    assert.ok(isRefusal(refused));
    assert.match(refused.message!, /another master key for everything new: .+:\d+/);
  });

  test('a command cannot begin with a key that the running service does not have', async () => {
    const ahead = openDatabase(
      { ...testConnection(), database: 'postgres' } as never,
      openVault(Buffer.alloc(32, 9), newKey, testMasterKey),
      defaultPoolLimits,
      () => undefined,
    );
    const other = { ...ahead, query: service.database.query };
    const asked = checkInstallation(
      { query: other.query, vault: ahead.vault } as Database,
      'simulation',
      'command',
    );
    await assert.rejects(asked, /does not have the first master key yet/);
    await ahead.close();
  });

  const repeatedCreate = () => ({
    body: { checkoutId: open.created.checkoutId, quoteId: open.quote.quoteId },
  });

  // Spec: ACCESS-14.
  test('before and after the rotation, everything that was handed out still works', async () => {
    await service.restart(() => {
      current = ring;
      return Promise.resolve();
    });
    const works = async () => {
      await partner.succeed('reservation.checkout.get', open.at);
      const again = await partner.call('reservation.checkout.create', repeatedCreate());
      assert.equal(again.status, 200);
      await partner.succeed('distribution.listing.list', { query: { limit: 1, cursor } });
      const named = { body: { email } };
      const { items } = await operator.done('operator.guest.find', named);
      assert.deepEqual(
        items.map((one) => one.reference),
        [reference],
      );
      const { items: listed } = await operator.done('operator.reservation.list', {
        query: { guestOf: reference },
      });
      assert.equal(listed.length, 1);
      const shown = await operator.done('operator.channelCalendar.address', { body: { listing } });
      assert.equal(shown.url, address);
      const added = await operator.done('operator.channelCalendar.add', { body: { listing, url } });
      assert.equal(added.calendarId, calendarId);
      const { note } = await partner.succeed('reservation.change.get', {
        params: { reference, changeRequestId },
      });
      assert.equal(note, 'She is ill.');
    };
    const [{ calendar_id: calendarId }] = (await sql(
      ring,
      'SELECT calendar_id FROM channel_calendars',
    )) as [{ calendar_id: string }];
    await works();

    const preview = await rotateMasterKey(ring, actor, true);
    assert.ok(!isRefusal(preview) && preview.sealed >= sealedColumns.length);
    assert.equal((await showMasterKeys(ring)).sealedWithEarlierKeys, preview.sealed);

    // It ends in the middle.
    let writes = 0;
    const cut: Database = {
      ...ring,
      query(statement, values) {
        writes += statement.name === 'reseal' ? 1 : 0;
        if (writes > 3) throw new Error('killed');
        return ring.query(statement, values);
      },
    };
    await assert.rejects(rotateMasterKey(cut, actor, false), /killed/);
    await works();
    const refused = await retireMasterKeys(ring, actor, false);
    assert.match(isRefusal(refused) ? refused.message! : '', /still sealed with an earlier key/);

    const rest = await rotateMasterKey(ring, actor, false);
    assert.ok(!isRefusal(rest) && rest.sealed > 0 && rest.sealed < preview.sealed);
    assert.equal(rest.unreadable, 0);
    assert.equal((await showMasterKeys(ring)).sealedWithEarlierKeys, 0);
    await works();
    // A line of the file `erasures` may have the digest of either key, whichever the bookings have now.
    const at = new Date(Date.now() + 60_000).toISOString();
    for (const key of ring.vault.keys) {
      const erased = [{ at, email: emailDigest(key, { email }), booking: null }];
      const matching = await findErased(ring, erased);
      assert.deepEqual(
        matching.map(({ booking }) => booking.reference),
        [reference],
      );
    }
    const again = await rotateMasterKey(ring, actor, false);
    assert.ok(!isRefusal(again));
    assert.equal(again.sealed, 0);
  });

  test('the new key alone opens every value', async () => {
    for (const { table, column, purpose, key, context, bound } of sealedColumns) {
      const names = Object.keys(key).map((name) => `t.${name}::text`);
      const rows = await sql<{ key: string[]; sealed: Buffer; bound: string | null }>(
        alone,
        `SELECT ARRAY[${names.join(', ')}] AS key, ${column} AS sealed, ${bound ?? 'NULL::text'} AS bound
          FROM ${table} t WHERE ${column} IS NOT NULL`,
      );
      assert.notEqual(rows.length, 0, `${table}.${column}`);
      for (const row of rows) alone.vault.open(purpose, row.sealed, context(row.key, row.bound));
    }
    assert.ok(!('problem' in (await verifyAuditTrail(alone))));
  });

  // Spec: ACCESS-14.
  test('retiring the former one names what it ends, and ends it', async () => {
    await operator.done('operator.block.add', {
      body: { listing, from: '2027-06-01', to: '2027-06-02' },
    });
    const preview = await retireMasterKeys(ring, actor, true);
    assert.ok(!isRefusal(preview));
    const [home] = await sql<{ slug: string }>(
      ring,
      'SELECT slug FROM listings WHERE listing_id = $1',
      [listing],
    );
    assert.deepEqual(preview.ends.calendarAddresses, [home!.slug]);
    assert.ok(preview.ends.sessions >= 1);
    assert.ok(preview.ends.quotes >= 1);
    await partner.succeed('reservation.checkout.get', open.at);

    // A digest of before, as after a rotation that ended before it came to them.
    const [present, former] = ring.vault.keys.map((key) => emailDigest(key, { email }));
    const outdated = 'UPDATE guest_digests SET email = $2 WHERE email = $1 RETURNING 1';
    assert.equal((await sql(ring, outdated, [present, former])).length, 1);
    const done = await retireMasterKeys(ring, actor, false);
    assert.ok(!isRefusal(done));
    assert.equal(done.retired.length, 1);
    const closed = await partner.refused('reservation.checkout.get', open.at);
    assert.deepEqual([closed.status, closed.details], [403, { reason: 'session_capability' }]);
    const page = await partner.refused('distribution.listing.list', {
      query: { limit: 1, cursor },
    });
    assert.equal(page.status, 400);
    const repeat = await partner.refused('reservation.checkout.create', repeatedCreate());
    assert.deepEqual([repeat.status, repeat.details], [409, { reason: 'different_input' }]);
    const path = new URL(address).pathname;
    assert.equal((await fetch(`${service.origin}${path}`)).status, 404);
    const fresh = await operator.done('operator.channelCalendar.address', { body: { listing } });
    assert.notEqual(fresh.url, address);
    const calendar = await fetch(`${service.origin}${new URL(fresh.url).pathname}`);
    assert.equal(calendar.status, 200);
    const { items } = await operator.done('operator.guest.find', { body: { email } });
    assert.equal(items.length, 1);
    const nothing = await retireMasterKeys(ring, actor, false);
    assert.match(isRefusal(nothing) ? nothing.message! : '', /no earlier key/);
  });

  test('afterwards the new key is enough, and the former one opens nothing', async () => {
    await checkInstallation(alone, 'simulation');
    const { name } = (await sql<{ name: string }>(ring, 'SELECT current_database() AS name'))[0]!;
    const connection = { ...testConnection(), database: name } as never;
    const refused = async (problem: RegExp, ...keys: [Buffer, ...Buffer[]]) => {
      const one = openDatabase(connection, openVault(...keys), defaultPoolLimits, () => undefined);
      await assert.rejects(checkInstallation(one, 'simulation'), problem);
      await one.close();
    };
    await refused(/sealed with another master key/, testMasterKey);
    await refused(/first master key was retired/, testMasterKey, newKey);
    await service.restart(() => {
      current = alone;
      return Promise.resolve();
    });
    const { items } = await operator.done('operator.guest.find', { body: { email } });
    assert.equal(items[0]?.guest.email, email);
    await partner.quote();
  });
});

suite('decideKeys', () => {
  const [one, two, three] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const known = (check: Buffer, isRetired = false) => ({
    check,
    retiredAt: isRetired ? (1 as never) : null,
  });
  for (const [name, mine, stored, verdict] of [
    ['the key of the database', [one], [known(one)], 'known'],
    ['a new key before it', [two, one], [known(one)], 'add'],
    ['a new key alone', [two], [known(one)], 'missing'],
    ['without a key that is not retired', [two], [known(one), known(two)], 'missing'],
    ['without one that is', [two], [known(one, true), known(two)], 'known'],
    ['a retired key first', [one, two], [known(one, true), known(two)], 'retired'],
    ['the new key prepared as the second', [one, two], [known(one)], 'known'],
    ['one that the database never saw', [two, three], [known(two)], 'known'],
  ] as const) {
    test(`${verdict} › ${name}`, () => assert.equal(decideKeys(mine, stored), verdict));
  }
});
