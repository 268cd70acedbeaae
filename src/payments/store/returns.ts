/** Payments that must not be kept: of attempts to book that ended without a reservation. */
import type { EpochMs } from '../../contract/time.ts';
import {
  countRows,
  hasRow,
  manyRows,
  noRows,
  rowOrNull,
} from '../../platform/postgres/statement-functions.ts';
import type { Intent } from '../rules/intent.ts';
import type { ReturnAttention, ReturnFacts } from '../rules/return.ts';
import { intentColumns } from './intents.ts';

/** A payment that this process gives back until the lease ends. */
export interface ClaimedReturn {
  paymentId: string;
  openedAt: EpochMs;
  /** Rises with each claim, and with what becomes known of the payment. */
  fence: number;
  /** Claims, this one included. */
  tries: number;
}

/** Claims payments to give back, longest due first; no other process gets them until the lease ends. */
export const claimReturns = manyRows<[atMost: number, leaseSeconds: number], ClaimedReturn>({
  name: 'claim-payment-returns',
  text: `UPDATE payment_returns SET due_at = now() + make_interval(secs => $2), fence = fence + 1,
      tries = tries + 1
    WHERE payment_id = ANY (ARRAY(
      SELECT payment_id FROM payment_returns WHERE due_at <= now()
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING payment_id AS "paymentId", opened_at AS "openedAt", fence, tries`,
});

/** Reads the facts of a claimed payment. Null: something has become known since it was claimed. */
export const readReturn = rowOrNull<
  [claim: ClaimedReturn],
  Intent & Omit<ReturnFacts, 'intent'>,
  ReturnFacts
>({
  name: 'read-payment-return',
  // A statement after the claim: it sees everything that was committed before, and later changes raise the fence.
  text: `SELECT ${intentColumns},
      (SELECT json_build_object(
          'leftMinor', payment_intents.amount_minor
            - coalesce(sum(f.amount_minor) FILTER (WHERE f.state = 'done'), 0)
            - (SELECT coalesce(sum(e.amount_minor), 0) FROM payment_entries e
              WHERE e.payment_id = payment_intents.payment_id AND e.kind = 'refunded_elsewhere'),
          'isBegun', coalesce(bool_or(f.state IN ('requested', 'unknown')), false),
          'refusals', coalesce(json_agg(json_build_object('kind', coalesce(f.refused_as, 'funds'),
              'code', f.decline_code, 'at', (extract(epoch FROM f.updated_at) * 1000)::bigint) ORDER BY f.refund_id)
            FILTER (WHERE f.state = 'refused' AND f.settled_at IS NULL), '[]'),
          'isSentBack', coalesce(bool_or(f.state = 'failed' AND f.settled_at IS NULL), false),
          'isChanged', payment_intents.refunds_changed_at IS NOT NULL)
        FROM payment_refunds f WHERE f.payment_id = payment_intents.payment_id) AS refunds,
      EXISTS (SELECT FROM bookings b WHERE b.booking_id = checkout_id
        AND b.application_id = payment_intents.application_id AND b.kind = 'checkout'
        AND b.reference IS NOT NULL) AS "isReserved"
    FROM payment_intents WHERE payment_id = $1
      AND EXISTS (SELECT FROM payment_returns r WHERE r.payment_id = $1 AND r.fence = $2)`,
  values: ({ paymentId, fence }) => [paymentId, fence],
  result: (row) => {
    const { refunds, isReserved, ...intent } = row;
    return { intent, refunds, isReserved };
  },
});

/** Ends a claim: due again after `seconds`, or (null) only when something becomes known. */
export const endClaimOfReturn = noRows<
  [claim: ClaimedReturn, seconds: number | null, attention: ReturnAttention | null]
>({
  name: 'end-claim-of-payment-return',
  text: `UPDATE payment_returns SET due_at = now() + make_interval(secs => $3), attention = $4,
      attention_since = CASE WHEN $4::text IS NOT NULL THEN coalesce(attention_since, now()) END
    WHERE payment_id = $1 AND fence = $2`,
  values: ({ paymentId, fence }, seconds, attention) => [paymentId, fence, seconds, attention],
});

/** Looks a payment up now that must not be kept, because the provider says that it has changed. False: it may be kept. */
export const wakeReturnOf = hasRow<[paymentId: string]>({
  name: 'wake-payment-return',
  // A payment that arrived late at the provider, or of a booking without a reservation, must not be kept.
  text: `INSERT INTO payment_returns (payment_id)
    SELECT i.payment_id FROM payment_intents i
    JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
      AND b.kind = 'checkout'
    WHERE i.payment_id = $1 AND i.purpose = 'booking'
      AND CASE i.state WHEN 'refused' THEN false WHEN 'voided' THEN i.provider_reference IS NULL
        ELSE b.resolved_at IS NOT NULL AND b.reference IS NULL END
    ON CONFLICT (payment_id) DO UPDATE SET due_at = least(payment_returns.due_at, now())
    RETURNING payment_id`,
});

/** Makes payments due now that must not be kept, one batch. Returns how many. */
export const wakeWaitingReturns = countRows<[atMost: number]>({
  name: 'wake-waiting-returns',
  // What is due within the lease of a claim may be in progress.
  text: `UPDATE payment_returns SET due_at = now()
    WHERE payment_id = ANY (ARRAY(
      SELECT payment_id FROM payment_returns WHERE due_at > now() + interval '30 seconds'
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING payment_id`,
});

/** Writes that a payment has arrived at the provider after it had been given up. */
export const recordAppeared = noRows<
  [paymentId: string, found: { state: string; providerReference: string | null }]
>({
  name: 'record-payment-that-appeared',
  text: `UPDATE payment_intents SET state = $2, provider_reference = $3, updated_at = now()
    WHERE payment_id = $1 AND state = 'voided' AND provider_reference IS NULL`,
  values: (paymentId, found) => [paymentId, found.state, found.providerReference],
});
