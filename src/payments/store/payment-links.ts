/** Payment links, and the payments that they are. */
import { type EpochMs, instant } from '../../contract/time.ts';
import { noRows, rowOrNull, theRow } from '../../platform/postgres/statement-functions.ts';
import type { Intent } from '../rules/intent.ts';
import { intentColumns, nextTry } from './intents.ts';

/** A payment link that may still be paid. */
export interface PaymentLink {
  paymentId: string;
  /** Null: the provider has not returned it. */
  pageReference: string | null;
  url: string | null;
  expiresAt: EpochMs;
}

const columns = `payment_id AS "paymentId", page_reference AS "pageReference", url, expires_at AS "expiresAt"`;

/** Finds the link of an account that may still be paid. */
export const findOpenLink = rowOrNull<
  [of: { applicationId: string; checkoutId: string }],
  PaymentLink
>({
  name: 'find-open-payment-link',
  text: `SELECT ${columns} FROM payment_links
    WHERE checkout_id = $2 AND application_id = $1 AND ended_at IS NULL`,
  values: ({ applicationId, checkoutId }) => [applicationId, checkoutId],
});

/** Claims an account until the transaction ends: whoever has it now charges nothing more. */
export const claimForLink = theRow<
  [of: { applicationId: string; checkoutId: string }],
  { fence: number; isHeld: boolean }
>({
  name: 'claim-account-for-link',
  text: `UPDATE payment_accounts SET fence = fence + 1, due_at = now()
    WHERE checkout_id = $2 AND application_id = $1
    RETURNING fence, held_since IS NOT NULL OR NOT may_move_money() AS "isHeld"`,
  values: ({ applicationId, checkoutId }) => [applicationId, checkoutId],
});

/** Writes a link before the provider is asked. The account is claimed. */
export const insertLink = theRow<
  [
    link: Pick<
      Intent,
      | 'applicationId'
      | 'checkoutId'
      | 'attemptId'
      | 'dueOn'
      | 'amountMinor'
      | 'currency'
      | 'provider'
    > & { expiresAt: EpochMs },
  ],
  Intent
>({
  name: 'insert-payment-link',
  text: `WITH made AS (
      INSERT INTO payment_intents
        (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency, provider, first_try)
      VALUES ($1, $2, $3, 'link', $4, $5, $6, $7, ${nextTry('$1::uuid', '$2::uuid', "'link'", '$4::date')})
      RETURNING ${intentColumns}
    ), link AS (
      INSERT INTO payment_links (payment_id, application_id, checkout_id, expires_at, look_at)
      SELECT "paymentId", "applicationId", "checkoutId", $8::timestamptz, now() + interval '1 minute' FROM made
    )
    SELECT * FROM made`,
  values: (link) => [
    link.applicationId,
    link.checkoutId,
    link.attemptId,
    link.dueOn,
    link.amountMinor,
    link.currency,
    link.provider,
    instant(link.expiresAt),
  ],
});

/** Writes what the provider has returned, and when it is asked next. Null: the link has ended meanwhile. */
export const recordLinkMade = rowOrNull<
  [paymentId: string, of: { pageReference: string; url: string }, lookAt: EpochMs],
  PaymentLink
>({
  name: 'record-payment-link-made',
  text: `UPDATE payment_links SET page_reference = $2, url = $3, look_at = $4 WHERE payment_id = $1
      AND (page_reference IS NULL OR page_reference = $2) AND ended_at IS NULL
    RETURNING ${columns}`,
  values: (paymentId, { pageReference, url }, lookAt) => [
    paymentId,
    pageReference,
    url,
    instant(lookAt),
  ],
});

/** Writes when the provider is asked next what has become of a link. */
export const lookAtLink = noRows<[paymentId: string, at: EpochMs]>({
  name: 'look-at-payment-link',
  text: `WITH looked AS (
      UPDATE payment_links SET look_at = $2 WHERE payment_id = $1 AND ended_at IS NULL
      RETURNING application_id, checkout_id
    )
    SELECT wake_payment_account(application_id, checkout_id) FROM looked`,
  values: (paymentId, at) => [paymentId, instant(at)],
});

/** Has the provider asked what has become of a link, because it says that it has changed. */
export const lookAtLinkNow = noRows<[paymentId: string]>({
  name: 'look-at-payment-link',
  variant: 'now',
  text: `UPDATE payment_links SET look_at = now() WHERE payment_id = $1 AND ended_at IS NULL`,
});
