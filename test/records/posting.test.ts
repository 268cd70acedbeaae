/** Reservations are posted to the operator's own system: signed, retried, and `ready` once it has them. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, it } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import type { OperatorInputOf } from '../../src/contract/operator/call-types.ts';
import { operatorOf } from '../harness/operator.ts';
import { guest, type OpenCheckout, type Partner, requestOf } from '../harness/partner.ts';
import { assertGuideShows } from '../harness/guide-blocks.ts';
import { Receiver, respond, silence, type Arrival, type Reply } from '../harness/receiver.ts';
import { versionsOf, recordsEnv, recordsSecret, verifiedRecord } from '../harness/records.ts';
import { sql } from '../harness/rows.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { staffContext } from '../../src/program/staff-context.ts';
import { newWebhookSecret } from '../../src/platform/sending/signature.ts';
import { showReservation } from '../harness/acts.ts';

interface Row {
  materialized_at: number | null;
  records_due_at: number | null;
  records_attempts: number;
  records_problem: string | null;
  due_in: number | null;
}

const otherSecret = newWebhookSecret();
let receiver: Receiver;
let service: TestService;
let partner: Partner;

before(async () => {
  receiver = await Receiver.start();
  const env = recordsEnv(receiver);
  service = await startTestService({
    ...env,
    LATCHKEY_RECORDS_SECRET: `${recordsSecret} ${otherSecret}`,
  });
  partner = await service.partner();
});
after(async () => {
  await service.stop();
  await receiver.close();
});
beforeEach(() => {
  receiver.arrivals.length = 0;
  receiver.reply = respond(204);
});

const arrivalsOf = (reference: string): Arrival[] =>
  receiver.arrivals.filter(({ body }) => body.includes(reference));

/** A confirmed checkout. */
async function confirmed(suffix?: string): Promise<{ open: OpenCheckout; reference: string }> {
  const open = await partner.submittedCheckout(suffix);
  const { reference } = await partner.statusOnce(open, ['confirmed']);
  assert.ok(reference);
  return { open, reference };
}

const read = (reference: string) =>
  partner.succeed('reservation.reservation.get', { params: { reference } });

async function rowOf(reference: string): Promise<Row> {
  const [row] = await sql<Row>(
    service.database,
    `SELECT materialized_at, records_due_at, records_attempts, records_problem,
        extract(epoch FROM records_due_at - now())::float AS due_in
      FROM reservations WHERE reference = $1`,
    [reference],
  );
  return row!;
}

const makeDue = (reference: string): Promise<unknown> =>
  sql(service.database, 'UPDATE reservations SET records_due_at = now() WHERE reference = $1', [
    reference,
  ]);

async function problem(reference: string, attempts: number): Promise<Row> {
  await eventually(async () => {
    const row = await rowOf(reference);
    return row.records_problem !== null && row.records_attempts === attempts;
  });
  return rowOf(reference);
}

const ready = (reference: string): Promise<void> =>
  eventually(async () => (await read(reference)).materialization === 'ready');

