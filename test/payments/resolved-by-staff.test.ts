/** Staff resolve checkouts whose payment did not become known, and a payment method is verified at the provider. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, suite, test } from 'node:test';
import type { StaffContext, Supply } from '../../src/bookings/index.ts';
import { sweepAbandonedCheckouts } from '../../src/bookings/store/abandoned-bookings.ts';
import { findCheckout } from '../../src/bookings/store/checkouts.ts';
import { type CardProvider, createStripeProvider } from '../../src/payments/index.ts';
import { insertRefundOfRest } from '../../src/payments/store/refunds-of-returns.ts';
import { checkRefunds } from '../../src/payments/collection/check-refunds.ts';
import { staffContext } from '../../src/program/staff-context.ts';
import { eventually } from '../harness/eventually.ts';
import { Journey } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { actor } from '../harness/staff.ts';
import { standInFetch } from '../harness/stripe/in-process.ts';
import { post, signed } from '../harness/stripe/events.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';
import type { Call, Fault } from '../harness/stripe/stand-in.ts';
import {
  RefusedAct,
  reconcilePayments,
  refusedBecause,
  resolveCheckout,
  showCheckout,
} from '../harness/acts.ts';

const reason = 'The guest has called.';
const create = 'POST /v1/payment_intents';
const capture = 'POST /v1/payment_intents/{id}/capture';
const isPayment = ({ name }: Call): boolean => name.includes('/v1/payment_intents');

suite('card payments resolved by staff', () => {
  let service: PaidService;
  let staff: StaffContext;
  let card: Partner;
  let provider: CardProvider;

  before(async () => {
    service = await startPaidService();
    card = await service.partner({ settlement: 'card' });
    provider = await createStripeProvider(
      { secretKey: 'sk_test_standin', publishableKey: 'pk_test_standin', apiUrl: null },
      standInFetch(service.standIn),
    );
    staff = staffContext(service.database, 'test', () => undefined, provider);
  });
  after(() => service.stop());
  beforeEach(() => {
    service.standIn.faultOf = () => null;
  });

  async function prepared(): Promise<Journey> {
    const journey = new Journey(card, await card.checkout());
    await journey.done('saveGuest');
    await journey.done('setupPayment');
    await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', 20_000);
    return journey;
  }

  async function filled(journey: Journey): Promise<string> {
    const { paymentSetup } = await journey.read();
    const method = service.standIn.guest.confirmSetup(paymentSetup!.clientSecret!, 'pm_card_visa');
    assert.ok(method);
    return method;
  }

  /** A checkout whose payment is not known, and that no worker looks up. */
  async function uncertain(faultOf: (call: Call) => Fault | null): Promise<Journey> {
    const journey = await prepared();
    await journey.done('verifyPayment', { body: { paymentMethodId: await filled(journey) } });
    service.standIn.faultOf = faultOf;
    await journey.send('submit');
    await eventually(async () => (await journey.read()).state === 'uncertain', 20_000);
    await sql(
      service.database,
      `UPDATE bookings SET due_at = NULL, fence = fence + 1 WHERE booking_id = $1`,
      [journey.checkoutId],
    );
    return journey;
  }

  const movementsOf = ({ checkoutId }: Journey): string[] =>
    service.standIn.ledger
      .filter(({ paymentIntent }) => {
        const payment = service.standIn.payments.get(paymentIntent);
        return payment?.metadata['checkoutId'] === checkoutId;
      })
      .map(({ kind }) => kind);

  /** Waits until the money has moved so. What must not happen is seen at the end of a test. */
  async function moved(journey: Journey, kinds: readonly string[]): Promise<void> {
    await eventually(async () => movementsOf(journey).length >= kinds.length, 30_000);
    assert.deepEqual(movementsOf(journey), kinds);
    await eventually(async () => {
      const payments = await paymentsOf(journey);
      return payments.every(([state]) => state === 'captured' || state === 'voided');
    }, 30_000);
  }

  const resolve = ({ checkoutId }: Journey, as: 'confirmed' | 'failed') =>
    resolveCheckout(staff, actor, { checkoutId, as, reason });

  const paymentsOf = async ({ checkoutId }: Journey) =>
    (await showCheckout(staff, { checkoutId })).evidence.payments.map(({ state, refunded }) => [
      state,
      refunded > 0,
    ]);

  const uncaptured = (call: Call): Fault | null => (call.name === capture ? 'cut_before' : null);
  const capturedInSecret = (call: Call): Fault | null => {
    if (call.name === capture) return 'cut_after';
    return call.request.method === 'GET' && isPayment(call) ? '429' : null;
  };

  test('resolved as confirmed: the authorized payment is captured', async () => {
    const journey = await uncertain(uncaptured);
    service.standIn.faultOf = () => null;
    const resolved = await resolve(journey, 'confirmed');
    assert.deepEqual([resolved.state, resolved.payment.follows], ['confirmed', 'capture']);
    await moved(journey, ['authorized', 'captured']);
    assert.deepEqual(await paymentsOf(journey), [['captured', false]]);
  });

  test('resolved as failed: the authorized payment is voided', async () => {
    const journey = await uncertain(uncaptured);
    service.standIn.faultOf = () => null;
    const resolved = await resolve(journey, 'failed');
    assert.deepEqual([resolved.failure, resolved.payment.follows], ['refused', 'find_out']);
    await moved(journey, ['authorized', 'released']);
    assert.deepEqual(await paymentsOf(journey), [['voided', false]]);
  });

  test('resolved as failed: the captured payment is refunded', async () => {
    const journey = await uncertain(capturedInSecret);
    service.standIn.faultOf = () => null;
    assert.equal((await resolve(journey, 'failed')).state, 'failed');
    await moved(journey, ['authorized', 'captured', 'refunded']);
    await eventually(async () => (await paymentsOf(journey)).join() === 'captured,true');
  });

  test('a refund that the bank sends back after its checkout has failed is named by reconcile', async () => {
    const journey = await uncertain(capturedInSecret);
    service.standIn.faultOf = () => null;
    await resolve(journey, 'failed');
    await moved(journey, ['authorized', 'captured', 'refunded']);
    const refund = [...service.standIn.refunds.values()].at(-1)!;
    service.standIn.finishRefund(refund.id, 'failed');
    const event = service.standIn.events.at(-1)!;
    assert.equal((await post(service.origin, signed(event, webhookSecret))).status, 200);
    const log = { warn: () => undefined };
    await checkRefunds({ executor: service.database, provider, log }, 8);
    assert.deepEqual(await paymentsOf(journey), [['captured', false]]);
    const context = { executor: service.database, provider, signal: AbortSignal.timeout(20_000) };
    const { differences } = await reconcilePayments(context, Date.now() - 3_600_000);
    assert.deepEqual(
      differences.map(({ kind, providerReference }) => [kind, providerReference]),
      [['not_returned', refund.payment_intent]],
    );
  });

  /** Every call of the provider fails. */
  const down = (): void => {
    service.standIn.faultOf = () => '429';
  };

  const lostAnswer = (call: Call): Fault | null => {
    if (call.name === create) return 'cut_after';
    return isPayment(call) ? '429' : null;
  };

  for (const [name, fault, back] of [
    ['authorized', lostAnswer, ['authorized', 'released']],
    ['captured', capturedInSecret, ['authorized', 'captured', 'refunded']],
  ] as const) {
    // Spec: UNCERTAIN-7.
    test(`"it was not made" binds while the provider does not answer: what it has ${name} goes back by itself`, async () => {
      const journey = await uncertain(fault);
      down();
      const sent = service.standIn.calls.filter(({ name: call }) => call === create).length;
      const { checkoutId } = journey;
      const input = { checkoutId, as: 'failed', reason } as const;
      const preview = await resolveCheckout(staff, actor, { ...input, dryRun: true });
      assert.deepEqual([preview.state, preview.payment.follows], ['failed', 'find_out']);
      assert.equal((await journey.read()).state, 'uncertain');
      const resolved = await resolveCheckout(staff, actor, input);
      assert.deepEqual([resolved.state, resolved.payment], ['failed', preview.payment]);
      const { state, failure } = await journey.read();
      assert.deepEqual([state, failure], ['failed', { reason: 'refused' }]);
      assert.deepEqual(await heldNights(journey), []);
      service.standIn.faultOf = () => null;
      await moved(journey, back);
      const later = service.standIn.calls.filter(({ name: call }) => call === create).length;
      assert.equal(later, sent, 'the payment was not sent again');
    });
  }

  test('"it was made" binds while the provider does not answer: the money is captured by itself', async () => {
    const journey = await uncertain(lostAnswer);
    down();
    const resolved = await resolve(journey, 'confirmed');
    assert.deepEqual([resolved.state, resolved.payment.follows], ['confirmed', 'find_out']);
    assert.equal((await journey.read()).state, 'confirmed');
    service.standIn.faultOf = () => null;
    await moved(journey, ['authorized', 'captured']);
  });

  test('two members of staff decide at once: one decision is stored, the other is refused', async () => {
    const journey = await uncertain(uncaptured);
    service.standIn.faultOf = () => null;
    const both = await Promise.allSettled([
      resolve(journey, 'failed'),
      resolve(journey, 'confirmed'),
    ]);
    const stored = both.filter(({ status }) => status === 'fulfilled');
    assert.equal(stored.length, 1);
    const refused = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    assert.match(
      String(refused.reason.message),
      /staff resolve only what is uncertain|only be resolved/,
    );
    const { state } = await journey.read();
    await moved(journey, ['authorized', state === 'confirmed' ? 'captured' : 'released']);
  });

  test('a worker that holds a claim sends nothing after the decision, neither a payment nor a capture', async () => {
    const journey = await uncertain(uncaptured);
    service.standIn.faultOf = () => null;
    const { applicationId } = card.credentials;
    // What the worker has read.
    const found = await findCheckout(service.database, applicationId, journey.checkoutId);
    const { checkout } = found!;
    await resolve(journey, 'failed');
    const signal = new AbortController().signal;
    const unknown = { outcome: 'unknown' };
    assert.deepEqual(await staff.payment.capture(checkout, signal), unknown);
    await moved(journey, ['authorized', 'released']);
    const another = { ...checkout, attemptId: randomUUID() };
    assert.deepEqual(await staff.payment.authorize(another, signal), unknown);
    await moved(journey, ['authorized', 'released']);
  });

  // Spec: UNCERTAIN-3.
  test('a payment that arrives after it was given up goes back by itself', async () => {
    const journey = await uncertain((call) =>
      call.name === create ? 'late' : isPayment(call) ? '429' : null,
    );
    await resolve(journey, 'failed');
    const missing = `UPDATE payment_intents SET asked_at = now() - interval '10 minutes',
      missing_at = now() - interval '5 minutes' WHERE checkout_id = $1`;
    await sql(service.database, missing, [journey.checkoutId]);
    service.standIn.faultOf = () => null;
    await eventually(async () => (await paymentsOf(journey))[0]?.[0] === 'voided', 30_000);
    assert.deepEqual(movementsOf(journey), []);
    service.standIn.finishLate(true);
    const event = service.standIn.events.at(-1)!;
    assert.equal(event.type, 'payment_intent.amount_capturable_updated');
    assert.equal((await post(service.origin, signed(event, webhookSecret))).status, 200);
    await moved(journey, ['authorized', 'released']);
  });

  test('without money, a checkout cannot be confirmed, in the preview neither', async () => {
    const journey = await uncertain(uncaptured);
    service.standIn.faultOf = () => null;
    const { checkoutId } = journey;
    const [payment] = [...service.standIn.payments.values()].slice(-1);
    service.standIn.expireAuthorization(payment!.id);
    const input = { checkoutId, as: 'confirmed', reason } as const;
    for (const dryRun of [true, false]) {
      await refusedBecause(
        resolveCheckout(staff, actor, { ...input, dryRun }),
        /only be resolved as failed/,
      );
    }
    assert.equal((await resolve(journey, 'failed')).state, 'failed');
    assert.deepEqual(movementsOf(journey), ['authorized', 'released']);
  });

  test('a refund that the bank sends back waits for staff, and is not asked for again', async () => {
    const journey = await uncertain(capturedInSecret);
    service.standIn.faultOf = () => null;
    service.standIn.refundsStayPending = true;
    await resolve(journey, 'failed');
    await eventually(async () => (await paymentsOf(journey))[0]?.[1] === true, 30_000);
    service.standIn.refundsStayPending = false;
    const lost = [...service.standIn.refunds.keys()].at(-1)!;
    service.standIn.finishRefund(lost, 'failed');
    const event = service.standIn.events.at(-1)!;
    assert.equal((await post(service.origin, signed(event, webhookSecret))).status, 200);
    await eventually(async () => (await attentionOf(journey)) === 'refund_failed', 30_000);
    assert.deepEqual(movementsOf(journey).slice(2), ['refunded', 'refund_failed']);
  });

  const heldNights = ({ checkoutId }: Journey) =>
    sql(service.database, 'SELECT FROM occupancies WHERE booking_id = $1', [checkoutId]);

  const attentionOf = async ({ checkoutId }: Journey): Promise<string | null> => {
    const [row] = await sql<{ attention: string | null }>(
      service.database,
      `SELECT r.attention FROM payment_returns r JOIN payment_intents USING (payment_id)
        WHERE checkout_id = $1`,
      [checkoutId],
    );
    return row?.attention ?? null;
  };

  const paymentIdOf = async ({ checkoutId }: Journey): Promise<string> => {
    const [payment] = await sql<{ id: string }>(
      service.database,
      'SELECT payment_id AS id FROM payment_intents WHERE checkout_id = $1',
      [checkoutId],
    );
    return payment!.id;
  };

  /** The supply of staff, whose `hold` begins with this. */
  const beforeEachHold = (act: (hold: number) => Promise<{ outcome: 'unknown' } | void>) => {
    let holds = 0;
    return {
      holds: () => holds,
      context: {
        ...staff,
        supplyOn(executor): Supply {
          const supply = staff.supplyOn(executor);
          return {
            ...supply,
            hold: async (...asked) => (await act((holds += 1))) ?? supply.hold(...asked),
          };
        },
      } satisfies StaffContext,
    };
  };

  test('while it is not known whether the nights are held, nothing is resolved', async () => {
    const journey = await uncertain(uncaptured);
    service.standIn.faultOf = () => null;
    const { checkoutId } = journey;
    const neverKnown = beforeEachHold(async () => ({ outcome: 'unknown' }));
    await refusedBecause(
      resolveCheckout(neverKnown.context, actor, { checkoutId, as: 'confirmed', reason }),
      /Nothing was changed; try again/,
    );
    assert.equal((await journey.read()).state, 'uncertain');
    assert.deepEqual(movementsOf(journey), ['authorized']);
  });

  test('a supplier that hangs is asked once: unavailable, and nothing is resolved', async () => {
    const journey = await uncertain(uncaptured);
    service.standIn.faultOf = () => null;
    const { checkoutId } = journey;
    const hanging = beforeEachHold(() => new Promise<never>(() => {}));
    await assert.rejects(
      resolveCheckout(hanging.context, actor, { checkoutId, as: 'confirmed', reason }),
      (error: unknown) => {
        assert.ok(error instanceof RefusedAct);
        assert.equal(error.refusal.refused, 'unavailable');
        assert.match(error.message, /supplier does not answer\. Nothing was changed/);
        return true;
      },
    );
    assert.equal(hanging.holds(), 1);
    assert.equal((await journey.read()).state, 'uncertain');
    assert.deepEqual(movementsOf(journey), ['authorized']);
  });

  test('a payment is not given back after its checkout was confirmed', async () => {
    const journey = await uncertain(capturedInSecret);
    service.standIn.faultOf = () => null;
    await resolve(journey, 'confirmed');
    await moved(journey, ['authorized', 'captured']);
    const paymentId = await paymentIdOf(journey);
    assert.equal(await insertRefundOfRest(service.database, paymentId, 'another'), null);
  });

  test('verifyPayment › 409 conflict › payment_method: the setup did not succeed with it', async () => {
    const journey = await prepared();
    const expected = [409, 'conflict', 'payment_method'] as const;
    await journey.refused('verifyPayment', expected, { body: { paymentMethodId: 'pm_other' } });
    const paymentMethodId = await filled(journey);
    await journey.refused('verifyPayment', expected, { body: { paymentMethodId: 'pm_other' } });
    assert.equal(
      (await journey.done('verifyPayment', { body: { paymentMethodId } })).state,
      'ready',
    );
  });

  test('verifyPayment › 503 unavailable › the provider does not answer', async () => {
    const journey = await prepared();
    const paymentMethodId = await filled(journey);
    service.standIn.faultOf = () => '429';
    await journey.refused('verifyPayment', [503, 'unavailable'], { body: { paymentMethodId } });
    service.standIn.faultOf = () => null;
    assert.equal(
      (await journey.done('verifyPayment', { body: { paymentMethodId } })).state,
      'ready',
    );
  });

  const cardOf = ({ checkoutId }: Journey) =>
    sql<{ setup: string }>(
      service.database,
      'SELECT setup_reference AS setup FROM payment_cards WHERE checkout_id = $1',
      [checkoutId],
    );

  test('verifyPayment › a late one of an earlier setup does not replace the card', async () => {
    const journey = await prepared();
    const { applicationId } = card.credentials;
    const early = await findCheckout(service.database, applicationId, journey.checkoutId);
    const earlyMethod = await filled(journey);
    const { setupReference } = (await journey.read()).paymentSetup!;
    await journey.done('setupPayment');
    await eventually(async () => (await journey.read()).paymentSetup?.state === 'ready', 20_000);
    const late = { setupReference: setupReference!, paymentMethodId: earlyMethod };
    const signal = new AbortController().signal;
    assert.equal((await staff.payment.verify(early!.checkout, late, signal)).outcome, 'done');
    assert.deepEqual(await cardOf(journey), []);
    await journey.done('verifyPayment', { body: { paymentMethodId: await filled(journey) } });
    const setup = (await journey.read()).paymentSetup!.setupReference;
    assert.deepEqual(await cardOf(journey), [{ setup }]);
    await staff.payment.verify(early!.checkout, late, signal);
    assert.deepEqual(await cardOf(journey), [{ setup }]);
  });

  // Spec: GUEST-3.
  test('the card is removed with a checkout that never became a reservation', async () => {
    const journey = await prepared();
    await journey.done('verifyPayment', { body: { paymentMethodId: await filled(journey) } });
    assert.equal((await cardOf(journey)).length, 1);
    await sql(
      service.database,
      `UPDATE bookings SET created_at = now() - interval '40 days', updated_at = now() - interval '40 days'
        WHERE booking_id = $1`,
      [journey.checkoutId],
    );
    await sweepAbandonedCheckouts(service.database, 30, 100);
    assert.deepEqual(await cardOf(journey), []);
    await journey.refused('submit', [404, 'not_found']);
  });
});
