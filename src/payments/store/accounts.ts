import { type EpochMs, instant } from '../../contract/time.ts';
import {
  countRows,
  hasRow,
  manyRows,
  noRows,
  rowOrNull,
} from '../../platform/postgres/statement-functions.ts';
import type { Intent, StoredCustomer } from '../rules/intent.ts';
import type { Collection } from '../rules/collection.ts';
import type { MoneyWait, CollectionFacts } from '../rules/collection-facts.ts';
import { intentColumns, nextTry } from './intents.ts';

/** The account of a reservation that this process works on until the lease ends. */
export interface ClaimedAccount {
  applicationId: string;
  checkoutId: string;
  /** Rises with each claim and each change. */
  fence: number;
  /** Claims since the last change, this one included. */
  tries: number;
}

/** Claims due accounts, longest due first; no other process gets them until the lease ends. */
export const claimAccounts = manyRows<[atMost: number, leaseSeconds: number], ClaimedAccount>({
  name: 'claim-payment-accounts',
  text: `UPDATE payment_accounts SET due_at = now() + make_interval(secs => $2), fence = fence + 1,
      tries = tries + 1
    WHERE reference = ANY (ARRAY(
      SELECT reference FROM payment_accounts
      WHERE due_at <= now() AND held_since IS NULL AND (SELECT may_move_money())
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED))
    RETURNING application_id AS "applicationId", checkout_id AS "checkoutId", fence, tries`,
});

/** The facts that decide the settlement of a claimed account, and what the provider needs. */
export interface AccountInFull extends Omit<CollectionFacts, 'limits'> {
  reference: string;
  currency: string;
  attemptId: string;
  /** Null: the provider knows no customer of this checkout. */
  customer: StoredCustomer | null;
}

type FileRow = Omit<AccountInFull, 'customer' | 'hasCard' | 'balances' | 'isCancelled'> & {
  [Name in keyof StoredCustomer]: string | null;
} & CollectionFacts['balances'] & { state: string };

/** A refusal as long as it binds: JSON, or null. */
const refusalOf = (alias: string, states: readonly string[]): string =>
  `CASE WHEN ${alias}.state IN (${states.map((state) => `'${state}'`).join(', ')})
            AND ${alias}.settled_at IS NULL
          THEN json_build_object('kind', coalesce(${alias}.refused_as, 'funds'), 'code', ${alias}.decline_code,
            'at', (extract(epoch FROM ${alias}.updated_at) * 1000)::bigint) END`;

/** Reads the facts that decide the collection of an account. Null: it has changed since it was claimed. */
export const readAccount = rowOrNull<[account: ClaimedAccount], FileRow, AccountInFull>({
  name: 'read-payment-account',
  // A statement after the claim: it sees everything that was committed before, and later changes raise the fence.
  text: `SELECT a.reference, a.currency, a.stopped_at AS "stoppedAt", (SELECT min(d.opened_at)
        FROM payment_intents i CROSS JOIN LATERAL (SELECT opened_at, outcome, released_at FROM payment_disputes
          WHERE payment_id = i.payment_id OFFSET 0) d
        WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id
          AND d.outcome <> 'won' AND d.released_at IS NULL) AS "disputedAt", r.state,
      coalesce((SELECT json_agg(one) FROM json_array_elements(r.charges->'schedule') one
        WHERE one->>'at' IS DISTINCT FROM 'property'), '[]') AS schedule, l.time_zone AS "timeZone", b.attempt_id AS "attemptId",
      c.customer_reference AS "customerReference", c.payment_method_reference AS "paymentMethodReference",
      balance.due, balance.collected, balance.open, balance.refunded, balance.owed, now() AS now,
      (SELECT coalesce(json_agg(json_build_object('paymentId', i.payment_id, 'purpose', i.purpose,
          'dueOn', i.due_on, 'amountMinor', i.amount_minor, 'state', i.state,
          'refundsChanged', i.refunds_changed_at IS NOT NULL,
          'lookAt', CASE WHEN i.purpose = 'link' THEN (SELECT (extract(epoch FROM l.look_at) * 1000)::bigint
            FROM (SELECT look_at, ended_at FROM payment_links WHERE payment_id = i.payment_id OFFSET 0) l
            WHERE l.ended_at IS NULL) END,
          'refusal', ${refusalOf('i', ['refused'])})
          ORDER BY i.payment_id), '[]')
        FROM payment_intents i
        WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id
          AND (i.state IN ('captured', 'voided', 'refused') OR NOT EXISTS (
            SELECT FROM payment_returns t WHERE t.payment_id = i.payment_id OFFSET 0))) AS payments,
      (SELECT coalesce(json_agg(json_build_object('refundId', f.refund_id, 'paymentId', f.payment_id,
          'amountMinor', f.amount_minor, 'state', f.state, 'isOwed', f.of_account = 'owed',
          'refusal', ${refusalOf('f', ['refused', 'failed'])}) ORDER BY f.refund_id), '[]')
        FROM payment_intents i JOIN payment_refunds f ON f.payment_id = i.payment_id
        WHERE i.checkout_id = a.checkout_id AND i.application_id = a.application_id) AS refunds
    FROM payment_accounts a
    JOIN reservations r ON r.reference = a.reference
    JOIN bookings b ON b.application_id = a.application_id AND b.kind = 'checkout'
      AND b.booking_id = a.checkout_id
    LEFT JOIN payment_cards c ON c.checkout_id = a.checkout_id AND c.application_id = a.application_id
    LEFT JOIN listings l ON l.listing_id = r.listing_id
    CROSS JOIN payment_balance(a.application_id, a.checkout_id) balance
    WHERE a.checkout_id = $2 AND a.application_id = $1 AND a.fence = $3`,
  values: ({ applicationId, checkoutId, fence }) => [applicationId, checkoutId, fence],
  result: (row) => {
    const { customerReference, paymentMethodReference, state, ...file } = row;
    const { due, collected, open, refunded, owed } = row;
    return {
      ...file,
      isCancelled: state === 'cancelled',
      balances: { due, collected, open, refunded, owed },
      customer: customerReference === null ? null : { customerReference, paymentMethodReference },
      hasCard: paymentMethodReference !== null,
    };
  },
});

