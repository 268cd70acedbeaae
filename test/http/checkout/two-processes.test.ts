import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../../src/config/config.ts';
import type { Database } from '../../../src/platform/postgres/database.ts';
import { startService, type Service } from '../../../src/program/service.ts';
import { guest, Partner } from '../../harness/partner.ts';
import { aged, sql } from '../../harness/rows.ts';
import { testBaseUrl } from '../../harness/base-url.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What one process remembers of a checkout that another one moved. */
suite('two processes on one database', () => {
  let one: TestService;
  let other: Service;
  let here: Partner;
  let there: Partner;

  before(async () => {
    one = await startTestService({ LATCHKEY_ROLES: 'api' });
    const config = readConfig({ BASE_URL: testBaseUrl, LATCHKEY_ROLES: 'api' });
    other = await startService({ config, database: one.database, logger: false, log: silent });
    await other.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = other.app.server.address() as AddressInfo;
    here = await one.partner();
    there = new Partner(`http://127.0.0.1:${port}`, here.credentials);
  });
  after(async () => {
    await other.stop();
    await one.stop();
  });

  const save = (expectedVersion: number, suffix?: string) => ({
    expectedVersion,
    guest: guest(suffix),
  });

  test('412 precondition_failed › changed by the other process', async () => {
    const { at } = await here.checkout();
    await there.succeed('reservation.checkout.saveGuest', { ...at, body: save(1) }, 200);
    const error = await here.refused('reservation.checkout.saveGuest', {
      ...at,
      body: save(1, 'other'),
    });
    assert.equal(error.code, 'precondition_failed');
  });

  test('a repeat of a command of the other process is recognised', async () => {
    const { at } = await here.checkout();
    const first = await there.succeed(
      'reservation.checkout.saveGuest',
      { ...at, body: save(1) },
      200,
    );
    const again = await here.succeed(
      'reservation.checkout.saveGuest',
      { ...at, body: save(1) },
      200,
    );
    assert.deepEqual(again, first);
  });

  test('a quote created in the other process is booked in this one', async () => {
    const quote = await there.quote();
    const checkoutId = randomUUID();
    const body = { checkoutId, quoteId: quote.quoteId };
    const created = await here.succeed('reservation.checkout.create', { body }, 201);
    assert.equal(created.quoteId, quote.quoteId);
    const error = await there.refused('reservation.checkout.create', {
      body: { checkoutId: randomUUID(), quoteId: quote.quoteId },
    });
    assert.deepEqual(error.details, { reason: 'quote_used', checkoutId });
  });

  test('409 quote_expired › cached data does not extend the quote', async () => {
    const { at, quote } = await here.checkout();
    await aged.quote(one.database, quote.quoteId);
    const error = await here.refused('reservation.checkout.saveGuest', { ...at, body: save(1) });
    assert.equal(error.code, 'quote_expired');
  });

  test('403 session_expired › cached data does not extend the session', async () => {
    const { at, created } = await here.checkout();
    await aged.session(one.database, created.checkoutId);
    const error = await here.refused('reservation.checkout.saveGuest', { ...at, body: save(1) });
    assert.deepEqual(error.details, { reason: 'session_expired' });
  });

  test('a process whose start fails leaves nothing running', async () => {
    const { database } = one;
    let statements = 0;
    const counted: Database = {
      ...database,
      query(...asked) {
        statements += 1;
        return database.query(...asked);
      },
    };
    const config = readConfig({ BASE_URL: testBaseUrl, PORT: '1' });
    // Read when the work of the role `worker` has begun.
    const certificate = { cert: Buffer.from('no certificate'), key: Buffer.from('no key') };
    const context = { config, database: counted, certificate, logger: false, log: silent } as const;
    await assert.rejects(startService(context), /PEM/);
    const known = await sql(database, 'SELECT FROM processes WHERE port = 1');
    assert.equal(known.length, 0);
    const ended = statements;
    assert.ok(ended > 0);
    // The worker looks for bookings once a second.
    await sleep(1_200);
    assert.equal(statements, ended);
  });
});
