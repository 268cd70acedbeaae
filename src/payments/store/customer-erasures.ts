/** The customers of erased guests, until the card provider has deleted them. */
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { noRows } from '../../platform/postgres/statement-functions.ts';
import type { SealedColumn } from '../../platform/postgres/sealed-columns.ts';
import type { CustomerOfGuest } from '../ports/card-provider.ts';

interface OfCheckout {
  applicationId: string;
  checkoutId: string;
}

const contextOf = ({ applicationId, checkoutId }: OfCheckout): string =>
  `erasure ${applicationId}/${checkoutId}`;

// Only where the provider was ever asked for a setup.
const requestStatement: Statement = {
  name: 'request-customer-erasure',
  text: `INSERT INTO customer_erasures (application_id, checkout_id, customer_reference, setup_reference, email_sealed)
    SELECT b.application_id, b.booking_id, c.customer_reference, b.payment_reference, $3
    FROM bookings b LEFT JOIN payment_cards c ON c.checkout_id = b.booking_id AND c.application_id = b.application_id
    WHERE b.booking_id = $2 AND b.application_id = $1 AND b.kind = 'checkout' AND b.settlement = 'card'
      AND b.payment_attempts > 0
    ON CONFLICT (checkout_id, application_id) DO UPDATE SET due_at = now()
    RETURNING true AS requested`,
};

/** Asks, in the transaction of the erasure, for the deletion of what the provider has. False: it has nothing. */
export async function requestCustomerErasure(
  executor: Executor,
  checkout: OfCheckout,
  email: string,
): Promise<boolean> {
  const { applicationId, checkoutId } = checkout;
  const sealed = executor.vault.seal('guest', email, contextOf(checkout));
  const rows = await executor.query(requestStatement, [applicationId, checkoutId, sealed]);
  return rows.length > 0;
}

const claimStatement: Statement = {
  name: 'claim-customer-erasures',
  text: `WITH due AS (
      SELECT checkout_id, application_id FROM customer_erasures
      WHERE due_at <= now() AND ($3::uuid IS NULL OR (application_id = $3 AND checkout_id = $4))
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    UPDATE customer_erasures e SET tries = e.tries + 1,
      due_at = now() + make_interval(secs => greatest($2, least(3600, 5 * 2 ^ least(e.tries, 10))))
    FROM due WHERE e.checkout_id = due.checkout_id AND e.application_id = due.application_id
    RETURNING e.application_id AS "applicationId", e.checkout_id AS "checkoutId",
      e.customer_reference AS "customerReference", e.setup_reference AS "setupReference", e.email_sealed AS sealed`,
};

/** Claims due erasures; each is due again later, until it is done. With a checkout: its own alone. */
export async function claimCustomerErasures(
  executor: Executor,
  atMost: number,
  leaseSeconds: number,
  only: OfCheckout | null = null,
): Promise<CustomerOfGuest[]> {
  const rows = await executor.query<Omit<CustomerOfGuest, 'email'> & { sealed: Buffer }>(
    claimStatement,
    [atMost, leaseSeconds, only?.applicationId ?? null, only?.checkoutId ?? null],
  );
  return rows.map(({ sealed, ...customer }) => ({
    ...customer,
    email: executor.vault.open('guest', sealed, contextOf(customer)),
  }));
}

/** The provider has none of the customers left, and we no names of the card. */
export const endCustomerErasure = noRows<[ofCheckout: OfCheckout]>({
  name: 'end-customer-erasure',
  text: `WITH ended AS (
      DELETE FROM customer_erasures WHERE checkout_id = $2 AND application_id = $1
      RETURNING checkout_id, application_id
    )
    DELETE FROM payment_cards c USING ended
    WHERE c.checkout_id = ended.checkout_id AND c.application_id = ended.application_id`,
  values: ({ applicationId, checkoutId }) => [applicationId, checkoutId],
});

/** The addresses of the guests whose customers are still to be deleted. */
export const sealedErasures: readonly SealedColumn[] = [
  {
    table: 'customer_erasures',
    column: 'email_sealed',
    purpose: 'guest',
    key: { checkout_id: 'uuid', application_id: 'uuid' },
    context: ([checkoutId, applicationId]) =>
      contextOf({ applicationId: applicationId!, checkoutId: checkoutId! }),
  },
];
