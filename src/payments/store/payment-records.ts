/** What is posted to the operator's own system about money. */
import type { EpochMs } from '../../contract/time.ts';
import { countRows, manyRows, noRows } from '../../platform/postgres/statement-functions.ts';
import type { PaymentRecord } from '../rules/payment-record.ts';

/** A record that this process sends until the lease ends. */
export interface PaymentRecordClaim extends PaymentRecord {
  recordId: number;
  /** This one included. */
  attempts: number;
  now: EpochMs;
}

/** Numbers the records without a sequence, after the last of the epoch, without a gap. Returns how many. */
export const numberPaymentRecords = countRows<[atMost: number]>({
  name: 'number-payment-records',
  // Each record is counted once: a row that another process has numbered is not picked again, and the counter is locked
  // until the numbers are written.
  text: `WITH picked AS (
      SELECT record_id FROM payment_records WHERE sequence IS NULL
      ORDER BY record_id LIMIT $1 FOR UPDATE SKIP LOCKED
    ), numbered AS (
      SELECT record_id, row_number() OVER (ORDER BY record_id) AS ordinal, count(*) OVER () AS all_of_them FROM picked
    ), counter AS (
      INSERT INTO payment_record_counters AS c (epoch, last_sequence)
      SELECT coalesce((SELECT max(epoch) FROM epochs WHERE epoch > 0), 1), count(*) FROM picked HAVING count(*) > 0
      ON CONFLICT (epoch) DO UPDATE SET last_sequence = c.last_sequence + excluded.last_sequence
      RETURNING epoch, last_sequence
    )
    UPDATE payment_records r SET epoch = counter.epoch,
      sequence = counter.last_sequence - numbered.all_of_them + numbered.ordinal
    FROM numbered, counter
    WHERE r.record_id = ANY (ARRAY(SELECT record_id FROM picked)) AND r.record_id = numbered.record_id
    RETURNING r.record_id`,
});

/** Claims due records, longest due first; no other process gets them until the lease ends. */
export const claimPaymentRecords = manyRows<
  [atMost: number, leaseSeconds: number],
  PaymentRecordClaim
>({
  name: 'claim-payment-records',
  // Before the outcome of a booking is known, nobody knows the reference of what was collected for it.
  text: `WITH due AS (
      SELECT p.record_id, a.reference FROM payment_records p
      LEFT JOIN LATERAL (SELECT reference FROM payment_accounts
        WHERE checkout_id = p.checkout_id AND application_id = p.application_id OFFSET 0) a ON true
      WHERE p.due_at <= now() AND p.sequence IS NOT NULL AND (a.reference IS NOT NULL OR EXISTS (
        SELECT FROM bookings WHERE application_id = p.application_id AND kind = 'checkout'
          AND booking_id = p.checkout_id AND resolved_at IS NOT NULL))
      ORDER BY p.due_at LIMIT $1 FOR UPDATE OF p SKIP LOCKED
    )
    UPDATE payment_records r SET due_at = now() + make_interval(secs => $2), attempts = r.attempts + 1
    FROM due WHERE r.record_id = ANY (ARRAY(SELECT record_id FROM due)) AND r.record_id = due.record_id
    RETURNING r.record_id AS "recordId", r.application_id AS "applicationId", r.checkout_id AS "checkoutId",
      r.epoch, r.sequence, due.reference, r.kind, r.name, r.amount_minor AS amount, r.currency,
      r.happened_at AS "happenedAt", r.attempts, now() AS now`,
});

/** Writes what became of a record: it was accepted, or in how many seconds it is sent again. */
export const writePaymentRecordResult = noRows<
  [
    paymentRecordClaim: Pick<PaymentRecordClaim, 'recordId' | 'attempts'>,
    problem: string | null,
    againInSeconds: number | null,
  ]
>({
  name: 'write-payment-record-result',
  // A failure counts only if nothing has happened since its claim: no later attempt, no success.
  text: `UPDATE payment_records SET due_at = now() + make_interval(secs => $4), problem = $3
    WHERE record_id = $1 AND due_at IS NOT NULL AND ($3::text IS NULL OR attempts = $2)`,
  values: ({ recordId, attempts }, problem, againInSeconds) => [
    recordId,
    attempts,
    problem,
    againInSeconds,
  ],
});

/** Removes one batch of records, oldest first. Returns how many. */
export const forgetPaymentRecords = countRows<[atMost: number]>({
  name: 'forget-payment-records',
  text: `DELETE FROM payment_records WHERE record_id = ANY (ARRAY(
      SELECT record_id FROM payment_records ORDER BY record_id LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING record_id`,
});
