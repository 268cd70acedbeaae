import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Charges } from '../../src/contract/partner/schemas/quote.ts';
import type { Executor } from '../../src/platform/postgres/database.ts';
import { recordIntent } from '../../src/payments/store/intents.ts';
import { listEntries } from '../../src/payments/store/entries.ts';
import { CHARGES, QUOTE } from '../harness/domain-bookings.ts';
import { sql } from '../harness/rows.ts';
import { insertIntentRow } from './intent-row.ts';
import type { FakeProvider } from './fake-provider.ts';

/** A reservation whose money we collect. */
export interface PaidReservation {
  applicationId: string;
  checkoutId: string;
  reference: string;
}

/** Charges with these payments. */
export const chargesOf = (schedule: Charges['schedule']): Charges => ({
  ...CHARGES,
  total: schedule.reduce((sum, { amount }) => sum + amount, 0),
  dueNow: schedule[0]?.amount ?? 0,
  schedule,
});

/** The card of a checkout, before its reservation is made. */
const insertCard = (
  executor: Executor,
  { applicationId, checkoutId }: { applicationId: string; checkoutId: string },
) =>
  sql(
    executor,
    `INSERT INTO payment_cards (application_id, checkout_id, customer_reference, setup_reference,
      payment_method_reference) VALUES ($1, $2, $3, 'seti_1', 'pm_1')`,
    [applicationId, checkoutId, `cus_${checkoutId}`],
  );

/** The payment of a booking, captured here and at the provider. */
async function payBooking(
  executor: Executor,
  provider: FakeProvider,
  checkout: { applicationId: string; checkoutId: string; attemptId: string },
  payment: { dueOn: string; amountMinor: number },
): Promise<void> {
  const currency = CHARGES.currency;
  const intent = await insertIntentRow(executor, {
    ...checkout,
    ...payment,
    purpose: 'booking',
    currency,
    provider: provider.kind,
  });
  assert.ok(intent);
  const { providerReference } = provider.add({
    paymentId: intent.paymentId,
    amountMinor: payment.amountMinor,
    currency,
    customerReference: `cus_${checkout.checkoutId}`,
  });
  await recordIntent(executor, intent, { state: 'captured', providerReference });
}

/** Inserts a resolved checkout. */
async function insertCheckout(
  executor: Executor,
  applicationId: string,
  schedule: Charges['schedule'],
  outcome: { state: 'confirmed' | 'failed'; reference: string | null; failure: string | null },
) {
  const [checkoutId, quoteId, attemptId] = [randomUUID(), randomUUID(), randomUUID()];
  const reference = outcome.reference && `LK${checkoutId.slice(0, 8)}`;
  const charges = JSON.stringify(chargesOf(schedule));
  const party = JSON.stringify(QUOTE.party);
  const { listingId: _home, checkIn, checkOut, terms } = QUOTE;
  const [home] = await sql<{ listing_id: string }>(
    executor,
    // Its days are those of UTC.
    'SELECT listing_id FROM listings ORDER BY time_zone NULLS FIRST, listing_id LIMIT 1',
  );
  const stay = [home!.listing_id, checkIn, checkOut, party, charges];
  await sql(
    executor,
    `INSERT INTO quotes (application_id, quote_id, input_digest, listing_id, check_in, check_out, party,
        charges, terms, created_at, expires_at)
      VALUES ($1, $2, '\\x00', $3, $4, $5, $6, $7, $8, now(), now())`,
    [applicationId, quoteId, ...stay, JSON.stringify(terms)],
  );
  await sql(
    executor,
    `INSERT INTO bookings (application_id, kind, booking_id, quote_id, input_digest, settlement, version,
        state, session_nonce, session_expires_at, reference, attempt_id, submitted_at, resolved_at,
        created_at, updated_at, failure_reason)
      VALUES ($1, 'checkout', $2, $3, '\\x00', 'card', 4, $6, '\\x00', now(), $4, $5, now(), now(),
        now(), now(), $7)`,
    [applicationId, checkoutId, quoteId, reference, attemptId, outcome.state, outcome.failure],
  );
  return { applicationId, checkoutId, attemptId, reference, stay };
}

type Outcome = Parameters<typeof insertCheckout>[3];

/** Inserts a resolved checkout with its card; the first payment is captured. */
async function insertPaidCheckout(
  executor: Executor,
  provider: FakeProvider,
  applicationId: string,
  schedule: Charges['schedule'],
  outcome: Outcome,
) {
  const made = await insertCheckout(executor, applicationId, schedule, outcome);
  await insertCard(executor, made);
  const [first] = schedule;
  if (first) {
    const payment = { dueOn: first.dueOn, amountMinor: first.amount };
    await payBooking(executor, provider, made, payment);
  }
  return made;
}

