import assert from 'node:assert/strict';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { Database } from '../../../src/platform/postgres/database.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import { changeListing, withdrawHomes } from '../../harness/catalog.ts';
import { eventually } from '../../harness/eventually.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { journeyTo, quoteOf, bookStayOf } from '../../harness/journey.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { eventsOf, sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

/** A change of the home or of the application. */
type Change = (database: Database, listingId: string, applicationId: string) => Promise<unknown>;

const ofHome =
  (change: (home: Listing) => Partial<Listing>): Change =>
  (database, listingId) =>
    changeListing(database, listingId, change);

const ofApplication =
  (change: string): Change =>
  (database, _listingId, applicationId) =>
    sql(database, `UPDATE applications SET ${change} WHERE application_id = $1`, [applicationId]);

const dearer = ofHome(({ rates }) => ({
  rates: { ...rates, nightly: rates.nightly! + 10_000, weekdays: {} },
}));

/** What happens between submit and resolution, and what comes of it; undefined: it confirms. */
const cases: [what: string, change: Change, reason: string | undefined][] = [
  ['the nights cost more', dearer, 'price_changed'],
  [
    'a fee was added',
    ofHome(({ fees }) => ({
      fees: [{ kind: 'fee', label: 'Linen', per: 'stay', amount: 1 }, ...fees],
    })),
    'price_changed',
  ],
  ['the currency is another', ofHome(() => ({ currency: 'NZD' })), 'price_changed'],
  [
    'a policy was reworded',
    ofHome(() => ({ policies: [{ label: 'House rules', body: 'Quite other ones.' }] })),
    'policy_changed',
  ],
  [
    'the cancellation rules are others',
    ofHome(() => ({ cancellation: [{ daysBefore: 99, refundPercent: 42 }] })),
    'policy_changed',
  ],
  [
    'the home is no longer sold',
    (database, listingId) => withdrawHomes(database, [listingId]),
    'sold_out',
  ],
  [
    'only its description was reworded',
    ofHome(() => ({ description: 'Other words.', name: 'Another name' })),
    undefined,
  ],
  ['the channel adjustment is another', ofApplication('adjust_percent = 8'), 'price_changed'],
  ['the application was suspended', ofApplication('suspended_at = now()'), 'authority_revoked'],
  [
    'the grant to book was taken away',
    ofApplication(`grants = array_remove(grants, 'checkout')`),
    'authority_revoked',
  ],
  [
    'another grant was taken away',
    ofApplication(`grants = array_remove(grants, 'signals')`),
    undefined,
  ],
];

suite('everything is checked again at the resolution', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
  });
  after(() => service.stop());

  /** A home of its own for every test, since what a test does to it stays. */
  beforeEach(async () => {
    partner = await service.partner();
    bookStayOf(partner, await untouchedStay());
  });

  const touched = new Set<string>();

  async function untouchedStay() {
    const party = { adults: 2 };
    for (let ahead = 30; ahead < 120; ahead += 1) {
      const body = { checkIn: daysAhead(ahead), checkOut: daysAhead(ahead + 3), party, limit: 50 };
      const { items } = await partner.succeed('distribution.listing.search', { body });
      const found = items.find(({ listing }) => !touched.has(listing.listingId));
      if (!found) continue;
      const { listingId } = found.listing;
      touched.add(listingId);
      return { listingId, checkIn: body.checkIn, checkOut: body.checkOut, party };
    }
    throw new Error('nothing is free');
  }

  const make = (change: Change, quote: Quote) =>
    change(service.database, quote.listingId, partner.credentials.applicationId);

  async function restoreApplication(): Promise<void> {
    await sql(
      service.database,
      `UPDATE applications SET suspended_at = NULL,
        grants = ARRAY['catalog', 'search', 'quotes', 'checkout', 'signals']
        WHERE application_id = $1`,
      [partner.credentials.applicationId],
    );
    await eventually(
      async () => (await partner.call('reservation.reservationRequest.list')).status === 200,
    );
  }

  async function assertEvents(bookingId: string, state: string): Promise<void> {
    const events = await eventsOf(service.database, partner.credentials.applicationId);
    const own = events.filter(({ data }) => data['checkoutId'] === bookingId);
    const resolved = `checkout.resolved ${state}`;
    assert.deepEqual(
      own.map(({ type, data }) => `${type} ${String(data['state'])}`),
      state === 'failed' ? [resolved] : [resolved, 'reservation.confirmed confirmed'],
    );
  }

  for (const [what, change, reason] of cases) {
    const state = reason === undefined ? 'confirmed' : 'failed';
    const failure = reason === undefined ? undefined : { reason };

    // Spec: RESOLUTION-1.
    test(`checkout › ${what} › ${state} ${reason ?? ''}`, async () => {
      const journey = await journeyTo('pending', partner, testWorker);
      await make(change, journey.open.quote);
      await testWorker.runDue();
      await restoreApplication();
      const checkout = await journey.read();
      assert.equal(checkout.state, state);
      assert.equal(checkout.failure?.reason, failure?.reason);
      await assertEvents(journey.checkoutId, state);
    });

    test(`request › ${what} › ${state} ${reason ?? ''}`, async () => {
      const quote = await quoteOf(partner);
      const { reservationRequestId } = await partner.request(quote);
      await make(change, quote);
      await testWorker.runDue();
      await restoreApplication();
      const params = { reservationRequestId };
      const request = await partner.succeed('reservation.reservationRequest.get', { params });
      assert.equal(request.state, state);
      assert.equal(request.failure?.reason, failure?.reason);
      await assertEvents(reservationRequestId, state);
    });
  }

  const lateness: [what: string, text: string, late: boolean][] = [
    [
      'submitted 59 minutes ago',
      `UPDATE bookings SET submitted_at = submitted_at - interval '59 minutes' WHERE quote_id = $1`,
      false,
    ],
    [
      'submitted 61 minutes ago',
      `UPDATE bookings SET submitted_at = submitted_at - interval '61 minutes' WHERE quote_id = $1`,
      true,
    ],
    [
      'check-in was the day before yesterday',
      `UPDATE quotes SET check_in = current_date - 2, check_out = current_date + (check_out - check_in) - 2
        WHERE quote_id = $1`,
      true,
    ],
  ];
  for (const [what, text, late] of lateness) {
    const failure = late ? { reason: 'quote_expired' } : undefined;

    // Spec: RESOLUTION-3.
    test(`checkout › ${what} › ${late ? 'expired' : 'confirmed'}`, async () => {
      const journey = await journeyTo('pending', partner, testWorker);
      await sql(service.database, text, [journey.open.quote.quoteId]);
      await testWorker.runDue();
      const { state, ...checkout } = await journey.read();
      assert.equal(state, late ? 'expired' : 'confirmed');
      assert.equal(checkout.failure?.reason, failure?.reason);
      if (late) assert.deepEqual(checkout.nextActions, ['refresh_quote']);
    });

    test(`request › ${what} › ${late ? 'failed' : 'confirmed'}`, async () => {
      const quote = await quoteOf(partner);
      const { reservationRequestId } = await partner.request(quote);
      await sql(service.database, text, [quote.quoteId]);
      await testWorker.runDue();
      const params = { reservationRequestId };
      const request = await partner.succeed('reservation.reservationRequest.get', { params });
      assert.equal(request.state, late ? 'failed' : 'confirmed');
      assert.equal(request.failure?.reason, failure?.reason);
    });
  }

  // Spec: RESOLUTION-4.
  test('checkout › submitted long ago, but the supplier had confirmed: confirmed', async () => {
    const journey = await journeyTo('uncertain', partner, testWorker, 'uncertain_confirmed');
    const [, [, text]] = lateness as [unknown, [string, string]];
    await sql(service.database, text, [journey.open.quote.quoteId]);
    await sql(service.database, 'UPDATE simulated_attempts SET known_at = now()');
    await sql(service.database, 'UPDATE bookings SET due_at = now() WHERE due_at IS NOT NULL');
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'confirmed');
  });

  test('checkout › the hour restarts after an authentication step', async () => {
    const card = await service.partner({ settlement: 'card' });
    bookStayOf(card, await untouchedStay());
    const journey = await journeyTo('requires_action', card, testWorker);
    const [, [, text]] = lateness as [unknown, [string, string]];
    await sql(service.database, text, [journey.open.quote.quoteId]);
    const move = 'UPDATE bookings SET version = version + 1 WHERE quote_id = $1';
    await sql(service.database, move, [journey.open.quote.quoteId]);
    await journey.read();
    assert.equal((await journey.done('verifyPayment')).state, 'pending');
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'confirmed');
  });

  test('checkout › changed between quote and submit: submit is accepted, then it fails', async () => {
    const journey = await journeyTo('ready', partner, testWorker);
    await make(dearer, journey.open.quote);
    assert.equal((await journey.done('submit')).state, 'pending');
    await testWorker.runDue();
    assert.equal((await journey.read()).failure?.reason, 'price_changed');
  });

  test('checkout › with a promotion, the discounted price is compared', async () => {
    const kept = await journeyTo('needs_guest', partner, testWorker);
    await kept.done('applyPromo');
    await kept.done('saveGuest');
    await kept.done('submit');
    await testWorker.runDue();
    const { state, charges, reference = '' } = await kept.read();
    assert.equal(state, 'confirmed');
    assert.ok(charges.total < kept.open.quote.charges.total);
    const confirmation = await partner.succeed(
      'reservation.checkout.getConfirmation',
      kept.open.at,
    );
    const params = { reference };
    const reservation = await partner.succeed('reservation.reservation.get', { params });
    assert.deepEqual([confirmation.charges, reservation.charges], [charges, charges]);

    const cut = await journeyTo('needs_guest', partner, testWorker);
    await cut.done('applyPromo');
    await cut.done('saveGuest');
    await cut.done('submit');
    const offered = (off: string) =>
      sql(service.database, `UPDATE promotions SET off = ${off} WHERE code = 'WELCOME10'`);
    await offered('off - 1');
    await testWorker.runDue();
    await offered('off + 1');
    assert.equal((await cut.read()).failure?.reason, 'price_changed');
  });

  test('checkout › an attempt known to the supplier is neither repeated nor refused', async () => {
    const journey = await journeyTo('uncertain', partner, testWorker, 'uncertain_confirmed');
    await make(dearer, journey.open.quote);
    await sql(service.database, 'UPDATE simulated_attempts SET known_at = now()');
    await sql(service.database, 'UPDATE bookings SET due_at = now() WHERE due_at IS NOT NULL');
    await testWorker.runDue();
    assert.equal((await journey.read()).state, 'confirmed');
  });
});
