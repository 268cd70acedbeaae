import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { eventually } from '../harness/eventually.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { Receiver } from '../harness/receiver.ts';
import { callSandbox, order, refusedOrder } from '../harness/sandbox.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { addEndpoint } from '../harness/webhooks.ts';
import { verifyWebhook } from '../../packages/partner/src/webhooks.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function confirmed(partner: Partner, suffix?: string) {
  const open = await partner.submittedCheckout(suffix);
  const { reference } = await partner.statusOnce(open, ['confirmed']);
  return { open, reference: reference! };
}

// Spec: SANDBOX-3.
suite('expire', () => {
  test('ends all tokens of the application that exist now', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    const token = await partner.token();
    const { status } = await callSandbox(partner, 'sandbox.expire', { body: { token: true } });
    assert.equal(status, 204);
    const refused = await partner.refused('distribution.site.get', { token });
    assert.equal(refused.code, 'unauthenticated');
    assert.deepEqual(refused.details, { reason: 'expired' });
    await partner.succeed('distribution.site.get', { token: await partner.freshToken() });
    await other.succeed('distribution.site.get');
  });

  test('ends a quote', async () => {
    const partner = await service.partner();
    const { quoteId } = await partner.quote();
    await order(partner, 'sandbox.expire', { body: { quoteId } });
    const body = { checkoutId: randomUUID(), quoteId };
    const refused = await partner.refused('reservation.checkout.create', { body });
    assert.equal(refused.code, 'quote_expired');
  });

  test('ends a session, also while the checkout is pending', async () => {
    const partner = await service.partner();
    const open = await partner.submittedCheckout('uncertain');
    await partner.statusOnce(open, ['uncertain']);
    const { checkoutId } = open.created;
    await order(partner, 'sandbox.expire', { body: { checkoutId } });
    const refused = await partner.refused('reservation.checkout.getStatus', open.at);
    assert.deepEqual(refused.details, { reason: 'session_expired' });
  });

  test('ends the events below a sequence', async () => {
    const partner = await service.partner();
    const { nextCursor: cursor } = await partner.succeed('reservation.event.list', {
      query: { from: 'latest' },
    });
    await confirmed(partner);
    await order(partner, 'sandbox.expire', { body: { feedBefore: 2 } });
    const refused = await partner.refused('reservation.event.list', { query: { cursor } });
    assert.equal(refused.code, 'resync_required');
    const { items } = await partner.succeed('reservation.event.list');
    assert.deepEqual(
      items.map(({ sequence }) => sequence),
      [2],
    );
  });

  test('refuses none, two, and what does not exist for the application', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    const { quoteId } = await other.quote();
    for (const body of [{}, { token: true as const, feedBefore: 1 }]) {
      assert.equal((await refusedOrder(partner, 'sandbox.expire', { body })).status, 400);
    }
    for (const body of [{ quoteId }, { checkoutId: randomUUID() }]) {
      assert.equal((await refusedOrder(partner, 'sandbox.expire', { body })).code, 'not_found');
    }
  });
});

