import type { EpochMs } from '../../contract/time.ts';
import {
  hasRow,
  manyRows,
  rowOrNull,
  theRow,
  theValue,
} from '../../platform/postgres/statement-functions.ts';
import type { ListedPayment, ListedRefund } from '../ports/card-provider.ts';
import type { EffectOrigin } from '../rules/effect-name.ts';
import type { MoneyPart } from '../rules/adoption.ts';
import type { Intent } from '../rules/intent.ts';

/** Finds the row of a payment that the provider lists: by its reference, its ID or its name. Null: it is lost. */
export const knownPayment = rowOrNull<
  [payment: Pick<ListedPayment, 'providerReference' | 'origin'>, paymentId: string | null],
  Pick<Intent, 'paymentId' | 'round'>
>({
  name: 'known-payment',
  text: `SELECT payment_id AS "paymentId", round FROM payment_intents
    WHERE provider_reference = $1 OR payment_id = $2::uuid
      OR (checkout_id = $4::uuid AND application_id = $3::uuid AND first_try + round = $6
        AND CASE purpose WHEN 'booking' THEN purpose ELSE purpose || ' ' || due_on END = $5)
    LIMIT 1`,
  values: ({ providerReference, origin }, paymentId) => [
    providerReference,
    paymentId,
    origin?.applicationId ?? null,
    origin?.checkoutId ?? null,
    origin?.part ?? null,
    origin?.try ?? null,
  ],
});

/** Writes a payment that our rows have lost, before its state. Null: there is no place for it. */
export const insertAdopted = rowOrNull<
  [
    origin: EffectOrigin,
    part: MoneyPart,
    payment: Pick<ListedPayment, 'amountMinor' | 'currency' | 'providerReference'>,
    provider: string,
  ],
  { paymentId: string; round: number }
>({
  name: 'adopt-payment',
  // A row for the part that the payment names, or for the first day of a difference that is free.
  text: `INSERT INTO payment_intents (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency,
      provider, provider_reference, first_try, state)
    SELECT b.application_id, b.booking_id, b.attempt_id, $3, coalesce($4::date, (
        SELECT day::date FROM generate_series(current_date, current_date + 1000, interval '1 day') AS day
        WHERE NOT EXISTS (SELECT FROM payment_intents i
          WHERE i.checkout_id = b.booking_id AND i.application_id = b.application_id AND i.purpose = $3
            AND i.due_on = day::date AND i.state NOT IN ('refused', 'voided'))
        ORDER BY day LIMIT 1)), $5, $6, $7, $8, $9, 'unknown'
    FROM bookings b
    WHERE b.booking_id = $2 AND b.application_id = $1 AND b.kind = 'checkout'
      AND b.state NOT IN ('failed', 'expired')
    ON CONFLICT DO NOTHING
    RETURNING payment_id AS "paymentId", round`,
  values: (
    { applicationId, checkoutId, try: number },
    { purpose, dueOn },
    { amountMinor, currency, providerReference },
    provider,
  ) => [
    applicationId,
    checkoutId,
    purpose,
    dueOn,
    amountMinor,
    currency,
    provider,
    providerReference,
    number,
  ],
});

/** The payment of a refund that the provider lists, and our row of the refund (null: it is lost). */
export interface KnownRefund {
  refundId: string | null;
  paymentId: string;
  applicationId: string;
  checkoutId: string;
  isCaptured: boolean;
  /** Whether the payment has that much left to refund, by our rows. */
  fits: boolean;
}

/** Finds our rows of a listed refund. Null: its payment is not ours, or was lost. */
export const knownRefund = rowOrNull<
  [refund: ListedRefund, refundId: string | null, number: number | null],
  KnownRefund
>({
  name: 'known-refund',
  text: `SELECT f.refund_id AS "refundId", i.payment_id AS "paymentId", i.application_id AS "applicationId",
      i.checkout_id AS "checkoutId", i.state = 'captured' AS "isCaptured",
      i.state = 'captured' AND i.amount_minor >= $4 + (
        SELECT coalesce(sum(other.amount_minor), 0) FROM payment_refunds other
        WHERE other.payment_id = i.payment_id AND other.state NOT IN ('refused', 'failed')) AS fits
    FROM payment_intents i
    LEFT JOIN payment_intents same ON same.checkout_id = i.checkout_id AND same.application_id = i.application_id
    LEFT JOIN payment_refunds f ON f.payment_id = same.payment_id
      AND (f.refund_reference = $2 OR f.refund_id = $3::uuid OR f.number = $5)
    WHERE i.provider_reference = $1
    ORDER BY f.refund_id NULLS LAST LIMIT 1`,
  values: ({ providerReference, refundReference, amountMinor }, refundId, number) => [
    providerReference,
    refundReference,
    refundId,
    amountMinor,
    number,
  ],
});

/** Writes a refund that our rows have lost, before its state. One without our metadata was made in the dashboard. */
export const insertAdoptedRefund = theRow<
  [paymentId: string, refund: Pick<ListedRefund, 'amountMinor' | 'origin'>, number: number | null],
  { refundId: string; round: number }
