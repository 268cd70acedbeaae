import type { AttentionSource } from '../platform/attention-source.ts';
import { wordsOfCode, wordsOfDispute } from './stripe/code-words.ts';
import { isBookedSince } from './store/adoption.ts';
import { goneOf } from './store/refunds-of-returns.ts';

const words: Readonly<Record<string, string>> = {
  funds: 'The bank has declined the card; it is tried again after some days, and then no more.',
  card: 'The card is stolen, lost, expired or closed. It is not charged again.',
  guest: 'The bank asks the guest to authenticate the payment.',
  amount: 'The card provider cannot take this amount.',
  account:
    "The card provider's account that the keys belong to does not know this card or payment, or may not use it.",
  disputed: 'The cardholder disputes a payment with this card. It is not charged meanwhile.',
  no_card: 'No card is on file, and this has fallen due.',
  stopped: 'Staff have stopped collecting, and this has fallen due.',
  unknown: 'The card provider does not say whether this was done. It is looked up again and again.',
  sent_back: "The guest's bank has sent the refund back.",
  not_by_card: 'No card payment is left that could return this: it was collected another way.',
};

const refused: Readonly<Record<string, string>> = {
  funds: 'The card provider has refused the refund; it is tried again after some days.',
  card: 'The card can no longer take refunds.',
  amount: 'The card provider cannot return this amount of the payment: see its dashboard.',
};

const textOf = (kind: string, reason: string): string =>
  (kind === 'refund_refused' ? refused[reason] : undefined) ?? words[reason] ?? reason;

const wordsOf: AttentionSource['words'] = ({ kind, reason, code }) =>
  code === null
    ? textOf(kind, reason)
    : `${textOf(kind, reason)} The card provider says: ${wordsOfCode(code) ?? 'see its dashboard'}.`;

// Each row is looked up by its key from what waits, even where the planner would scan small tables.
const intentOf = (payment: string): string =>
  `CROSS JOIN LATERAL (SELECT application_id, checkout_id, amount_minor, currency, decline_code, payment_id
        FROM payment_intents WHERE payment_id = ${payment} OFFSET 0) i`;

const checkoutOf = (of: string): string =>
  `(SELECT b.reference, b.resolved_at, q.listing_id FROM bookings b
        CROSS JOIN LATERAL (SELECT listing_id FROM quotes
          WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q
        WHERE b.booking_id = ${of}.checkout_id AND b.application_id = ${of}.application_id
          AND b.kind = 'checkout' OFFSET 0)`;

/** The money that waits for staff. Spec: MONEY-8. */
export const moneyAttention: readonly AttentionSource[] = [
  {
    name: 'disputes',
    isMoney: true,
    words: ({ reason }) =>
      `The cardholder disputes the payment: ${wordsOfDispute(reason)}. Give evidence in the provider's dashboard.`,
    text: `SELECT d.dispute_reference AS subject, 'disputed' AS kind, i.application_id, i.checkout_id, b.reference,
        b.listing_id, d.amount_minor AS amount, d.currency, d.reason, d.reason AS code, d.opened_at AS since,
        d.evidence_due_at AS deadline
      FROM payment_disputes d ${intentOf('d.payment_id')} CROSS JOIN LATERAL ${checkoutOf('i')} b
      WHERE d.outcome = 'open'`,
  },
  {
    name: 'parts',
    isMoney: true,
    words: wordsOf,
    text: `SELECT w.checkout_id || ' ' || w.part AS subject, w.kind, w.application_id, w.checkout_id, a.reference,
        r.listing_id, w.amount_minor AS amount, a.currency, w.reason, w.code, w.since,
        NULL::timestamptz AS deadline
      FROM payment_waits w
      CROSS JOIN LATERAL (SELECT reference, currency FROM payment_accounts
        WHERE checkout_id = w.checkout_id AND application_id = w.application_id OFFSET 0) a
      CROSS JOIN LATERAL (SELECT listing_id FROM reservations WHERE reference = a.reference OFFSET 0) r`,
  },
  {
    // No reservation was made, and its money could not be returned.
    name: 'kept',
    isMoney: true,
    words: wordsOf,
    text: `SELECT i.payment_id::text AS subject,
        CASE WHEN f.is_sent_back THEN 'refund_failed' ELSE 'refund_refused' END AS kind,
        i.application_id, i.checkout_id, NULL::text AS reference, b.listing_id,
        i.amount_minor - ${goneOf('i')} AS amount,
        i.currency, CASE WHEN f.is_sent_back THEN 'sent_back' ELSE coalesce(f.refused_as, 'funds') END AS reason,
        f.code, f.since, NULL::timestamptz AS deadline
      FROM (SELECT payment_id, bool_or(state = 'failed') AS is_sent_back, max(refused_as) AS refused_as,
          max(decline_code) AS code, min(updated_at) AS since
        FROM payment_refunds WHERE state IN ('refused', 'failed') AND settled_at IS NULL GROUP BY payment_id) f
      ${intentOf('f.payment_id')} CROSS JOIN LATERAL ${checkoutOf('i')} b
      WHERE b.reference IS NULL AND b.resolved_at IS NOT NULL AND i.amount_minor > ${goneOf('i')}`,
  },
  {
    name: 'unmatched effects',
    isMoney: true,
    words: ({ reason, code }) =>
      `After a restore, the card provider has a ${reason} (${code}) that no reservation has a place for. Find out whose it is in the provider's dashboard, then close it.`,
    text: `SELECT e.provider_reference AS subject, 'unmatched' AS kind, e.application_id, e.checkout_id,
        b.reference, b.listing_id, e.amount_minor AS amount, e.currency, e.kind AS reason,
        e.provider_reference AS code, e.noticed_at AS since, NULL::timestamptz AS deadline
      FROM adopted_effects e
      LEFT JOIN LATERAL ${checkoutOf('e')} b ON true
      WHERE e.outcome = 'unmatched' AND e.closed_at IS NULL AND NOT ${isBookedSince}`,
  },
  {
    // The provider does not say whether it holds money of a booking that was not made.
    name: 'unknown returns',
    isMoney: true,
    words: wordsOf,
    text: `SELECT p.payment_id::text AS subject, p.attention AS kind, i.application_id, i.checkout_id,
        NULL::text AS reference, b.listing_id, i.amount_minor AS amount, i.currency, p.attention AS reason,
        i.decline_code AS code, p.attention_since AS since, NULL::timestamptz AS deadline
      FROM payment_returns p ${intentOf('p.payment_id')} CROSS JOIN LATERAL ${checkoutOf('i')} b
      WHERE p.attention = 'unknown' AND b.reference IS NULL`,
  },
];