describe('a posted reservation', () => {
  it('has all that the operator needs, and is signed with every secret', async () => {
    const { open, reference } = await confirmed();
    const [arrival] = await receiver.receives(1);
    assert.ok(arrival);
    assert.equal(arrival.path, '/reservations?key=a');
    assert.equal(arrival.headers['content-type'], 'application/json');
    assert.match(String(arrival.headers['webhook-id']), new RegExp(`^${reference}-1-[\\w-]{16}$`));
    const record = verifiedRecord(arrival);
    assert.deepEqual(verifiedRecord(arrival, otherSecret), record);
    assert.throws(() => verifiedRecord(arrival, newWebhookSecret()));
    const listing = await partner.succeed('distribution.listing.get', {
      params: { listingId: open.quote.listingId },
    });
    const confirmation = await partner.succeed('reservation.checkout.getConfirmation', open.at);
    assertGuideShows(record);
    assert.deepEqual(record, {
      format: 'latchkey-reservation/1',
      environment: 'simulation',
      reference,
      version: 1,
      state: 'confirmed',
      listing: {
        listingId: listing.listingId,
        slug: listing.slug,
        name: listing.name,
        timeZone: listing.timeZone,
      },
      checkIn: open.quote.checkIn,
      checkOut: open.quote.checkOut,
      party: open.quote.party,
      charges: open.quote.charges,
      refundAmount: null,
      guest: guest(),
      application: {
        applicationId: partner.credentials.applicationId,
        name: 'a test',
        settlement: 'partner',
      },
      payer: 'a test',
      booking: { kind: 'checkout', bookingId: open.created.checkoutId },
      partnerReference: null,
      promotionCode: null,
      confirmedAt: confirmation.confirmedAt,
      cancelledAt: null,
      updatedAt: confirmation.confirmedAt,
    });
  });

  it('carries the partner reference of a request', async () => {
    const partnerReference = `order ${randomUUID()}`;
    const body = requestOf(await partner.quote(), { partnerReference });
    await partner.succeed('reservation.reservationRequest.create', { body }, 202);
    const [arrival] = await receiver.receives(1);
    const record = verifiedRecord(arrival!);
    assert.equal(record['partnerReference'], body.partnerReference);
    assert.deepEqual(record['booking'], { kind: 'request', bookingId: body.reservationRequestId });
  });

  // Spec: RECORD-1.
  it('is pending until the answer, then ready, on confirmation and reservation', async () => {
    let waiting: ServerResponse | undefined;
    receiver.reply = (response) => void (waiting = response);
    const { open, reference } = await confirmed();
    await receiver.receives(1);
    const pending = await partner.succeed('reservation.checkout.getConfirmation', open.at);
    assert.equal(pending.materialization, 'pending');
    assert.equal((await read(reference)).materialization, 'pending');
    waiting!.writeHead(201).end('thanks');
    await ready(reference);
    const confirmation = await partner.succeed('reservation.checkout.getConfirmation', open.at);
    assert.deepEqual(confirmation, { ...pending, materialization: 'ready' });
    const row = await rowOf(reference);
    assert.equal(row.records_due_at, null);
    assert.equal(row.records_problem, null);
    assert.equal(row.records_attempts, 1);
  });
});

describe('a reservation that the receiver does not accept', () => {
  const close: Reply = (response) => response.destroy();
  const failures: readonly [name: string, reply: Reply, problem: string, delay: number][] = [
    ['500', respond(500), 'status 500', 5],
    ['404', respond(404), 'status 404', 5],
    ['410', respond(410), 'status 410', 5],
    ['a redirect', respond(302, { location: '/elsewhere' }), 'redirect 302', 5],
    ['a closed connection', close, 'connection', 5],
    ['503 with Retry-After', respond(503, { 'retry-after': '120' }), 'status 503', 120],
    ['404 with Retry-After', respond(404, { 'retry-after': '120' }), 'status 404', 5],
  ];
  for (const [name, reply, text, delay] of failures) {
    it(`${name}: stays pending, says why, and is sent again with the same webhook-id`, async () => {
      receiver.reply = reply;
      const { reference } = await confirmed();
      const row = await problem(reference, 1);
      assert.equal(row.records_problem, text);
      assert.equal(row.materialized_at, null);
      assert.ok(row.due_in! > delay - 2 && row.due_in! <= delay * 1.1, `due in ${row.due_in}`);
      assert.equal((await read(reference)).materialization, 'pending');
      receiver.reply = respond(200);
      await makeDue(reference);
      await ready(reference);
      const arrivals = arrivalsOf(reference);
      assert.deepEqual(versionsOf(arrivals), [`${reference}-1`, `${reference}-1`]);
      assert.deepEqual(verifiedRecord(arrivals[1]!), verifiedRecord(arrivals[0]!));
      const accepted = await rowOf(reference);
      assert.equal(accepted.records_problem, null);
      assert.equal(accepted.records_attempts, 2);
    });
  }

  it('shows staff why it does not arrive, and when it is sent next', async () => {
    receiver.reply = respond(500);
    const { reference } = await confirmed();
    const { due_in: dueIn } = await problem(reference, 1);
    const staff = staffContext(service.database, 'simulation', () => undefined);
    const { records } = await showReservation(staff, reference);
    assert.deepEqual([records.attempts, records.problem], [1, 'status 500']);
    const inSeconds = (Date.parse(records.nextAttemptAt!) - Date.now()) / 1_000;
    assert.ok(Math.abs(inSeconds - dueIn!) < 5, `sent in ${inSeconds} seconds`);
    const operator = await operatorOf(service, 'viewer');
    const listed = async (
      query: NonNullable<OperatorInputOf<'operator.reservation.list'>['query']>,
    ) =>
      (await operator.done('operator.reservation.list', { query })).items.map(
        (one) => one.reference,
      );
    const recordsRefused = true;
    const { applicationId } = partner.credentials;
    assert.deepEqual(await listed({ recordsRefused }), [reference]);
    assert.deepEqual(await listed({ recordsRefused, applicationId, reference }), [reference]);
    assert.deepEqual(await listed({ recordsRefused, state: 'cancelled' }), []);
    assert.ok((await listed({ recordsRefused: false })).length > 1);
    receiver.reply = respond(204);
    await makeDue(reference);
    await ready(reference);
    assert.deepEqual(await listed({ recordsRefused }), []);
    assert.deepEqual(await listed({ recordsRefused, reference }), []);
    const { records: accepted } = await showReservation(staff, reference);
    assert.deepEqual(accepted, { attempts: 2, nextAttemptAt: null, problem: null });
  });

  // Spec: RECORD-2.
  it('waits longer after each failure, a day at most, and never stops', async () => {
    receiver.reply = respond(500);
    const { reference } = await confirmed();
    await problem(reference, 1);
    const delays: [before: number, delay: number][] = [
      [1, 300],
      [8, 86_400],
      [9, 86_400],
      [40, 86_400],
    ];
    for (const [attempts, delay] of delays) {
      await sql(
        service.database,
        `UPDATE reservations SET records_due_at = now(), records_attempts = $2,
          records_problem = NULL WHERE reference = $1`,
        [reference, attempts],
      );
      const { due_in: dueIn } = await problem(reference, attempts + 1);
      assert.ok(dueIn! > delay - 5 && dueIn! <= delay * 1.1, `due in ${dueIn}`);
    }
    receiver.reply = respond(204);
    await makeDue(reference);
    await ready(reference);
  });

  it('stops no other: answers that never come, and a guest that cannot be read', async () => {
    receiver.reply = silence;
    const { open, reference } = await confirmed();
    await receiver.receives(1);
    const others = await Promise.all(Array.from({ length: 40 }, () => confirmed()));
    // Whoever waited for the receiver would have waited until the first request was given up.
    assert.equal((await rowOf(reference)).records_problem, null, 'bookings wait for the receiver');
    await eventually(async () => receiver.arrivals.length === 32);
    await sql(
      service.database,
      `UPDATE bookings SET guest_sealed = '\\x00' WHERE booking_id = $1`,
      [open.created.checkoutId],
    );
    receiver.reply = respond(204);
    const rows = () =>
      sql<{ reference: string }>(
        service.database,
        'SELECT reference FROM reservations WHERE materialized_at IS NULL',
      );
    // The open requests end with their deadline of 15 seconds, and are repeated five seconds later.
    await eventually(async () => (await rows()).length === 1, 40_000);
    assert.deepEqual(await rows(), [{ reference }]);
    assert.equal((await problem(reference, 2)).records_problem, 'guest_unreadable');
    assert.equal(receiver.mostOpen.get('/reservations?key=a'), 32);
    const sent = others.map((other) => versionsOf(arrivalsOf(other.reference)).length);
    assert.ok(sent.includes(1) && sent.includes(2), sent.join());
  });
});