const attentionOf = ([first]: readonly MoneyWait[]): string | null => {
  if (!first) return null;
  return first.kind === 'stopped' || first.kind === 'no_card' ? 'declined' : first.kind;
};

/**
 * Ends a claim: the account is due at this instant, or (null) after a change. Writes what waits for staff, and which
 * refusals bind no more.
 */
export const postponeAccount = noRows<
  [
    account: ClaimedAccount,
    until: EpochMs | null,
    collection: Pick<Collection, 'waits' | 'resolved'>,
  ]
>({
  name: 'postpone-payment-account',
  // What waits keeps the time since when it waits. The old columns are those that the release before reads.
  text: `WITH held AS (
      UPDATE payment_accounts SET due_at = $4::timestamptz, attention = $5,
        attention_since = CASE WHEN $5::text IS NOT NULL THEN coalesce(attention_since, now()) END
      WHERE checkout_id = $2 AND application_id = $1 AND fence = $3
      RETURNING application_id, checkout_id
    ), waits AS (
      SELECT * FROM json_to_recordset($6) AS one(kind text, part text, "amountMinor" bigint, reason text,
        code text, since bigint)
    ), gone AS (
      DELETE FROM payment_waits w USING held
      WHERE w.checkout_id = held.checkout_id AND w.application_id = held.application_id
        AND (w.kind, w.part) NOT IN (SELECT kind, part FROM waits)
    ), written AS (
      INSERT INTO payment_waits (application_id, checkout_id, kind, part, amount_minor, reason, code, since)
      SELECT application_id, checkout_id, kind, part, "amountMinor", reason, code, to_timestamp(since / 1000.0)
      FROM held CROSS JOIN waits
      ON CONFLICT (checkout_id, application_id, kind, part) DO UPDATE
        SET amount_minor = excluded.amount_minor, reason = excluded.reason, code = excluded.code
    ), payments AS (
      UPDATE payment_intents i SET settled_at = now() FROM held
      WHERE i.payment_id = ANY ($7::uuid[]) AND i.settled_at IS NULL
    )
    UPDATE payment_refunds f SET settled_at = now() FROM held
    WHERE f.refund_id = ANY ($8::uuid[]) AND f.settled_at IS NULL`,
  values: (
    { applicationId, checkoutId, fence },
    until,
    { waits, resolved: { paymentIds, refundIds } },
  ) => [
    applicationId,
    checkoutId,
    fence,
    instant(until),
    attentionOf(waits),
    JSON.stringify(waits),
    paymentIds,
    refundIds,
  ],
});

/** Writes an attempt to collect, before the provider is asked. Null: the account has changed since it was claimed. */
export const insertLaterIntent = rowOrNull<
  [
    account: ClaimedAccount,
    intent: Pick<
      Intent,
      'attemptId' | 'purpose' | 'dueOn' | 'amountMinor' | 'currency' | 'provider'
    >,
  ],
  Intent
>({
  name: 'insert-later-payment-intent',
  text: `WITH held AS (
      SELECT FROM payment_accounts WHERE application_id = $1 AND checkout_id = $2 AND fence = $3 FOR UPDATE
    )
    INSERT INTO payment_intents
      (application_id, checkout_id, attempt_id, purpose, due_on, amount_minor, currency, provider, first_try)
    SELECT $1, $2, $4::uuid, $5, $6::date, $7::bigint, $8, $9, ${nextTry('$1', '$2', '$5', '$6::date')}
    FROM held
    ON CONFLICT DO NOTHING
    RETURNING ${intentColumns}`,
  values: (
    { applicationId, checkoutId, fence },
    { attemptId, purpose, dueOn, amountMinor, currency, provider },
  ) => [
    applicationId,
    checkoutId,
    fence,
    attemptId,
    purpose,
    dueOn,
    amountMinor,
    currency,
    provider,
  ],
});

/** Makes accounts due now that wait for an answer of the provider, one batch. Returns how many. */
export const wakeWaitingAccounts = countRows<[atMost: number]>({
  name: 'wake-waiting-accounts',
  // What is due within the lease of a claim may be in progress.
  text: `UPDATE payment_accounts SET due_at = now()
    WHERE ctid = ANY (ARRAY(
      SELECT a.ctid FROM payment_accounts a
      WHERE a.due_at > now() + interval '30 seconds' AND (a.checkout_id, a.application_id) IN (
        SELECT checkout_id, application_id FROM payment_intents
          WHERE state NOT IN ('captured', 'voided', 'refused') AND state = 'unknown'
        UNION ALL
        SELECT i.checkout_id, i.application_id FROM payment_refunds f
          JOIN payment_intents i ON i.payment_id = f.payment_id
          WHERE f.state IN ('requested', 'unknown') AND f.state = 'unknown')
      LIMIT $1 FOR UPDATE OF a SKIP LOCKED))
    RETURNING reference`,
});

/** Makes the account of a payment due now, because the provider knows something new. False: there is none. */
export const wakeAccountOf = hasRow<[paymentId: string]>({
  name: 'wake-payment-account',
  text: `UPDATE payment_accounts a SET due_at = least(a.due_at, now()) FROM payment_intents i
    WHERE i.payment_id = $1 AND a.checkout_id = i.checkout_id AND a.application_id = i.application_id
    RETURNING a.reference`,
});