// Spec: SANDBOX-3.
suite('act', () => {
  test('cancels as staff would, with the event', async () => {
    const partner = await service.partner();
    const { reference } = await confirmed(partner);
    const input = { params: { reference }, body: { act: 'cancel' } } as const;
    assert.equal((await order(partner, 'sandbox.reservation.act', input)).state, 'cancelled');
    const { state } = await partner.succeed('reservation.reservation.get', {
      params: { reference },
    });
    assert.equal(state, 'cancelled');
    const again = await refusedOrder(partner, 'sandbox.reservation.act', input);
    assert.equal(again.code, 'invalid_state');
    const { items } = await partner.succeed('reservation.event.list');
    assert.equal(items.at(-1)?.type, 'reservation.cancelled');
  });

  test('changes dates, party and total at once, and tells exactly that', async () => {
    const partner = await service.partner();
    const { reference, open } = await confirmed(partner);
    const { checkIn, checkOut } = open.quote;
    const later = (date: string) =>
      new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
    const total = open.quote.charges.total + 5_000;
    const changes = {
      checkIn: later(checkIn),
      checkOut: later(checkOut),
      party: { adults: 1 },
      total,
    };
    const acted = await order(partner, 'sandbox.reservation.act', {
      params: { reference },
      body: { act: 'change', changes },
    });
    assert.equal(acted.checkIn, changes.checkIn);
    assert.equal(acted.party.adults, 1);
    assert.equal(acted.charges.total, total);
    assert.deepEqual(acted.charges.lines.at(-1), {
      kind: 'fee',
      label: 'Sandbox price',
      amount: 5_000,
    });
    const { items } = await partner.succeed('reservation.event.list');
    const { data } = items.at(-1) as { data: { changes: string[] } };
    assert.deepEqual(data.changes, ['dates', 'party', 'price']);
  });

  test('refuses what has no effect, is no stay, or belongs to another application', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    const { reference, open } = await confirmed(partner);
    const act = (changes: object, by = partner) =>
      refusedOrder(by, 'sandbox.reservation.act', {
        params: { reference },
        body: { act: 'change', changes },
      });
    const same = await act({ checkIn: open.quote.checkIn });
    assert.deepEqual(same, { status: 409, code: 'conflict', details: { reason: 'no_effect' } });
    assert.equal((await act({ checkOut: daysAhead(1) })).code, 'invalid_input');
    assert.equal((await act({ listingId: randomUUID() })).code, 'not_found');
    assert.equal((await act({ total: 1 }, other)).code, 'not_found');
  });
});

// Spec: SANDBOX-3.
suite('next-outcome', () => {
  test('counts for the next booking only, whatever the email says', async () => {
    const partner = await service.partner();
    const set = await order(partner, 'sandbox.outcome.order', { body: { outcome: 'failed' } });
    assert.deepEqual(set, { outcome: 'failed', price: null, occupy: false });
    const open = await partner.submittedCheckout('sold_out');
    const { failure } = await partner.statusOnce(open, ['failed']);
    assert.equal(failure?.reason, 'refused');
    await confirmed(partner);
  });

  test('tells the price that was asked for', async () => {
    const partner = await service.partner();
    const body = { outcome: 'price_changed', price: 123_456 } as const;
    await order(partner, 'sandbox.outcome.order', { body });
    const open = await partner.submittedCheckout();
    const { failure } = await partner.statusOnce(open, ['failed']);
    assert.deepEqual(failure, {
      reason: 'price_changed',
      was: open.quote.charges.total,
      now: 123_456,
    });
  });

  test('fails the next payment setup', async () => {
    const partner = await service.partner({ settlement: 'card' });
    await order(partner, 'sandbox.outcome.order', { body: { outcome: 'setup_declined' } });
    const { checkout } = await partner.setUpCheckout();
    assert.equal(checkout.paymentSetup?.failure, 'not_authorized');
    assert.equal((await partner.setUpCheckout()).checkout.paymentSetup?.state, 'ready');
  });

  test('lets confirmed bookings take their nights, for the application alone', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    await order(partner, 'sandbox.outcome.order', { body: { occupy: true } });
    const quote = await partner.quote();
    const { listingId, checkIn, checkOut } = quote;
    const second = await partner.quote({ listingId, checkIn, checkOut, party: { adults: 2 } });
    const { nextCursor: cursor } = await partner.succeed('inventory.change.list', {
      query: { from: 'latest' },
    });
    const open = await partner.submittedCheckout(undefined, quote);
    const { reference } = await partner.statusOnce(open, ['confirmed']);

    const lost = await partner.submittedCheckout(undefined, second);
    assert.equal((await partner.statusOnce(lost, ['failed'])).failure?.reason, 'sold_out');
    const stay = { listingId, checkIn, checkOut, party: { adults: 2 } };
    const body = { quoteId: randomUUID(), ...stay };
    const refused = await partner.refused('reservation.quote.create', { body });
    assert.equal((refused.details as { reason: string }).reason, 'unavailable');
    const search = { body: { checkIn, checkOut, party: { adults: 2 }, limit: 50 } };
    const isFound = async (by: Partner) =>
      (await by.succeed('distribution.listing.search', search)).items.some(
        ({ listing }) => listing.listingId === listingId,
      );
    assert.equal(await isFound(partner), false);
    const calendarOf = (by: Partner) =>
      by.succeed('inventory.calendar.get', {
        params: { listingId },
        query: { startDate: checkIn, endDate: checkIn },
      });
    const [mine, theirs] = [await calendarOf(partner), await calendarOf(other)];
    assert.equal(mine.days[0]?.available, false);
    assert.equal(theirs.days[0]?.available, true);
    assert.notEqual(mine.digest, theirs.digest);
    const told = async () =>
      (await partner.succeed('inventory.change.list', { query: { cursor } })).items;
    await eventually(async () => (await told()).some(({ kind }) => kind === 'availability'));

    await order(partner, 'sandbox.reservation.act', {
      params: { reference: reference! },
      body: { act: 'cancel' },
    });
    await partner.succeed('reservation.quote.create', { body }, 201);
  });

  test('takes overlapping nights once, of many bookings at the same time', async () => {
    const partner = await service.partner();
    await order(partner, 'sandbox.outcome.order', { body: { occupy: true } });
    const { listingId, checkIn, checkOut } = await partner.quote();
    const stay = { listingId, checkIn, checkOut, party: { adults: 2 } };
    const ready = [];
    for (let at = 0; at < 5; at += 1) {
      ready.push(await partner.readyCheckout(undefined, await partner.quote(stay)));
    }
    await Promise.all(ready.map((open) => partner.submit(open)));
    const states = await Promise.all(
      ready.map(async (open) => (await partner.statusOnce(open, ['confirmed', 'failed'])).state),
    );
    assert.equal(states.filter((state) => state === 'confirmed').length, 1);
  });

  test('reservation requests meet it, too', async () => {
    const partner = await service.partner();
    await order(partner, 'sandbox.outcome.order', { body: { outcome: 'authority_revoked' } });
    const { reservationRequestId } = await partner.request();
    const read = () =>
      partner.succeed('reservation.reservationRequest.get', { params: { reservationRequestId } });
    await eventually(async () => (await read()).state === 'failed');
    assert.equal((await read()).failure?.reason, 'authority_revoked');
  });
});

