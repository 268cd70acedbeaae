import assert from 'node:assert/strict';
import { sql } from '../harness/rows.ts';
import { after, before, suite, test } from 'node:test';
import type { Checkout } from '../../src/contract/partner/schemas/checkout.ts';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import type { CardName } from '../harness/stripe/cards.ts';
import { post, postAll, signed } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';

suite('card payments over HTTP', () => {
  let service: PaidService;
  let card: Partner;

  before(async () => {
    service = await startPaidService();
    card = await service.partner({ settlement: 'card' });
  });
  after(() => service.stop());

  const until = async (journey: Journey, isSo: (checkout: Checkout) => boolean): Promise<void> =>
    eventually(async () => isSo(await journey.read()), 20_000);

  /** A checkout whose guest has entered the card. */
  async function readyToSubmit(name: CardName): Promise<Journey> {
    const journey = new Journey(card, await card.checkout());
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await until(journey, ({ paymentSetup }) => paymentSetup?.state === 'ready');
    const { paymentSetup } = await journey.read();
    assert.equal(paymentSetup?.kind, 'stripe');
    assert.equal(paymentSetup.publishableKey, 'pk_test_standin');
    const paymentMethodId = service.standIn.guest.confirmSetup(paymentSetup.clientSecret!, name);
    await journey.done('verifyPayment', { body: { paymentMethodId } });
    return journey;
  }

  const movementsOf = (journey: Journey): string[] =>
    service.standIn.ledger
      .filter(({ paymentIntent }) => {
        const payment = service.standIn.payments.get(paymentIntent);
        return payment?.metadata['checkoutId'] === journey.checkoutId;
      })
      .map(({ kind }) => kind);

  // Spec: CARD-8.
  test('a guest with a card: hosted fields, authorized, confirmed, captured', async () => {
    const journey = await readyToSubmit('pm_card_visa');
    await journey.send('submit');
    await until(journey, ({ state }) => state !== 'pending');
    const { state, charges } = await journey.read();
    assert.equal(state, 'confirmed');
    assert.deepEqual(movementsOf(journey), ['authorized', 'captured']);
    assert.equal(service.standIn.ledger.at(-1)?.amount, charges.dueNow);
  });

  // Spec: CARD-7.
  test('a declined card: failed, refused, and no money moved', async () => {
    const journey = await readyToSubmit('pm_card_chargeCustomerFail');
    await journey.send('submit');
    await until(journey, ({ state }) => state !== 'pending');
    const { state, failure } = await journey.read();
    assert.deepEqual([state, failure?.reason], ['failed', 'refused']);
    assert.deepEqual(movementsOf(journey), []);
  });

  test('the bank wants the guest: requires_action, authenticated in the browser, confirmed', async () => {
    const journey = await readyToSubmit('pm_card_authenticationRequired');
    await journey.send('submit');
    await until(journey, ({ state }) => state === 'requires_action');
    const { paymentSetup, nextActions } = await journey.read();
    assert.deepEqual(nextActions, ['verify_payment']);
    assert.equal(paymentSetup?.setupReference, journey.setupReference);
    service.standIn.guest.authenticate(paymentSetup.clientSecret!);
    const continued = await journey.send('verifyPayment');
    assert.equal(continued.status, 202);
    await until(journey, ({ state }) => state !== 'pending');
    assert.equal((await journey.read()).state, 'confirmed');
    assert.deepEqual(movementsOf(journey), ['authorized', 'captured']);
  });

  suite('events of the provider', () => {
    /** Lets a checkout wait for an hour; a worker that has it loses its claim. */
    const waitAnHour = (journey: Journey) =>
      service.database.query(
        {
          name: 'test-wait',
          text: `UPDATE bookings SET due_at = now() + interval '1 hour', fence = fence + 1
            WHERE booking_id = $1`,
        },
        [journey.checkoutId],
      );

    const disputesOf = (journey: Journey) =>
      service.database.query<{ details: Record<string, unknown>; amount: number }>(
        {
          name: 'test-disputes',
          text: `SELECT details, amount_minor::int AS amount FROM payment_entries
            WHERE checkout_id = $1 AND kind = 'disputed'`,
        },
        [journey.checkoutId],
      );

    test('an event ends the wait of a checkout whose outcome is not known', async () => {
      const journey = await readyToSubmit('pm_card_visa');
      // The provider does not answer lookups either, so the checkout stays uncertain.
      let isOver = false;
      service.standIn.faultOf = ({ name }) => {
        if (isOver || !name.includes('/v1/payment_intents')) return null;
        return name === 'POST /v1/payment_intents' ? 'cut_after' : '429';
      };
      await journey.send('submit');
      await until(journey, ({ state }) => state === 'uncertain');
      await waitAnHour(journey);
      isOver = true;
      await postAll(service.origin, service.standIn.events, webhookSecret);
      await until(journey, ({ state }) => state === 'confirmed');
      assert.deepEqual(movementsOf(journey), ['authorized', 'captured']);
    });

    test('all events of the provider, twice and the newest first, change nothing', async () => {
      const counts = async () => {
        const tables = ['payment_intents', 'payment_entries', 'events', 'reservations'];
        const rows = await service.database.query<Record<string, number>>({
          name: 'test-counts',
          text: `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join()}`,
        });
        return rows[0];
      };
      const found = await counts();
      await postAll(service.origin, service.standIn.events, webhookSecret);
      assert.deepEqual(await counts(), found);
    });

    test('a dispute is noted once for staff', async () => {
      const journey = await readyToSubmit('pm_card_visa');
      await journey.send('submit');
      await until(journey, ({ state }) => state === 'confirmed');
      const { paymentIntent } = service.standIn.ledger.at(-1)!;
      const dispute = service.standIn.dispute(paymentIntent);
      const event = service.standIn.events.at(-1)!;
      for (let time = 0; time < 3; time += 1) {
        assert.equal((await post(service.origin, signed(event, webhookSecret))).status, 200);
      }
      assert.deepEqual(await disputesOf(journey), [
        {
          amount: dispute.amount,
          details: {
            disputeReference: dispute.id,
            reason: 'fraudulent',
            state: 'needs_response',
            eventReference: event.id,
          },
        },
      ]);
    });

    // Spec: MONEY-12.
    test('503 › a dispute of a payment whose answer is awaited, until its name is known', async () => {
      const journey = await readyToSubmit('pm_card_visa');
      let isOver = false;
      service.standIn.faultOf = ({ name }) => {
        if (isOver || !name.includes('/v1/payment_intents')) return null;
        return name === 'POST /v1/payment_intents' ? 'cut_after' : '429';
      };
      await journey.send('submit');
      await until(journey, ({ state }) => state === 'uncertain');
      const payment = [...service.standIn.payments.values()].at(-1)!;
      const dispute = { ...service.standIn.dispute(payment.id), amount: payment.amount };
      const told = { ...service.standIn.events.at(-1)!, data: { object: dispute } };
      const tell = async () => (await post(service.origin, signed(told, webhookSecret))).status;
      assert.equal(await tell(), 503);
      const age = `UPDATE payment_intents SET created_at = created_at + $1::interval WHERE provider_reference IS NULL`;
      await sql(service.database, age, ['-24 hours']);
      assert.equal(await tell(), 200, 'nobody waits for it any more');
      assert.equal((await disputesOf(journey)).length, 0);
      await sql(service.database, age, ['24 hours']);
      assert.equal(await tell(), 503);
      isOver = true;
      const ofPayments = service.standIn.events.filter(({ type }) => type.startsWith('payment_'));
      await postAll(service.origin, ofPayments, webhookSecret);
      await until(journey, ({ state }) => state === 'confirmed');
      assert.equal(await tell(), 200);
      assert.equal((await disputesOf(journey)).length, 1);
    });

    const event = { id: 'evt_1', object: 'event', type: 'payment_intent.succeeded' };
    const aboutNobody = {
      ...event,
      data: { object: { id: 'pi_of_another_program', metadata: { payment_id: 'x' } } },
    };
    const right = () => signed(aboutNobody, webhookSecret);
    const old = Date.now() - 301_000;
    const cases: readonly (readonly [string, () => Parameters<typeof post>[1], number])[] = [
      ['about a payment of another program', right, 200],
      [
        'of a type that says nothing of a payment',
        () => signed({ ...event, type: 'payout.paid', data: { object: {} } }, webhookSecret),
        200,
      ],
      ['signed with another secret', () => signed(aboutNobody, 'whsec_other'), 400],
      ['changed after it was signed', () => ({ ...right(), body: `${right().body} ` }), 400],
      ['signed more than five minutes ago', () => signed(aboutNobody, webhookSecret, old), 400],
      ['without a signature', () => ({ body: right().body }), 400],
      ['without a body', () => ({ signature: right().signature }), 400],
      ['with a signature that is none', () => ({ ...right(), signature: 'x' }), 400],
      [
        'of 300 KB',
        () => signed({ ...aboutNobody, padding: 'x'.repeat(300_000) }, webhookSecret),
        400,
      ],
      [
        'of 100 KB',
        () => signed({ ...aboutNobody, padding: 'x'.repeat(100_000) }, webhookSecret),
        200,
      ],
    ];
    for (const [name, sent, status] of cases) {
      test(`an event ${name}: ${status}`, async () => {
        const response = await post(service.origin, sent());
        assert.equal(response.status, status, await response.text());
      });
    }
  });
});
