import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { CreatedCheckout } from '../../../src/contract/partner/schemas/checkout.ts';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import { begin, commands, quoteOf, type Command } from '../../harness/journey.ts';
import { type CallReply, guest, type Partner, requestOf } from '../../harness/partner.ts';
import { allOf, eventsOf, sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const createCheckout = 'reservation.checkout.create';
const createRequest = 'reservation.reservationRequest.create';
const many = 50;

/** How many replies had each status, with the reason of those that were refused. */
function countByOutcome(replies: readonly CallReply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of replies) {
    const { error } = body as { error?: { code: string; details?: { reason?: string } } };
    const what = error ? `${status} ${error.details?.reason ?? error.code}` : String(status);
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

suite('concurrent calls', () => {
  let service: TestService;
  let partner: Partner;

  before(async () => {
    service = await startTestService();
    partner = await service.partner();
  });
  after(() => service.stop());

  const atOnce = (send: (index: number) => Promise<CallReply>, times = many) =>
    Promise.all(Array.from({ length: times }, (_, index) => send(index)));

  const count = async (table: string, column: string, id: string): Promise<number> => {
    const text = `SELECT count(*)::integer AS rows FROM ${table} WHERE ${column} = $1`;
    return (await sql<{ rows: number }>(service.database, text, [id]))[0]!.rows;
  };

  interface Create {
    id: OperationId;
    table: string;
    column: string;
    /** The status of the one that made it, and of the repeats. */
    made: number;
    repeated: number;
    body(resourceId: string): Promise<object>;
  }
  const creates: Create[] = [
    {
      id: 'reservation.quote.create',
      table: 'quotes',
      column: 'quote_id',
      made: 201,
      repeated: 200,
      body: async (quoteId) => ({ quoteId, ...(await partner.freeStay()) }),
    },
    {
      id: createCheckout,
      table: 'bookings',
      column: 'booking_id',
      made: 201,
      repeated: 200,
      body: async (checkoutId) => ({ checkoutId, quoteId: (await quoteOf(partner)).quoteId }),
    },
    {
      id: createRequest,
      table: 'bookings',
      column: 'booking_id',
      made: 202,
      repeated: 202,
      body: async (requestId) => ({
        ...requestOf(await quoteOf(partner), { reservationRequestId: requestId }),
        partnerReference: `order ${requestId}`,
      }),
    },
    {
      id: 'cdp.signal.capture',
      table: 'signals',
      column: 'signal_id',
      made: 201,
      repeated: 200,
      body: async (signalId) => ({ signalId, name: 'search_submitted', routeFamily: 'search' }),
    },
  ];

  for (const { id, table, column, made, repeated, body } of creates) {
    test(`${id} › ${many} concurrent creates with one ID create one resource`, async () => {
      for (let round = 0; round < 4; round += 1) {
        const resourceId = randomUUID();
        const rawBody = JSON.stringify(await body(resourceId));
        const replies = await atOnce(() => partner.call(id, { rawBody }));
        const expected = made === repeated ? { [made]: many } : { [made]: 1, [repeated]: many - 1 };
        assert.deepEqual(countByOutcome(replies), expected);
        assert.equal(await count(table, column, resourceId), 1);
      }
    });

    test(`${id} › 409 different_input › ${many} concurrent creates with one ID and different inputs: one is created`, async () => {
      const resourceId = randomUUID();
      const inputs = await Promise.all([body(resourceId), body(resourceId)]);
      const other = { ...inputs[1], ...(id === 'cdp.signal.capture' && { routeFamily: 'home' }) };
      if (id === 'reservation.quote.create') Object.assign(other, { party: { adults: 1 } });
      const bodies = [inputs[0], other].map((input) => JSON.stringify(input));
      const replies = await atOnce((index) => partner.call(id, { rawBody: bodies[index % 2]! }));
      const won = replies[0]!.status < 300 ? 0 : 1;
      const winners = replies.filter((_, index) => index % 2 === won);
      const losers = replies.filter((_, index) => index % 2 !== won);
      assert.deepEqual(countByOutcome(losers), { '409 different_input': many / 2 });
      assert.ok(
        winners.every(({ status }) => status < 300),
        JSON.stringify(countByOutcome(winners)),
      );
      assert.equal(await count(table, column, resourceId), 1);
    });
  }

  test(`${createCheckout} › the ${many} repeats all get the same capability`, async () => {
    const { quoteId } = await quoteOf(partner);
    const checkoutId = randomUUID();
    const replies = await atOnce(() =>
      partner.call(createCheckout, { body: { checkoutId, quoteId } }),
    );
    const capabilities = replies.map(({ body }) => (body as CreatedCheckout).sessionCapability);
    assert.equal(new Set(capabilities).size, 1);
    assert.ok(capabilities[0]);
  });

  // Spec: QUOTE-3.
  test('one quote › two checkouts: one is created, the other is 409 quote_used', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { quoteId } = await quoteOf(partner);
      const replies = await atOnce(
        () => partner.call(createCheckout, { body: { checkoutId: randomUUID(), quoteId } }),
        2,
      );
      assert.deepEqual(countByOutcome(replies), { '201': 1, '409 quote_used': 1 });
    }
  });

  test('one quote › a checkout and a request: one is created, the other is 409 quote_used', async () => {
    for (let round = 0; round < 10; round += 1) {
      const quote = await quoteOf(partner);
      const { quoteId } = quote;
      const sends = [
        () => partner.call(createCheckout, { body: { checkoutId: randomUUID(), quoteId } }),
        () => partner.call(createRequest, { body: requestOf(quote) }),
      ];
      const replies = await atOnce((index) => sends[(index + round) % 2]!(), 2);
      const { '409 quote_used': refused, ...won } = countByOutcome(replies);
      assert.equal(refused, 1);
      assert.ok(won['201'] === 1 || won['202'] === 1, JSON.stringify(won));
    }
  });

  test('one partnerReference › ten requests: one is created, the others are 409 partner_reference', async () => {
    const quotes = await Promise.all(Array.from({ length: 10 }, () => quoteOf(partner)));
    const partnerReference = `order ${randomUUID()}`;
    const replies = await atOnce(
      (index) =>
        partner.call(createRequest, { body: requestOf(quotes[index]!, { partnerReference }) }),
      10,
    );
    assert.deepEqual(countByOutcome(replies), { '202': 1, '409 partner_reference': 9 });
  });

  test('reservation.checkout.submit › twenty concurrent submits take effect once', async () => {
    const who = await service.partner();
    const journey = await begin(who);
    await journey.done('saveGuest');
    const replies = await atOnce(() => journey.send('submit'), 20);
    assert.deepEqual(countByOutcome(replies), { '202': 20 });
    const { version } = await who.statusOnce(journey.open, ['confirmed']);
    assert.equal(version, 4);
    const events = await eventsOf(service.database, who.credentials.applicationId);
    assert.deepEqual(
      events.map(({ sequence, type }) => `${sequence} ${type}`),
      ['1 checkout.resolved', '2 reservation.confirmed'],
    );
    const { reservations, commands: kept } = await allOf(service.database, journey.checkoutId);
    assert.equal((reservations as unknown[]).length, 1);
    assert.equal((kept as unknown[]).length, 2);
  });

  test('reservation.checkout.submit › wakes the worker: the outcome does not wait for the next poll', async () => {
    const took: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const journey = await begin(partner);
      await journey.done('saveGuest');
      const since = performance.now();
      await journey.done('submit');
      await partner.statusOnce(journey.open, ['confirmed']);
      took.push(performance.now() - since);
    }
    const [, , median = Infinity] = took.toSorted((a, b) => a - b);
    assert.ok(median < 700, took.join(' '));
  });

  test('commands of one version › of different concurrent commands, one takes effect', async () => {
    const card = await service.partner({ settlement: 'card' });
    const journey = await begin(card);
    await journey.done('saveGuest');
    const racing = commands.filter((name) => name !== 'submit' && name !== 'verifyPayment');
    const replies = await atOnce((index) => {
      const command = racing[index % racing.length] as Command;
      const body = command === 'saveGuest' ? { guest: guest(`n${index}`) } : {};
      return journey.send(command, { body });
    }, 15);
    const { '412 precondition_failed': stale = 0 } = countByOutcome(replies);
    const { state, version } = await journey.read();
    assert.equal(state, 'needs_payment');
    // The result of a requested setup raises the version once more.
    assert.ok(version === 3 || version === 4, String(version));
    assert.ok(stale >= 10, JSON.stringify(countByOutcome(replies)));
    const { commands: kept } = await allOf(service.database, journey.checkoutId);
    assert.equal((kept as unknown[]).length, 2, 'the first guest, and the one that won');
  });
});
