import type { AttentionSource } from '../platform/attention-source.ts';
import { wordsOfCode } from './stripe/code-words.ts';
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
    : `${textOf(kind, reason)} The card provider says: ${wordsOfCode(code) ?? 'see its dashboard'} (${code}).`;

/** The money that waits for staff. Spec: MONEY-8. */
export const moneyAttention: readonly AttentionSource[] = [
  {
    name: 'disputes',
    isMoney: true,
    words: ({ reason }) =>
      `The cardholder disputes the payment (${reason}). Give evidence in the provider's dashboard.`,
    text: `SELECT d.dispute_reference AS subject, 'disputed' AS kind, i.application_id, i.checkout_id, b.reference,
        q.listing_id, d.amount_minor AS amount, d.currency, d.reason, NULL::text AS code, d.opened_at AS since,
        d.evidence_due_at AS deadline
      FROM payment_disputes d JOIN payment_intents i ON i.payment_id = d.payment_id
      JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
        AND b.kind = 'checkout'
      JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
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
      JOIN payment_accounts a ON a.checkout_id = w.checkout_id AND a.application_id = w.application_id
      JOIN reservations r ON r.reference = a.reference`,
  },
  {
    // No reservation was made, and its money could not be returned.
    name: 'kept',
    isMoney: true,
    words: wordsOf,
    text: `SELECT i.payment_id::text AS subject,
        CASE bool_or(f.state = 'failed') WHEN true THEN 'refund_failed' ELSE 'refund_refused' END AS kind,
        i.application_id, i.checkout_id, NULL::text AS reference, q.listing_id,
        i.amount_minor - ${goneOf('i')} AS amount,
        i.currency, CASE bool_or(f.state = 'failed') WHEN true THEN 'sent_back'
          ELSE coalesce(max(f.refused_as), 'funds') END AS reason,
        max(f.decline_code) AS code, min(f.updated_at) AS since, NULL::timestamptz AS deadline
      FROM payment_refunds f
      JOIN payment_intents i ON i.payment_id = f.payment_id
      JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
        AND b.kind = 'checkout' AND b.reference IS NULL AND b.resolved_at IS NOT NULL
      JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
      WHERE f.state IN ('refused', 'failed') AND f.settled_at IS NULL
      GROUP BY i.payment_id, q.listing_id HAVING i.amount_minor > ${goneOf('i')}`,
  },
  {
    name: 'unmatched effects',
    isMoney: true,
    words: ({ reason, code }) =>
      `After a restore, the card provider has a ${reason} (${code}) that no reservation has a place for. Find out whose it is in the provider's dashboard, then close it.`,
    text: `SELECT e.provider_reference AS subject, 'unmatched' AS kind, e.application_id, e.checkout_id,
        b.reference, q.listing_id, e.amount_minor AS amount, e.currency, e.kind AS reason,
        e.provider_reference AS code, e.noticed_at AS since, NULL::timestamptz AS deadline
      FROM adopted_effects e
      LEFT JOIN bookings b ON b.booking_id = e.checkout_id AND b.application_id = e.application_id
        AND b.kind = 'checkout'
      LEFT JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
      WHERE e.outcome = 'unmatched' AND e.closed_at IS NULL`,
  },
  {
    // The provider does not say whether it holds money of a booking that was not made.
    name: 'unknown returns',
    isMoney: true,
    words: wordsOf,
    text: `SELECT p.payment_id::text AS subject, p.attention AS kind, i.application_id, i.checkout_id,
        NULL::text AS reference, q.listing_id, i.amount_minor AS amount, i.currency, p.attention AS reason,
        i.decline_code AS code, p.attention_since AS since, NULL::timestamptz AS deadline
      FROM payment_returns p JOIN payment_intents i ON i.payment_id = p.payment_id
      JOIN bookings b ON b.booking_id = i.checkout_id AND b.application_id = i.application_id
        AND b.kind = 'checkout' AND b.reference IS NULL
      JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
      WHERE p.attention = 'unknown'`,
  },
];
