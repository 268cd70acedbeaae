import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../../src/contract/partner/schemas/checkout.ts';
import { openTestWorker, type TestWorker } from '../../harness/test-worker.ts';
import { assertError, journeyTo, type Journey } from '../../harness/journey.ts';
import { guest, type Partner } from '../../harness/partner.ts';
import { aged, allOf, sql } from '../../harness/rows.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

const reference = /^LK-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;

/** What a state shows beside the members that every state has, the payment setup apart. */
const shown: Record<Checkout['state'], { nextActions: string[]; members: string[] }> = {
  needs_guest: { nextActions: ['save_guest'], members: [] },
  needs_payment: { nextActions: ['setup_payment'], members: [] },
  ready: { nextActions: ['submit'], members: [] },
  pending: { nextActions: ['poll'], members: ['pollAfterSeconds'] },
  requires_action: { nextActions: ['verify_payment'], members: [] },
  uncertain: { nextActions: ['poll'], members: ['pollAfterSeconds', 'uncertain'] },
  confirmed: { nextActions: ['view_confirmation'], members: ['reference'] },
  failed: { nextActions: ['contact_support'], members: ['failure'] },
  expired: { nextActions: ['refresh_quote'], members: ['failure'] },
};

const everywhere = [
  'checkoutId',
  'quoteId',
  'version',
  'state',
  'nextActions',
  'settlement',
  'listingId',
  'checkIn',
  'checkOut',
  'party',
  'charges',
  'terms',
  'promotionCode',
  'partnerReference',
  'guest',
  'quoteExpiresAt',
  'createdAt',
  'updatedAt',
];
const cardOnly = new Set<string>(['needs_payment', 'requires_action']);
const beforeSetup = new Set<string>(['needs_guest', 'needs_payment']);