>({
  name: 'adopt-refund',
  text: `INSERT INTO payment_refunds (payment_id, amount_minor, reason, number, made_elsewhere)
    VALUES ($1, $2, 'adopted', $3, $4)
    RETURNING refund_id AS "refundId", round`,
  values: (paymentId, { amountMinor, origin }, number) => [
    paymentId,
    amountMinor,
    number,
    origin === null,
  ],
});

/** Lets what is open of an account wait for staff. False: the checkout has no reservation. Spec: RESTORE-3. */
export const holdAdopted = hasRow<[applicationId: string, checkoutId: string]>({
  name: 'hold-adopted-account',
  // After the triggers, which make the account due.
  text: `WITH held AS (
      UPDATE payment_accounts SET held_since = coalesce(held_since, now())
      WHERE checkout_id = $2 AND application_id = $1
      RETURNING application_id, checkout_id, held_since
    ), waiting AS (
      INSERT INTO payment_waits (application_id, checkout_id, kind, part, amount_minor, reason, since)
      SELECT application_id, checkout_id, 'adopted', '', abs(balance.open), 'adopted', held_since
      FROM held CROSS JOIN LATERAL payment_balance(application_id, checkout_id) balance
      ON CONFLICT (checkout_id, application_id, kind, part) DO UPDATE SET amount_minor = excluded.amount_minor
    )
    SELECT FROM held`,
});

/** What the provider had and our rows had lost. */
export interface AdoptedEffect {
  providerReference: string;
  kind: 'payment' | 'refund' | 'link';
  applicationId: string | null;
  checkoutId: string | null;
  part: string | null;
  amountMinor: number;
  currency: string;
  /** `unmatched`: our rows have no place for it, or no reservation. `ended`: nobody can pay it any more. */
  outcome: 'booked' | 'unmatched' | 'ended';
}

/** Notes what was adopted, or could not be. False: it was noted before. */
export const noteAdoptedEffect = hasRow<[epoch: number, effect: AdoptedEffect]>({
  name: 'note-adopted-effect',
  text: `INSERT INTO adopted_effects
      (provider_reference, epoch, kind, application_id, checkout_id, part, amount_minor, currency, outcome)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING
    RETURNING provider_reference`,
  values: (epoch, effect) => [
    effect.providerReference,
    epoch,
    effect.kind,
    effect.applicationId,
    effect.checkoutId,
    effect.part,
    effect.amountMinor,
    effect.currency,
    effect.outcome,
  ],
});

/**
 * The condition that an effect, named `e`, has a reservation now: its partner has sent the lost booking again, which
 * found the payment by its name.
 */
export const isBookedSince = `EXISTS (
        SELECT FROM payment_intents i JOIN payment_accounts USING (application_id, checkout_id)
        WHERE i.provider_reference = e.provider_reference
        UNION ALL
        SELECT FROM payment_refunds f JOIN payment_intents i USING (payment_id)
        JOIN payment_accounts USING (application_id, checkout_id)
        WHERE f.refund_reference = e.provider_reference)`;

const columns = `e.provider_reference AS "providerReference", e.kind, e.application_id AS "applicationId",
      e.checkout_id AS "checkoutId", e.part, e.amount_minor AS "amountMinor", e.currency`;

/** Closes an effect that has no place in our rows. Null: it does not wait for staff. */
export const closeAdoptedEffect = rowOrNull<
  [providerReference: string],
  AdoptedEffect & { closedAt: EpochMs }
>({
  name: 'close-adopted-effect',
  text: `UPDATE adopted_effects e SET closed_at = now()
    WHERE provider_reference = $1 AND outcome = 'unmatched' AND closed_at IS NULL AND NOT ${isBookedSince}
    RETURNING ${columns}, outcome, closed_at AS "closedAt"`,
});

/** Whether an effect was noted by an adoption. */
export const isEffectNoted = hasRow<[providerReference: string]>({
  name: 'is-adopted-effect-noted',
  text: 'SELECT FROM adopted_effects WHERE provider_reference = $1',
});

/** Lists what was adopted in an epoch, at most 500. */
export const listAdoptedEffects = manyRows<[epoch: number], AdoptedEffect>({
  name: 'list-adopted-effects',
  text: `SELECT ${columns}, CASE WHEN outcome = 'unmatched' AND ${isBookedSince} THEN 'booked' ELSE outcome END AS outcome
    FROM adopted_effects e WHERE epoch = $1 ORDER BY provider_reference LIMIT 500`,
});

/** Whether the ledger has a dispute in this state. */
export const isDisputeEntered = hasRow<
  [paymentId: string, of: { disputeReference: string; state: string }]
>({
  name: 'is-dispute-entered',
  text: `SELECT FROM payment_entries e JOIN payment_intents i
      ON i.checkout_id = e.checkout_id AND i.application_id = e.application_id
    WHERE i.payment_id = $1 AND e.kind = 'disputed'
      AND e.details ->> 'disputeReference' = $2 AND e.details ->> 'state' = $3 LIMIT 1`,
  values: (paymentId, { disputeReference, state }) => [paymentId, disputeReference, state],
});

/** When the oldest dispute that is open in our rows began; null: none is. */
export const oldestOpenDispute = theValue<[], EpochMs | null>({
  name: 'oldest-open-dispute',
  text: `SELECT min(opened_at) AS "openedAt" FROM payment_disputes WHERE outcome = 'open'`,
});