// Spec: SANDBOX-3.
suite('deliver', () => {
  test('needs an endpoint and an event of the application', async () => {
    const partner = await service.partner();
    const other = await service.partner();
    await confirmed(partner);
    const { items } = await partner.succeed('reservation.event.list');
    const input = { params: { eventId: items[0]!.id }, body: {} };
    assert.equal(
      (await refusedOrder(partner, 'sandbox.event.deliver', input)).code,
      'invalid_state',
    );
    assert.equal((await refusedOrder(other, 'sandbox.event.deliver', input)).code, 'not_found');
  });

  test('sends copies, forged and late ones, and another event right after', async () => {
    const receiver = await Receiver.start();
    try {
      const partner = await service.partner();
      const { applicationId } = partner.credentials;
      await confirmed(partner);
      const { secret } = await addEndpoint(service.database, applicationId, receiver.url());
      const { items } = await partner.succeed('reservation.event.list');
      const [first, second] = items.map(({ id }) => id);
      const deliver = (body: object) =>
        order(partner, 'sandbox.event.deliver', { params: { eventId: first! }, body });
      assert.deepEqual(await deliver({ copies: 2, before: second }), { deliveries: 3 });
      await eventually(async () => receiver.arrivals.length === 3);
      assert.deepEqual(
        receiver.arrivals.map(({ headers }) => headers['webhook-id']),
        [first, first, second],
      );
      await deliver({ badSignature: true });
      await eventually(async () => receiver.arrivals.length === 4);
      await deliver({ timestampSkewSeconds: -360 });
      await eventually(async () => receiver.arrivals.length === 5);
      const verdicts = await Promise.all(
        receiver.arrivals.map(({ headers, body }) =>
          verifyWebhook(headers, body, secret).then(
            () => 'genuine',
            (error: { reason: string }) => error.reason,
          ),
        ),
      );
      assert.deepEqual(verdicts, ['genuine', 'genuine', 'genuine', 'signature', 'timestamp']);
    } finally {
      await receiver.close();
    }
  });
});

test('the log of calls is that of the application alone', async () => {
  const partner = await service.partner();
  const other = await service.partner();
  const { headers } = await partner.call('distribution.site.get');
  const requestId = headers.get('x-request-id')!;
  const get = (by: Partner) => callSandbox(by, 'sandbox.request.get', { params: { requestId } });
  await eventually(async () => (await get(partner)).status === 200);
  assert.equal((await get(other)).status, 404);
});