describe('a changed reservation', () => {
  const change = (reference: string): Promise<unknown> =>
    sql(
      service.database,
      `UPDATE reservations SET version = version + 1, check_in = check_in + 1,
        check_out = check_out + 1, updated_at = now() WHERE reference = $1`,
      [reference],
    );

  // Spec: RECORD-3.
  it('is posted again with its new version, and stays ready meanwhile', async () => {
    const { reference } = await confirmed();
    await ready(reference);
    receiver.reply = respond(500);
    await change(reference);
    await problem(reference, 1);
    const changed = await read(reference);
    assert.equal(changed.materialization, 'ready');
    receiver.reply = respond(204);
    await makeDue(reference);
    await eventually(async () => (await rowOf(reference)).records_due_at === null);
    const arrivals = arrivalsOf(reference);
    assert.deepEqual(versionsOf(arrivals), [`${reference}-1`, `${reference}-2`, `${reference}-2`]);
    const record = verifiedRecord(arrivals[2]!);
    assert.deepEqual([record.version, record['checkIn']], [2, changed.checkIn]);
  });

  it('is read as the confirmed checkout has it while it is pending', async () => {
    receiver.reply = respond(500);
    const { open, reference } = await confirmed();
    await problem(reference, 1);
    await change(reference);
    const { checkIn, checkOut, party, charges } = open.quote;
    const pending = await read(reference);
    assert.partialDeepStrictEqual(pending, { checkIn, checkOut, party, charges });
    assert.equal(pending.materialization, 'pending');
    const { updatedAt } = await partner.succeed('reservation.checkout.get', open.at);
    assert.equal(pending.updatedAt, updatedAt, 'equal content has an equal time');
    receiver.reply = respond(204);
    await makeDue(reference);
    await ready(reference);
    const changed = await read(reference);
    assert.ok(changed.checkIn > checkIn && changed.checkOut > checkOut);
    assert.ok(changed.updatedAt > pending.updatedAt);
  });

  it('is due in its new version after any result of the old one', async () => {
    for (const status of [204, 500]) {
      receiver.arrivals.length = 0;
      let waiting: ServerResponse | undefined;
      receiver.reply = (response) => void (waiting = response);
      const { reference } = await confirmed();
      await receiver.receives(1);
      receiver.reply = respond(500);
      await change(reference);
      await problem(reference, 1);
      waiting!.writeHead(status).end();
      if (status === 204) await ready(reference);
      else await new Promise((resolve) => setTimeout(resolve, 200));
      const row = await rowOf(reference);
      assert.equal(row.records_problem, 'status 500');
      assert.ok(row.records_due_at !== null && row.records_attempts === 1);
      assert.equal(row.materialized_at !== null, status === 204);
      receiver.reply = respond(204);
      await makeDue(reference);
      await eventually(async () => (await rowOf(reference)).records_due_at === null);
      assert.deepEqual(versionsOf(arrivalsOf(reference)), [
        `${reference}-1`,
        `${reference}-2`,
        `${reference}-2`,
      ]);
    }
  });
});