suite('reservation.checkout reads', () => {
  let service: TestService;
  let testWorker: TestWorker;
  let card: Partner;
  let partner: Partner;

  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    testWorker = await openTestWorker(service.database);
    card = await service.partner({ settlement: 'card' });
    partner = await service.partner();
  });
  after(() => service.stop());

  const everyState = Object.entries(shown) as [Checkout['state'], (typeof shown)['ready']][];
  const cases = everyState.flatMap(([state, expected]) => {
    const settlements = cardOnly.has(state) ? ['card'] : ['card', 'partner'];
    return settlements.map((settlement) => ({ state, settlement, ...expected }));
  });

  for (const { state, settlement, nextActions, members } of cases) {
    let reached: Promise<Journey> | undefined;
    const reach = () =>
      (reached ??= journeyTo(state, settlement === 'card' ? card : partner, testWorker));
    const name = `${settlement}, ${state}`;

    // Spec: CHECKOUT-11.
    test(`reservation.checkout.get › 200 › ${name}: its fields, its actions, its ETag`, async () => {
      const journey = await reach();
      const reply = await journey.partner.call('reservation.checkout.get', journey.open.at);
      const checkout = reply.body as Checkout;
      const setup = settlement === 'card' && !beforeSetup.has(state) ? ['paymentSetup'] : [];
      assert.deepEqual(
        Object.keys(checkout).toSorted(),
        [...everywhere, ...members, ...setup].toSorted(),
      );
      assert.equal(reply.headers.get('etag'), `"${journey.version}"`);
      assert.equal(reply.headers.get('cache-control'), 'no-store');
      assert.equal(checkout.version, journey.version);
      assert.deepEqual(checkout.nextActions, nextActions);
      assert.equal(checkout.pollAfterSeconds, nextActions.includes('poll') ? 1 : undefined);
      assert.equal(checkout.guest === null, state === 'needs_guest');
      if (state === 'confirmed') assert.match(String(checkout.reference), reference);
      if (state === 'failed') assert.deepEqual(checkout.failure, { reason: 'refused' });
      if (state === 'expired') assert.deepEqual(checkout.failure, { reason: 'quote_expired' });
    });

    test(`reservation.checkout.getStatus › 200 › ${name}: the same values as the checkout`, async () => {
      const journey = await reach();
      const checkout = (await journey.read()) as Record<string, unknown>;
      const status = await journey.status();
      const own = ['checkoutId', 'version', 'state', 'nextActions', ...members];
      assert.deepEqual(status, Object.fromEntries(own.map((member) => [member, checkout[member]])));
    });

    test(`reservation.checkout.getConfirmation › ${name}: ${state === 'confirmed' ? '200' : '409 invalid_state'}`, async () => {
      const journey = await reach();
      const { at } = journey.open;
      if (state !== 'confirmed') {
        const error = await journey.partner.refused('reservation.checkout.getConfirmation', at);
        return assertError(error, [409, 'invalid_state']);
      }
      await assertConfirmation(journey);
    });

    // Spec: CHECKOUT-4.
    test(`reservation.checkout reads › ${name}: change nothing, even after the quote's expiry`, async () => {
      const journey = await reach();
      await aged.quote(service.database, journey.open.quote.quoteId, 3_600);
      const was = await allOf(service.database, journey.checkoutId);
      const { at } = journey.open;
      for (let round = 0; round < 2; round += 1) {
        await journey.partner.call('reservation.checkout.getConfirmation', at);
        assert.equal((await journey.status()).state, state);
        assert.equal((await journey.read()).state, state);
      }
      assert.deepEqual(await allOf(service.database, journey.checkoutId), was);
    });
  }

  async function assertConfirmation(journey: Journey): Promise<void> {
    const { quote, at } = journey.open;
    const checkout = await journey.read();
    const { confirmedAt, ...confirmation } = await journey.partner.succeed(
      'reservation.checkout.getConfirmation',
      at,
    );
    const listing = await journey.partner.succeed('distribution.listing.get', {
      params: { listingId: quote.listingId },
    });
    assert.deepEqual(confirmation, {
      reference: checkout.reference,
      stay: {
        listingId: quote.listingId,
        timeZone: listing.timeZone,
        checkIn: quote.checkIn,
        checkOut: quote.checkOut,
        nights: 3,
        party: quote.party,
      },
      charges: checkout.charges,
      partnerReference: null,
      materialization: 'pending',
    });
    assert.equal(confirmedAt, checkout.updatedAt);
  }

  test('reservation.checkout.get › guest and charges are what was saved and quoted', async () => {
    const journey = await journeyTo('ready', partner, testWorker);
    const checkout = await journey.read();
    assert.deepEqual(checkout.guest, guest());
    assert.deepEqual(checkout.charges, journey.open.quote.charges);
    assert.deepEqual(checkout.terms, journey.open.quote.terms);
    assert.equal(checkout.createdAt, journey.open.created.createdAt);
    assert.ok(checkout.updatedAt >= checkout.createdAt);
  });

  test('reservation.checkout.get › If-None-Match is ignored: a checkout is always sent', async () => {
    const journey = await journeyTo('ready', partner, testWorker);
    const headers = { 'if-none-match': '"2"' };
    const reply = await partner.call('reservation.checkout.get', { ...journey.open.at, headers });
    assert.equal(reply.status, 200);
  });

  // Spec: CLOCK-2.
  test("requires_action › a jump of the database's clock neither ends the guest's hour nor adds to it", async () => {
    const { open } = await journeyTo('requires_action', card, testWorker);
    const { checkoutId } = open.created;
    const left: number[] = [];
    for (const given of ['20 minutes', '25 hours']) {
      const due = `UPDATE bookings SET due_at = now() + $2::interval WHERE booking_id = $1`;
      await sql(service.database, due, [checkoutId, given]);
      const jump = `now() + interval '2 minutes'`;
      await sql(service.database, `SELECT look_again(${jump}, ${jump}, 1000)`);
      const read = `SELECT round(extract(epoch FROM due_at - now()) / 60)::integer AS minutes FROM bookings
        WHERE booking_id = $1`;
      const [row] = await sql<{ minutes: number }>(service.database, read, [checkoutId]);
      left.push(row!.minutes);
    }
    assert.deepEqual(left, [20, 60]);
  });
});
