import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../../harness/catalog.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { keptSignal, plainSignal, sendSignal } from '../../harness/signals.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

const portalCaller = () => ({
  referrerOrigin: 'https://example.com',
  deviceClass: 'mobile',
  correlationId: randomUUID(),
});

suite('cdp.signal.capture › consent', () => {
  const ordinary = async (signalId: string) => ({
    application_id: partner.credentials.applicationId,
    signal_id: signalId,
    name: 'search_submitted',
    route_family: 'search',
  });

  test('not_required › the visit data is stored', async () => {
    const { referrerOrigin, deviceClass, correlationId } = portalCaller();
    const visit = { referrerOrigin, deviceClass, correlationId: correlationId.toUpperCase() };
    const signal = { ...plainSignal(), ...visit, consent: 'not_required' };
    assert.equal((await sendSignal(partner, signal)).status, 201);
    assert.deepEqual(await keptSignal(service, signal.signalId), {
      ...(await ordinary(signal.signalId)),
      consent: 'not_required',
      referrer_origin: referrerOrigin,
      device_class: deviceClass,
      correlation_id: correlationId,
    });
  });

  for (const consent of ['denied', undefined]) {
    // Spec: SIGNAL-4.
    test(`${consent ?? 'absent'} › accepted, and no visit data is stored`, async () => {
      const signal = { ...plainSignal(), ...portalCaller(), consent };
      const reply = await sendSignal(partner, signal);
      assert.deepEqual(
        [reply.status, reply.body],
        [201, { signalId: signal.signalId, accepted: true }],
      );
      assert.deepEqual(await keptSignal(service, signal.signalId), {
        ...(await ordinary(signal.signalId)),
        ...(consent !== undefined && { consent }),
      });
    });
  }

  test('no guest data is stored', async () => {
    const open = await partner.submittedCheckout();
    await partner.statusOnce(open, ['confirmed']);
    const { checkoutId } = open.created;
    const signal = { ...plainSignal(), name: 'confirmation_viewed', checkoutId, ...portalCaller() };
    const consented = { ...signal, consent: 'not_required' };
    assert.equal((await sendSignal(partner, consented, open.at.session)).status, 201);
    const [row] = await sql<{ kept: string }>(
      service,
      'SELECT to_jsonb(s)::text AS kept FROM signals s WHERE signal_id = $1',
      [signal.signalId],
    );
    const { firstName, lastName, email, phone } = guest();
    const { total } = open.quote.charges;
    for (const secret of [firstName, lastName, email, phone, open.at.session, String(total)]) {
      assert.ok(!row!.kept.includes(secret), secret);
    }
  });
});

