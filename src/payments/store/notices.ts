import type { Executor, Statement } from '../../platform/postgres/database.ts';
import type { Dispute } from '../ports/payment-events.ts';

const findStatement: Statement = {
  name: 'find-noticed-payment',
  text: `SELECT payment_id AS "paymentId" FROM payment_intents
    WHERE provider_reference = $1 OR payment_id = $2`,
};

/** Finds the payment that an event concerns: by the provider's reference or, before we know that, by our ID. */
export async function findNoticedPayment(
  executor: Executor,
  { providerReference, paymentId }: { providerReference: string; paymentId: string | null },
): Promise<string | null> {
  const [row] = await executor.query<{ paymentId: string }>(findStatement, [
    providerReference,
    paymentId,
  ]);
  return row?.paymentId ?? null;
}

const disputeStatement: Statement = {
  name: 'enter-dispute',
  text: `INSERT INTO payment_entries
      (application_id, checkout_id, payment_id, kind, amount_minor, currency, details)
    SELECT application_id, checkout_id, payment_id, 'disputed', $2, $3, $4
    FROM payment_intents WHERE payment_id = $1
    ON CONFLICT ((details->>'eventReference')) WHERE kind = 'disputed' DO NOTHING`,
};

/** Notes a dispute in the ledger, for staff. The same event is noted once. */
export async function enterDispute(
  executor: Executor,
  paymentId: string,
  { amountMinor, currency, ...dispute }: Dispute & { eventReference: string },
): Promise<void> {
  await executor.query(disputeStatement, [
    paymentId,
    amountMinor,
    currency,
    JSON.stringify(dispute),
  ]);
}
