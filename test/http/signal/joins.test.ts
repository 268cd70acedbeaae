import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { SignalName } from '../../../src/contract/partner/schemas/signal.ts';
import { sql } from '../../harness/catalog.ts';
import type { OpenCheckout, Partner } from '../../harness/partner.ts';
import { keptSignal, plainSignal, sendSignal } from '../../harness/signals.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

let service: TestService;
let partner: Partner;
let other: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  other = await service.partner();
});
after(() => service.stop());

async function observationOf(who: Partner): Promise<string> {
  const { listingId: _, ...stay } = await who.freeStay();
  const body = { ...stay, consent: 'not_required' as const };
  return (await who.succeed('distribution.listing.search', { body })).searchObservationId ?? '';
}

const signalOf = (name: SignalName, join: object) => ({
  ...plainSignal(),
  name,
  routeFamily: 'checkout' as const,
  ...join,
});

/** Sends a signal and returns status, code and reason. */
async function resultOf(
  body: { signalId: string },
  session?: string,
  who = partner,
): Promise<string> {
  const reply = await sendSignal(who, body, session);
  const { error } = reply.body as { error?: { code: string; details?: { reason: string } } };
  if (error) assert.equal(await keptSignal(service, body.signalId), undefined, 'nothing is kept');
  return [reply.status, error?.code, error?.details?.reason].filter(Boolean).join(' ');
}

suite('cdp.signal.capture › 201 › joins are derived', () => {
  const keptJoins = async (signalId: string) => {
    const kept = (await keptSignal(service, signalId)) ?? {};
    const members = new Set(['search_observation_id', 'listing_id', 'quote_id', 'checkout_id']);
    return Object.fromEntries(Object.entries(kept).filter(([name]) => members.has(name)));
  };

  test('search_submitted › none', async () => {
    const signal = signalOf('search_submitted', {});
    assert.equal(await resultOf(signal), '201');
    assert.deepEqual(await keptJoins(signal.signalId), {});
  });

  test('search_viewed › the observation', async () => {
    const searchObservationId = await observationOf(partner);
    const signal = signalOf('search_viewed', { searchObservationId });
    assert.equal(await resultOf(signal), '201');
    assert.deepEqual(await keptJoins(signal.signalId), {
      search_observation_id: searchObservationId,
    });
  });

  test('listing_viewed › the listing, also in capitals', async () => {
    const { listingId } = await partner.freeStay();
    const signal = signalOf('listing_viewed', { listingId: listingId.toUpperCase() });
    assert.equal(await resultOf(signal), '201');
    assert.deepEqual(await keptJoins(signal.signalId), { listing_id: listingId });
  });

  for (const name of ['quote_viewed', 'reserve_clicked'] as const) {
    test(`${name} › the quote and its listing`, async () => {
      const { quoteId, listingId } = await partner.quote();
      const signal = signalOf(name, { quoteId });
      assert.equal(await resultOf(signal), '201');
      assert.deepEqual(await keptJoins(signal.signalId), {
        quote_id: quoteId,
        listing_id: listingId,
      });
    });
  }

  test('checkout_started › the checkout, its quote and its listing', async () => {
    const { quote, created, at } = await partner.checkout();
    const { checkoutId } = created;
    const signal = signalOf('checkout_started', { checkoutId });
    assert.equal(await resultOf(signal, at.session), '201');
    assert.deepEqual(await keptJoins(signal.signalId), {
      checkout_id: checkoutId,
      quote_id: quote.quoteId,
      listing_id: quote.listingId,
    });
  });
});

suite('cdp.signal.capture › 404 not_found › joins', () => {
  const none: [name: SignalName, member: string, theirs: () => Promise<string>][] = [
    ['search_viewed', 'searchObservationId', () => observationOf(other)],
    ['listing_viewed', 'listingId', () => Promise.resolve(randomUUID())],
    ['quote_viewed', 'quoteId', async () => (await other.quote()).quoteId],
    ['reserve_clicked', 'quoteId', async () => (await other.quote()).quoteId],
    ['checkout_started', 'checkoutId', async () => (await other.checkout()).created.checkoutId],
    [
      'details_completed',
      'checkoutId',
      async () => (await other.readyCheckout()).created.checkoutId,
    ],
  ];
  for (const [name, member, theirs] of none) {
    test(`${name} › unknown, or of another application`, async () => {
      for (const id of [randomUUID(), await theirs()]) {
        assert.equal(await resultOf(signalOf(name, { [member]: id }), 'any'), '404 not_found');
      }
    });
  }

  test("404 › a reservation request's ID is not a checkout's", async () => {
    const { reservationRequestId } = await partner.request();
    const signal = signalOf('checkout_started', { checkoutId: reservationRequestId });
    assert.equal(await resultOf(signal, 'any'), '404 not_found');
  });
});