suite('cdp.signal.capture › repeats', () => {
  // Spec: SIGNAL-6.
  test('200 › the same response, with its members in any order', async () => {
    const signal = { ...plainSignal(), ...portalCaller() };
    const first = await sendSignal(partner, signal);
    const reversed = Object.fromEntries(Object.entries(signal).toReversed());
    for (const body of [signal, reversed, { ...signal, signalId: signal.signalId.toUpperCase() }]) {
      const again = await sendSignal(partner, body);
      assert.deepEqual([again.status, again.text], [200, first.text]);
    }
  });

  test('200 › the same instant with another offset, or written another way', async () => {
    const at = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const local = (hours: number) =>
      new Date(at.getTime() + hours * 3_600_000).toISOString().slice(0, -5);
    const signal = { ...plainSignal(), occurredAt: at.toISOString() };
    assert.equal((await sendSignal(partner, signal)).status, 201);
    for (const occurredAt of [`${local(2)}+02:00`, `${local(-5)}-05:00`, `${local(0)}Z`]) {
      const again = await sendSignal(partner, { ...signal, occurredAt });
      assert.equal(again.status, 200, occurredAt);
    }
    const other = await sendSignal(partner, { ...signal, occurredAt: `${local(0)}+02:00` });
    assert.equal(other.status, 409, 'the same text in another offset is another instant');
  });

  test('200 › also if its occurredAt is too old for a new signal', async () => {
    // Taken in in the last seconds: when it is sent again it lies more than 24 hours back.
    const occurredAt = new Date(Date.now() - 24 * 3_600_000 + 2_500).toISOString();
    const signal = { ...plainSignal(), occurredAt };
    assert.equal((await sendSignal(partner, signal)).status, 201);
    for (;;) {
      const late = { ...plainSignal(), occurredAt };
      if ((await sendSignal(partner, late)).status === 400) break;
      await sleep(100);
    }
    assert.equal((await sendSignal(partner, signal)).status, 200);
  });

  test('200 › consumes no quota, and works when none is left', async () => {
    const poor = await service.partner({ quotas: { signal: 1 } });
    const signal = plainSignal();
    assert.equal((await sendSignal(poor, signal)).status, 201);
    assert.equal((await sendSignal(poor, plainSignal())).status, 429);
    assert.equal((await sendSignal(poor, { ...signal, routeFamily: 'home' })).status, 429);
    for (let time = 0; time < 3; time += 1) {
      const again = await sendSignal(poor, signal);
      assert.equal(again.status, 200);
      assert.match(again.headers.get('ratelimit') ?? '', /^"signal";r=0;/);
    }
  });

  test('200 › thirty concurrent creates make one signal', async () => {
    const signal = plainSignal();
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => sendSignal(partner, signal)),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [...Array<number>(29).fill(200), 201]);
  });

  test('201 › the same ID in two applications is two signals', async () => {
    const signal = plainSignal();
    assert.equal((await sendSignal(partner, signal)).status, 201);
    const theirs = { ...signal, routeFamily: 'home' };
    assert.equal((await sendSignal(await service.partner(), theirs)).status, 201);
  });

  const others: [what: string, change: object][] = [
    ['routeFamily', { routeFamily: 'home' }],
    ['consent', { consent: 'denied' }],
    ['a member more', { deviceClass: 'mobile' }],
    ['occurredAt', { occurredAt: new Date().toISOString() }],
  ];
  for (const [what, change] of others) {
    test(`409 conflict › different_input › ${what}`, async () => {
      const signal = plainSignal();
      await sendSignal(partner, signal);
      const kept = await keptSignal(service, signal.signalId);
      const body = { ...signal, ...change } as typeof signal;
      const error = await partner.refused('cdp.signal.capture', { body });
      assert.deepEqual([error.status, error.code], [409, 'conflict']);
      assert.deepEqual(error.details, { reason: 'different_input' });
      assert.deepEqual(await keptSignal(service, signal.signalId), kept);
    });
  }

  test('409 conflict › different_input › another join of the same kind', async () => {
    const [one, two] = [await partner.quote(), await partner.quote()];
    const signal = { ...plainSignal(), name: 'quote_viewed', quoteId: one.quoteId };
    assert.equal((await sendSignal(partner, signal)).status, 201);
    assert.equal((await sendSignal(partner, { ...signal, quoteId: two.quoteId })).status, 409);
  });
});

suite('cdp.signal.capture › repeats after the checkout changed state', () => {
  let quiet: TestService;
  let testWorker: TestWorker;
  before(async () => {
    quiet = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(quiet.database);
  });
  after(() => quiet.stop());

  const rounds = 40;
  const atOnce = 40;

  test('200 › a repeat of an accepted signal is never 409 invalid_state', async () => {
    const visited = await quiet.partner();
    const stay = await visited.freeStay();
    for (let round = 0; round < rounds; round += 1) {
      const { at, quote } = await visited.checkout(await visited.quote(stay));
      const saved = { expectedVersion: 1, guest: guest('failed') };
      await visited.succeed('reservation.checkout.saveGuest', { ...at, body: saved });
      const accepted = { termsVersion: quote.terms.version, termsAccepted: true as const };
      const body = { expectedVersion: 2, ...accepted };
      await visited.succeed('reservation.checkout.submit', { ...at, body });
      const name = 'payment_submitted';
      const signal = { ...plainSignal(), name, checkoutId: at.params.checkoutId };
      const working = sleep(round % 8).then(() => testWorker.runDue());
      const replies = await Promise.all(
        Array.from({ length: atOnce }, () => sendSignal(visited, signal, at.session)),
      );
      await working;
      const statuses = new Set(replies.map(({ status }) => status));
      if (statuses.has(201)) assert.ok(!statuses.has(409), `in round ${round}`);
      else assert.deepEqual([...statuses], [409]);
    }
  });
});
