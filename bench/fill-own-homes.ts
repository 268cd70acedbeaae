/** What the bookings of own homes have besides the rows of `fill.ts`: nights, guests, money, the audit trail, reports. */
import { homeOf, keptBookings, type FillText } from './fill.ts';

const confirmed = `${keptBookings} WHERE state = 'confirmed'`;
/** One of 20 is paid by card. */
const paid = `${confirmed} AND n % 20 = 2`;
const payment = `md5($1::text || 'payment' || n)::uuid`;

// One guest of a thousand has the name of the real one, whose digests a search can find.
const guests = `INSERT INTO guest_digests
    (booking_id, application_id, kind, email, phone, name, last_name, generation, digested, words)
  SELECT b.booking_id, $1::text::uuid, b.kind, sha256(n::text::bytea), sha256(('phone' || n)::bytea),
    CASE WHEN n % 1000 = 0 THEN real.name ELSE sha256(('name' || n % 500000)::bytea) END,
    CASE WHEN n % 1000 = 0 THEN real.last_name ELSE sha256(('last' || n % 20000)::bytea) END,
    real.generation, true,
    CASE WHEN n % 1000 = 0 THEN real.words
      ELSE ARRAY[substring(sha256(('last' || n % 20000)::bytea) FOR 16),
        substring(sha256(('first' || n % 2000)::bytea) FOR 16)] END
  FROM ${keptBookings} CROSS JOIN LATERAL (
    SELECT * FROM guest_digests WHERE digested AND words IS NOT NULL
      AND application_id <> $1::text::uuid LIMIT 1) real`;

/** To be written with the bookings, by a superuser whose session fires no triggers. */
export const ownHomesTexts: readonly FillText[] = [
  {
    text: `INSERT INTO occupancies (listing_id, nights, kind, application_id, booking_kind, booking_id, reference)
      SELECT ${homeOf}, daterange(made::date + 60, made::date + 63), 'confirmed', $1::text::uuid, kind,
        booking_id, $1::text || n FROM ${confirmed}`,
    values: 6,
  },
  { text: guests, values: 5 },
  {
    text: `WITH entry AS (
        INSERT INTO audit_entries (happened_at, actor, action, application_id, details, reference, source)
        SELECT made + interval '1 hour', 'cli:bench', 'reservation.change', $1::text::uuid,
          json_build_object('listing', 'home-' || n % cardinality($6::uuid[])), $1::text || n, 'cli'
        FROM ${confirmed} AND n % 10 = 1 ORDER BY n
        RETURNING entry_id, details ->> 'listing' AS listing),
      homes AS (INSERT INTO audit_homes SELECT listing, entry_id FROM entry)
      INSERT INTO audit_unchained SELECT entry_id FROM entry`,
    values: 6,
  },
  {
    text: `INSERT INTO payment_accounts (application_id, checkout_id, reference, currency, opened_at, due_at)
      SELECT $1::text::uuid, booking_id, $1::text || n, 'EUR', made, NULL FROM ${paid}`,
    values: 5,
  },
  {
    text: `INSERT INTO payment_intents (payment_id, application_id, checkout_id, attempt_id, purpose, due_on,
        amount_minor, currency, state, provider, provider_reference, asked_at, created_at, updated_at)
      SELECT ${payment}, $1::text::uuid, booking_id, booking_id, 'booking', made::date, 50000, 'EUR',
        'captured', 'stripe', 'pi_' || $1::text || n, made, made, made FROM ${paid}`,
    values: 5,
  },
  {
    text: `INSERT INTO payment_entries
        (application_id, checkout_id, payment_id, kind, debit, credit, amount_minor, currency, at)
      SELECT $1::text::uuid, booking_id, CASE e.kind WHEN 'captured' THEN ${payment} END, e.kind, e.debit, e.credit,
        50000, 'EUR', made
      FROM (SELECT * FROM ${paid}) b CROSS JOIN (VALUES ('booked', 'open', 'due'),
        ('captured', 'collected', 'open')) e (kind, debit, credit)`,
    values: 5,
  },
];

/** The counts of the reports, as the tasks would have written them. $1: the application. */
export const reportTexts = [
  `INSERT INTO funnel_weeks
    SELECT week::date, $1::text::uuid, listing_id, 40, 9, 5, 3, 2, 2
    FROM generate_series(date_trunc('week', now() - interval '1 year'), now(), interval '1 week') week,
      (SELECT listing_id FROM listings UNION ALL SELECT '00000000-0000-0000-0000-000000000000') homes
    ON CONFLICT DO NOTHING`,
  `UPDATE funnel_progress SET counted_until = now() - interval '1 minute'`,
  `INSERT INTO booked_days
    SELECT confirmed_at::date, application_id, charges ->> 'currency', count(*),
      sum((charges ->> 'total')::bigint)
    FROM reservations WHERE application_id = $1::text::uuid GROUP BY 1, 2, 3
    ON CONFLICT DO NOTHING`,
];
