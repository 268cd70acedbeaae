/** What staff do with the money of reservations, in a service whose card provider is the stand-in. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { StaffContext } from '../../src/bookings/index.ts';
import { type CardProvider, createStripeProvider } from '../../src/payments/index.ts';
import { staffContext } from '../../src/program/staff-context.ts';
import { plusDays } from '../harness/catalog.ts';
import { eventually } from '../harness/eventually.ts';
import type { Journey } from '../harness/journey.ts';
import type { Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { postAll } from '../harness/stripe/events.ts';
import { standInFetch } from '../harness/stripe/in-process.ts';
import { confirmedReference, submittedByCard } from '../harness/stripe/card-journey.ts';
import { type PaidService, startPaidService, webhookSecret } from '../harness/stripe/service.ts';
import {
  cancelReservation,
  changeReservation,
  listAuditTrail,
  listPayments,
  reconcilePayments,
  refundPayment,
  refusedBecause,
  showPayments,
  showReservation,
  startPayment,
} from '../harness/acts.ts';

const actor = 'test:staff';
const reason = 'The guest has called.';

suite('payments, as staff change them', () => {
  let service: PaidService;
  let card: Partner;
  let staff: StaffContext;

  before(async () => {
    service = await startPaidService();
    card = await service.partner({ settlement: 'card' });
    staff = staffContext(service.database, 'test', () => undefined);
  });
  after(() => service.stop());

  /** A confirmed reservation whose first payment is captured. */
  async function reserve(): Promise<{ reference: string; journey: Journey }> {
    const journey = await submittedByCard(service, card);
    return { reference: await confirmedReference(journey), journey };
  }

  const show = (reference: string) => showPayments(service.database, reference);
  const balanced = (reference: string, open = 0) =>
    eventually(async () => {
      const { open: now, nextAt } = await show(reference);
      return now === open && (nextAt === null || Date.parse(nextAt) > Date.now() + 60_000);
    }, 20_000);

  /** What the stand-in has of a checkout: captured and refunded. */
  const there = (journey: Journey) => {
    const own = service.standIn.ledger.filter(
      ({ paymentIntent }) =>
        service.standIn.payments.get(paymentIntent)?.metadata['checkoutId'] === journey.checkoutId,
    );
    const sum = (kind: string) =>
      own.filter((one) => one.kind === kind).reduce((all, { amount }) => all + amount, 0);
    return { collected: sum('captured'), refunded: sum('refunded') };
  };

  const lastAct = async (reference: string) =>
    (await listAuditTrail(service.database, { reference }, {})).items[0];

  test('show › balances, payments and every row of the ledger', async () => {
    const { reference, journey } = await reserve();
    const { charges } = await journey.read();
    const shown = await show(reference);
    const { due, collected, open, refunded, currency } = shown;
    assert.deepEqual(
      { due, collected, open, refunded, currency },
      {
        due: charges.total,
        collected: charges.dueNow,
        open: charges.total - charges.dueNow,
        refunded: 0,
        currency: charges.currency,
      },
    );
    assert.deepEqual(
      shown.entries.map(({ kind, debit, credit, amount }) => [kind, debit, credit, amount]),
      [
        ['requested', null, null, charges.dueNow],
        ['authorized', 'authorized', 'holds', charges.dueNow],
        ['released', 'holds', 'authorized', charges.dueNow],
        ['captured', 'collected', 'open', charges.dueNow],
        ['booked', 'open', 'due', charges.total],
      ],
    );
    assert.deepEqual(
      shown.payments.map(({ purpose, amount, state }) => [purpose, amount, state]),
      [['booking', charges.dueNow, 'captured']],
    );
    const reservation = await showReservation(staff, reference);
    assert.deepEqual(reservation.payments, shown.payments);
    assert.equal(reservation.refund.collected, charges.dueNow);
    assert.equal(reservation.refund.collectedBy, 'operator');
    assert.equal(reservation.payer, null);
  });

  test('cancel › by the terms: the preview tells it, the worker refunds it', async () => {
    const { reference, journey } = await reserve();
    const { charges } = await journey.read();
    const input = { reference, reason };
    const preview = await cancelReservation(staff, actor, { ...input, dryRun: true });
    assert.deepEqual(await show(reference).then(({ state }) => state), 'confirmed');
    const done = await cancelReservation(staff, actor, input);
    assert.deepEqual(done.refund, preview.refund);
    const { amount, collected, paidBy } = done.refund;
    assert.deepEqual([collected, paidBy], [charges.dueNow, 'operator']);
    assert.ok(amount !== null && amount > 0);
    assert.deepEqual(done.balances, {
      due: collected - amount,
      collected,
      open: -amount,
      refunded: 0,
    });
    await balanced(reference);
    assert.deepEqual(there(journey), { collected, refunded: amount });
    const entry = await lastAct(reference);
    assert.equal(entry?.action, 'reservation.cancel');
    const { balances } = entry.details as { balances: { collected: number } };
    assert.equal(balances.collected, collected);
  });

  test('cancel › nothing, or another amount, never more than was collected', async () => {
    const none = await reserve();
    await cancelReservation(staff, actor, { reference: none.reference, reason, refund: 'none' });
    await balanced(none.reference);
    assert.equal(there(none.journey).refunded, 0);
    const { reference, journey } = await reserve();
    const { collected } = await show(reference);
    await refusedBecause(
      cancelReservation(staff, actor, { reference, reason, refund: collected + 1 }),
      /more than the \d+ that have been collected/,
    );
    await cancelReservation(staff, actor, { reference, reason, refund: 1_234 });
    await balanced(reference);
    assert.equal(there(journey).refunded, 1_234);
    await refusedBecause(
      refundPayment(service.database, actor, { reference, reason, amount: collected }),
      /more than the \d+ that can be refunded/,
    );
  });

  test('change › another price is collected, then refunded', async () => {
    const { reference, journey } = await reserve();
    const { checkIn, checkOut } = journey.open.quote;
    const booked = await show(reference);
    const longer = await changeReservation(staff, actor, {
      reference,
      reason,
      checkOut: plusDays(checkOut, 20),
      price: 'recalculate',
    });
    assert.ok(longer.price.difference > 0);
    const open = longer.charges.schedule
      .slice(1)
      .reduce(
        (sum, { dueOn, amount }) =>
          sum + (dueOn > plusDays(booked.confirmedAt.slice(0, 10), 1) ? amount : 0),
        0,
      );
    await balanced(reference, open);
    const raised = await show(reference);
    assert.equal(raised.due, longer.charges.total);
    assert.equal(there(journey).collected, raised.collected);
    const shorter = await changeReservation(staff, actor, {
      reference,
      reason,
      checkOut: plusDays(checkIn, 1),
      price: 'recalculate',
    });
    assert.equal(shorter.price.overpaid, raised.collected - shorter.charges.total);
    await balanced(reference);
    const lowered = await show(reference);
    assert.equal(lowered.collected - lowered.refunded, shorter.charges.total);
    assert.deepEqual(there(journey), {
      collected: lowered.collected,
      refunded: lowered.refunded,
    });
  });

  test('refund › a part without a cancellation, once for each act, never too much', async () => {
    const { reference, journey } = await reserve();
    const { collected } = await show(reference);
    const input = { reference, reason, amount: collected - 100 };
    const preview = await refundPayment(service.database, actor, { ...input, dryRun: true });
    assert.equal((await show(reference)).entries.at(-1)?.kind, 'booked');
    const [first, second] = await Promise.allSettled([
      refundPayment(service.database, actor, input),
      refundPayment(service.database, actor, input),
    ]);
    const done = [first, second].filter(({ status }) => status === 'fulfilled');
    assert.equal(done.length, 1, 'both were given');
    await eventually(async () => there(journey).refunded === input.amount, 20_000);
    await balanced(reference, preview.after.open + input.amount);
    const entry = await lastAct(reference);
    assert.deepEqual(
      [entry?.action, entry?.details['amount'], entry?.details['reason']],
      ['payment.refund', input.amount, reason],
    );
    const [reservation] = await sql(
      service.database,
      'SELECT state FROM reservations WHERE reference = $1',
      [reference],
    );
    assert.deepEqual(reservation, { state: 'confirmed' });
  });

  test('list › what needs a decision; retry asks the provider again', async () => {
    const { reference } = await reserve();
    service.standIn.faultOf = () => null;
    service.standIn.refundRefusal = 'balance_insufficient';
    await refundPayment(service.database, actor, { reference, reason, amount: 500 });
    await eventually(async () => (await show(reference)).refusals === 1, 20_000);
    await refusedBecause(
      startPayment(service.database, actor, { reference: 'LK-0', reason }),
      /no payments of LK-0/,
    );
    await startPayment(service.database, actor, { reference, reason });
    await eventually(async () => (await show(reference)).refunds.length === 2, 20_000);
    assert.equal((await lastAct(reference))?.action, 'payment.start');

    const needing = async () =>
      (await listPayments(service.database, { needsAttention: true }, {})).items;
    await eventually(async () => (await needing()).length === 1, 20_000);
    const [item] = await needing();
    assert.deepEqual([item?.reference, item?.attention], [reference, 'refund_refused']);

    service.standIn.refundRefusal = null;
    await startPayment(service.database, actor, { reference, reason });
    await eventually(async () => (await needing()).length === 0, 20_000);
  });

  test('a refund that was made in the dashboard is named by reconcile, and adopted when it is met', async () => {
    const { reference, journey } = await reserve();
    service.standIn.faultOf = () => null;
    const { amount } = (await show(reference)).payments[0]!;
    const { paymentIntent } = service.standIn.ledger.findLast((one) => one.kind === 'captured')!;
    service.standIn.refundInDashboard(paymentIntent);
    const { differences } = await reconcile();
    assert.deepEqual(
      differences.map(({ kind, reference: named }) => [kind, named]),
      [['refunded', reference]],
    );
    assert.deepEqual(
      [differences[0]?.here?.refundedMinor, differences[0]?.there?.refundedMinor],
      [0, amount],
    );
    const { open } = await show(reference);
    await refundPayment(service.database, actor, { reference, reason, amount: 500 });
    await eventually(async () => (await show(reference)).refunded === amount, 20_000);
    await balanced(reference, open);
    const shown = await show(reference);
    assert.deepEqual(
      shown.refunds.map(({ state, amount: of, reason: because }) => [state, of, because]),
      [
        ['refused', 500, 'given back'],
        ['done', amount, 'made at the card provider'],
      ],
    );
    assert.equal(shown.attention, null);
    assert.deepEqual((await reconcile()).differences, []);
    assert.equal(there(journey).refunded, amount);
  });

  test('list › in pages, by application and day of confirmation', async () => {
    const { applicationId } = card.credentials;
    const all = (await listPayments(service.database, { applicationId }, {})).items;
    const first = await listPayments(service.database, {}, { limit: 2 });
    const rest = await listPayments(service.database, {}, { cursor: first.nextCursor! });
    assert.deepEqual([...first.items, ...rest.items], all);
    assert.ok(all.length > 3);
    const day = all[0]!.confirmedAt.slice(0, 10);
    const ofDay = await listPayments(service.database, { from: day, to: day }, {});
    assert.ok(ofDay.items.some(({ reference }) => reference === all[0]!.reference));
    const later = await listPayments(service.database, { from: plusDays(day, 2) }, {});
    assert.deepEqual(later.items, []);
    const other = await listPayments(service.database, { applicationId: randomUUID() }, {});
    assert.deepEqual(other.items, []);
  });

  const reconcile = async (days = 1, change: Partial<CardProvider> = {}, askedMs = 10_000) => {
    const settings = {
      secretKey: 'sk_test_standin',
      publishableKey: 'pk_test_standin',
      apiUrl: null,
    };
    const provider = await createStripeProvider(settings, standInFetch(service.standIn));
    const context = {
      executor: service.database,
      provider: { ...provider, ...change },
      signal: AbortSignal.timeout(20_000),
      askedMs,
    };
    return reconcilePayments(context, Date.now() - days * 86_400_000);
  };

  // Spec: MONEY-14.
  test('reconcile › payments that only one side has, and a provider that does not answer', async () => {
    const { reference } = await reserve();
    // An earlier test has left a refund of the dashboard.
    const missing = async (days?: number) =>
      (await reconcile(days)).differences.filter(({ kind }) => kind !== 'refunded');
    assert.deepEqual(await missing(), []);
    const { paymentIntent } = service.standIn.ledger.findLast((one) => one.kind === 'captured')!;
    const payment = service.standIn.payments.get(paymentIntent)!;
    const { paymentId } = (await show(reference)).payments[0]!;
    assert.equal(payment.metadata['payment_id'], paymentId);

    payment.metadata['payment_id'] = randomUUID();
    const renamed = await missing();
    assert.deepEqual(renamed.map(({ kind }) => kind).toSorted(), ['missing_here', 'missing_there']);
    service.standIn.payments.delete(paymentIntent);
    const gone = await missing();
    assert.deepEqual(
      gone.map(({ kind, reference: named }) => [kind, named]),
      [['missing_there', reference]],
    );
    service.standIn.payments.set(paymentIntent, payment);
    payment.metadata['payment_id'] = paymentId;
    assert.deepEqual(await missing(), []);

    // The provider's clock is a day behind: the days in which both sides list the payment are not the same.
    payment.created -= 86_400;
    assert.deepEqual(await missing(4), []);
    payment.metadata['payment_id'] = randomUUID();
    assert.deepEqual((await missing(4)).map(({ kind }) => kind).toSorted(), [
      'missing_here',
      'missing_there',
    ]);
    payment.metadata['payment_id'] = paymentId;
    payment.amount += 1;
    assert.deepEqual(
      (await missing(4)).map(({ kind }) => kind),
      ['amount'],
    );
    payment.amount -= 1;
    payment.created += 86_400;
    // Its event does not come.
    service.standIn.dispute(paymentIntent);
    assert.deepEqual(
      (await missing()).map(({ kind, reference: named }) => [kind, named]),
      [['disputed', reference]],
    );
    await postAll(service.origin, service.standIn.events.slice(-1), webhookSecret);
    assert.deepEqual(await missing(), []);
    service.standIn.faultOf = () => '500_before';
    await refusedBecause(reconcile(), /does not answer/);
    service.standIn.faultOf = () => null;
  });

  test('reconcile › a provider that hangs, in its list or when a payment is looked up', async () => {
    const { reference } = await reserve();
    const never = () => new Promise<never>(() => {});
    await refusedBecause(reconcile(1, { listPayments: never }, 50), /does not answer/);
    const noList = async () => ({ outcome: 'done' as const, payments: [], next: null });
    const hanging = { listPayments: noList, findPayment: never };
    const unread = (await reconcile(1, hanging, 50)).differences.find(
      (one) => one.reference === reference,
    );
    assert.equal(unread?.kind, 'unreadable');
    assert.equal((await show(reference)).payments.length, 1);
  });

  test('reconcile › a refund of today of an older payment, a payment of the dashboard, one that cannot be read', async () => {
    const { reference } = await reserve();
    const { paymentIntent } = service.standIn.ledger.findLast((one) => one.kind === 'captured')!;
    const payment = service.standIn.payments.get(paymentIntent)!;
    const of = async () =>
      (await reconcile()).differences
        .filter((one) => one.reference === reference)
        .map(({ kind, paymentId }) => [kind, paymentId === null] as const)
        .toSorted(([one], [other]) => one.localeCompare(other));
    assert.deepEqual(await of(), []);
    payment.created -= 5 * 86_400;
    await sql(
      service.database,
      `UPDATE payment_intents SET created_at = created_at - interval '5 days' WHERE provider_reference = $1`,
      [paymentIntent],
    );
    service.standIn.refundInDashboard(paymentIntent, 100);
    assert.deepEqual(await of(), [['refunded', false]]);

    const typed = { ...payment, id: `${payment.id}typed`, metadata: {} };
    typed.created += 5 * 86_400;
    service.standIn.payments.set(typed.id, typed);
    assert.deepEqual(await of(), [
      ['foreign', true],
      ['refunded', false],
    ]);
    service.standIn.payments.delete(typed.id);

    const customer = payment.customer!;
    service.standIn.faultOf = ({ request: { parameters } }) =>
      parameters['customer'] === customer ? '500_before' : null;
    assert.deepEqual(await of(), [['unreadable', false]]);
    service.standIn.faultOf = () => null;
    const event = service.standIn.events.filter(({ type }) => type === 'refund.created').slice(-1);
    await postAll(service.origin, event, webhookSecret);
    await eventually(async () => (await show(reference)).refunded === 100, 20_000);
    assert.deepEqual(await of(), []);
  });
});