describe('without a system of the operator', () => {
  it('a reservation that was not accepted is ready at once', async () => {
    receiver.reply = respond(500);
    const { reference } = await confirmed();
    await problem(reference, 1);
    const { ownRecords } = await import('../../src/bookings/index.ts');
    const log = { info: () => undefined, warn: () => undefined };
    const own = ownRecords.start({ executor: service.database, log });
    await ready(reference);
    await own.stop();
    assert.deepEqual(
      { ...(await rowOf(reference)), materialized_at: 0 },
      {
        materialized_at: 0,
        records_due_at: null,
        records_attempts: 1,
        records_problem: null,
        due_in: null,
      },
    );
  });
});

describe('a stop', () => {
  it('does not wait for a receiver that does not answer, nor counts it as a failure', async () => {
    const silent = await Receiver.start(silence);
    const stopped = await startTestService(recordsEnv(silent));
    const one = await stopped.partner();
    const open = await one.submittedCheckout();
    const { reference } = await one.statusOnce(open, ['confirmed']);
    await silent.receives(1);
    await stopped.service.stop();
    // Whoever waited for the receiver would have waited until the request was given up, which is a failure.
    const [row] = await sql<Row>(
      stopped.database,
      'SELECT records_problem, records_attempts FROM reservations WHERE reference = $1',
      [reference],
    );
    assert.deepEqual(row, { records_problem: null, records_attempts: 1 });
    await silent.close();
    await stopped.stop();
  });
});

// Spec: GUEST-4.
describe('an erased guest', () => {
  it('is in no record that is sent afterwards, and what the system has is sent once more without the guest', async () => {
    const operator = await operatorOf(service, 'reservations');
    const person = { ...guest(), email: `ada.${randomUUID()}@example.com` };
    const stays = await service.partner({ settlement: 'partner' });
    const reserved = async (): Promise<string> =>
      (await stays.requestedReservation(undefined, { guest: person })).reference;
    const accepted = await reserved();
    await eventually(async () => (await rowOf(accepted)).records_due_at === null);
    receiver.reply = respond(500);
    const refused = await reserved();
    await problem(refused, 1);
    assert.ok(arrivalsOf(refused)[0]!.body.includes(person.email));
    await sql(
      service.database,
      `WITH freed AS (DELETE FROM occupancies WHERE reference = ANY ($1))
        UPDATE reservations SET check_in = '2026-01-02', check_out = '2026-01-04' WHERE reference = ANY ($1)`,
      [[accepted, refused]],
    );
    receiver.arrivals.length = 0;
    receiver.reply = respond(204);
    await operator.done('operator.guest.erase', {
      body: { email: person.email, reason: 'Asked for in a letter.' },
    });
    for (const reference of [accepted, refused]) {
      await eventually(async () => {
        const { records_due_at: dueAt, records_problem: why } = await rowOf(reference);
        return dueAt === null && why === null;
      });
      const [arrival] = arrivalsOf(reference);
      const record = verifiedRecord(arrival!);
      assert.deepEqual([record.reference, record['guest']], [reference, null]);
    }
    const sent = JSON.stringify(receiver.arrivals.map(({ body }) => body));
    for (const secret of [person.email, person.lastName, person.phone]) {
      assert.ok(!sent.includes(secret), secret);
    }
  });
});