async function insertReservation(
  executor: Executor,
  { applicationId, checkoutId, reference, stay }: Awaited<ReturnType<typeof insertCheckout>>,
): Promise<PaidReservation> {
  await sql(
    executor,
    `INSERT INTO reservations (reference, application_id, kind, booking_id, state, listing_id, check_in,
        check_out, party, charges, confirmed_at, updated_at)
      VALUES ($1, $2, 'checkout', $3, 'confirmed', $4, $5, $6, $7, $8, now(), now())`,
    [reference, applicationId, checkoutId, ...stay],
  );
  return { applicationId, checkoutId, reference: reference! };
}

const confirmed = { state: 'confirmed', reference: 'LK', failure: null } as const;

/** Inserts a confirmed reservation of a card-paying application for which no card was asked. */
export const insertReservationWithoutCard = async (
  executor: Executor,
  applicationId: string,
  schedule: Charges['schedule'],
): Promise<PaidReservation> =>
  insertReservation(executor, await insertCheckout(executor, applicationId, schedule, confirmed));

/** Inserts a checkout that has failed although its payment was captured, which goes back. Returns its ID. */
export async function insertKeptPayment(
  executor: Executor,
  provider: FakeProvider,
  applicationId: string,
  amount: number,
): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  const schedule = [{ dueOn: today, amount }];
  const outcome = { state: 'failed', reference: null, failure: 'refused' } as const;
  const made = await insertPaidCheckout(executor, provider, applicationId, schedule, outcome);
  const { checkoutId } = made;
  await sql(
    executor,
    'INSERT INTO payment_returns (payment_id) SELECT payment_id FROM payment_intents WHERE checkout_id = $1',
    [checkoutId],
  );
  return checkoutId;
}

/** Inserts a confirmed reservation of a card-paying application; the first payment is captured. */
export async function insertPaidReservation(
  executor: Executor,
  provider: FakeProvider,
  applicationId: string,
  schedule: Charges['schedule'],
): Promise<PaidReservation> {
  const made = await insertPaidCheckout(executor, provider, applicationId, schedule, confirmed);
  return insertReservation(executor, made);
}

/** What a reservation owes and has paid, in minor units. */
export interface Balances {
  due: number;
  collected: number;
  open: number;
  refunded: number;
}

/** The balances of a reservation. */
export async function balancesOf(
  executor: Executor,
  { applicationId, checkoutId }: Pick<PaidReservation, 'applicationId' | 'checkoutId'>,
): Promise<Balances> {
  const [row] = await sql<Balances>(
    executor,
    'SELECT due, collected, open, refunded FROM payment_balance($1, $2)',
    [applicationId, checkoutId],
  );
  return row!;
}

/** Asserts that the ledger fits itself, the payments and refunds, and the provider's own ledger. */
export async function assertLedgerFits(
  executor: Executor,
  provider: FakeProvider,
  reservation: Pick<PaidReservation, 'applicationId' | 'checkoutId'>,
): Promise<void> {
  const { applicationId, checkoutId } = reservation;
  const { due, collected, open, refunded } = await balancesOf(executor, reservation);
  assert.equal(due, collected + open - refunded, 'due = collected + open - refunded');
  const made = provider.payments.filter(
    (one) => one.customerReference === `cus_${checkoutId}` && one.state === 'captured',
  );
  assert.equal(
    collected,
    made.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    'collected',
  );
  const given = made.flatMap(({ refunds }) => refunds).filter(({ state }) => state !== 'failed');
  assert.equal(
    refunded,
    given.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    'refunded',
  );
  const ids = made.map(({ paymentId }) => paymentId);
  assert.equal(new Set(ids).size, ids.length, 'a payment was charged twice');
  const refundIds = given.map(({ refundId }) => refundId);
  assert.equal(new Set(refundIds).size, refundIds.length, 'a refund was paid twice');
  for (const { amountMinor, refunds } of made) {
    const standing = refunds.filter(({ state }) => state !== 'failed');
    const back = standing.reduce((sum, one) => sum + one.amountMinor, 0);
    assert.ok(back <= amountMinor, 'refunded more than captured');
  }
  for (const entry of await listEntries(executor, applicationId, checkoutId)) {
    assert.equal(entry.debit === null, entry.credit === null);
  }
}