suite('cdp.signal.capture › 403 forbidden › session', () => {
  test('session_capability › missing, wrong, of another checkout', async () => {
    const [open, another] = [await partner.checkout(), await partner.checkout()];
    const signal = () => signalOf('checkout_started', { checkoutId: open.created.checkoutId });
    const { session } = open.at;
    for (const wrong of [undefined, '', 'x', session.slice(1), `${session}=`, another.at.session]) {
      assert.equal(await resultOf(signal(), wrong), '403 forbidden session_capability');
    }
    assert.equal(await resultOf(signal(), session), '201');
  });

  test('session_capability › comes before the state', async () => {
    const open = await partner.checkout();
    const signal = signalOf('confirmation_viewed', { checkoutId: open.created.checkoutId });
    assert.equal(await resultOf(signal), '403 forbidden session_capability');
    assert.equal(await resultOf(signal, open.at.session), '409 invalid_state');
  });

  test('session_capability › a repeat needs it too', async () => {
    const open = await partner.checkout();
    const signal = signalOf('checkout_started', { checkoutId: open.created.checkoutId });
    assert.equal(await resultOf(signal, open.at.session), '201');
    assert.equal((await sendSignal(partner, signal)).status, 403);
    assert.equal((await sendSignal(partner, signal, open.at.session)).status, 200);
  });

  test('session_expired', async () => {
    const open = await partner.checkout();
    const { checkoutId } = open.created;
    await sql(service, 'UPDATE bookings SET session_expires_at = now() WHERE booking_id = $1', [
      checkoutId,
    ]);
    const signal = signalOf('checkout_started', { checkoutId });
    assert.equal(await resultOf(signal, open.at.session), '403 forbidden session_expired');
  });
});

suite('cdp.signal.capture › state', () => {
  const names = [
    'checkout_started',
    'details_completed',
    'payment_submitted',
    'confirmation_viewed',
  ] as const;
  /** How many of the four, in their order, a checkout in this state bears out. */
  const states: [state: string, open: () => Promise<[Partner, OpenCheckout]>, borneOut: number][] =
    [
      ['needs_guest', async () => [partner, await partner.checkout()], 1],
      ['ready', async () => [partner, await partner.readyCheckout()], 2],
      ['needs_payment', cardCheckout, 2],
      ['requires_action', authenticating, 2],
      ['uncertain', () => submitted('uncertain', 'uncertain'), 3],
      ['confirmed', () => submitted(undefined, 'confirmed'), 4],
      ['failed', () => submitted('failed', 'failed'), 2],
      ['expired', () => submitted('quote_expired', 'expired'), 2],
    ];

  async function cardCheckout(): Promise<[Partner, OpenCheckout]> {
    const card = await service.partner({ settlement: 'card' });
    return [card, await card.readyCheckout()];
  }

  async function authenticating(): Promise<[Partner, OpenCheckout]> {
    const card = await service.partner({ settlement: 'card' });
    const { open, checkout } = await card.setUpCheckout();
    const setupReference = checkout.paymentSetup?.setupReference ?? '';
    const method = {
      paymentMethodId: 'pm_simulated_requires_action',
      consentAccepted: true as const,
    };
    const { version: expectedVersion } = checkout;
    const body = { expectedVersion, setupReference, ...method };
    const { version } = await card.succeed('reservation.checkout.verifyPayment', {
      ...open.at,
      body,
    });
    const terms = { termsVersion: open.quote.terms.version, termsAccepted: true as const };
    const submission = { expectedVersion: version, ...terms };
    await card.succeed('reservation.checkout.submit', { ...open.at, body: submission });
    return [card, open];
  }

  async function submitted(
    suffix: string | undefined,
    state: 'uncertain' | 'confirmed' | 'failed' | 'expired',
  ): Promise<[Partner, OpenCheckout]> {
    const open = await partner.submittedCheckout(suffix);
    await partner.statusOnce(open, [state]);
    return [partner, open];
  }

  for (const [state, make, borneOut] of states) {
    // Spec: SIGNAL-5.
    test(`${state} › ${names.slice(0, borneOut).join(', ')}; 409 invalid_state for the others`, async () => {
      const [who, open] = await make();
      const { checkoutId } = open.created;
      assert.equal((await who.succeed('reservation.checkout.get', open.at)).state, state);
      for (const [at, name] of names.entries()) {
        const expected = at < borneOut ? '201' : '409 invalid_state';
        assert.equal(
          await resultOf(signalOf(name, { checkoutId }), open.at.session, who),
          expected,
          name,
        );
      }
    });
  }

  test('pending › payment_submitted', async () => {
    const open = await partner.submittedCheckout('uncertain');
    await partner.statusOnce(open, ['uncertain']);
    const { checkoutId } = open.created;
    await sql(
      service,
      `UPDATE bookings SET state = 'pending', due_at = NULL WHERE booking_id = $1`,
      [checkoutId],
    );
    const signal = signalOf('payment_submitted', { checkoutId });
    assert.equal(await resultOf(signal, open.at.session), '201');
    const early = signalOf('confirmation_viewed', { checkoutId });
    assert.equal(await resultOf(early, open.at.session), '409 invalid_state');
  });
});
