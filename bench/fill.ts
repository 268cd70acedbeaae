/** Fills a database with the rows of a year of bookings. */
import type pg from 'pg';

/** The content of the rows of one application. */
export interface FillContent {
  applicationId: string;
  /** The number of bookings, spread evenly over a year that ends an hour ago. */
  bookings: number;
  /** The homes that are booked, one after the other. */
  homes: readonly string[];
  /** JSON of a real quote, so that rows have a realistic size. */
  quote: { party: string; charges: string; terms: string };
}

/** A home and a quote for tests that read plans and not rows. */
export const emptyContent: Pick<FillContent, 'homes' | 'quote'> = {
  homes: ['00000000-0000-4000-8000-000000000000'],
  quote: { party: '{}', charges: '{}', terms: '{}' },
};

/** A statement that writes the rows of some bookings. */
export interface FillText {
  text: string;
  /** How many of the values of `fillDatabase` it has. */
  values: number;
}

// Of 20 bookings, 18 are confirmed, one is a failed request and one an abandoned checkout. Rows that the
// service would have swept are absent, and so are guests, because only the service can seal them.
const allBookings = `SELECT n, $2::timestamptz - make_interval(secs => n * $3::float8) AS made,
      md5($1::text || 'quote' || n)::uuid AS quote_id, md5($1::text || 'booking' || n)::uuid AS booking_id,
      CASE WHEN n % 2 = 0 THEN 'checkout' ELSE 'request' END AS kind,
      CASE n % 20 WHEN 5 THEN 'failed' WHEN 10 THEN 'needs_guest' ELSE 'confirmed' END AS state
    FROM generate_series($4::bigint, $5::bigint) n`;
/** The bookings of a batch that are not swept. $6 are the homes. */
export const keptBookings = `(SELECT * FROM (${allBookings}) made
    WHERE state <> 'needs_guest' OR made > $2::timestamptz - interval '30 days') b`;
export const homeOf = `($6::uuid[])[1 + n % cardinality($6::uuid[])]`;
const since = (days: number): string => `made > $2::timestamptz - interval '${days} days'`;

const texts: readonly FillText[] = [
  {
    text: `INSERT INTO quotes SELECT $1::text::uuid, quote_id, '\\x00', ${homeOf}, made::date + 60,
        made::date + 63, $7::json, $8::json, $9::json, made, made + interval '15 minutes' FROM ${keptBookings}`,
    values: 9,
  },
  {
    text: `INSERT INTO bookings (application_id, kind, booking_id, quote_id, input_digest, settlement,
        version, state, partner_reference, session_nonce, session_expires_at, failure_reason, reference,
        submitted_at, resolved_at, created_at, updated_at, guest_removed_at)
      SELECT $1::text::uuid, kind, booking_id, quote_id, '\\x00',
        CASE n % 20 WHEN 2 THEN 'card' ELSE 'partner' END, 4, state,
        CASE kind WHEN 'request' THEN 'order ' || n END,
        CASE kind WHEN 'checkout' THEN '\\x00'::bytea END,
        CASE kind WHEN 'checkout' THEN made + interval '1 day' END,
        CASE state WHEN 'failed' THEN 'sold_out' END, CASE state WHEN 'confirmed' THEN $1::text || n END,
        CASE WHEN state <> 'needs_guest' THEN made END, CASE WHEN state <> 'needs_guest' THEN made END,
        made, made, CASE WHEN state = 'failed' AND NOT ${since(30)} THEN made + interval '30 days' END
      FROM ${keptBookings}`,
    values: 5,
  },
  {
    text: `INSERT INTO reservations (reference, application_id, kind, booking_id, state, listing_id,
        check_in, check_out, party, charges, confirmed_at, updated_at, materialized_at,
        records_due_at, guest_email_digest)
      SELECT $1::text || n, $1::text::uuid, kind, booking_id, 'confirmed', ${homeOf}, made::date + 60,
        made::date + 63, $7::json, $8::json, made, made, made, NULL, sha256(n::text::bytea) FROM ${keptBookings} WHERE state = 'confirmed'`,
    values: 8,
  },
  {
    text: `INSERT INTO checkout_commands
      SELECT $1::text::uuid, booking_id, operation, 1, '\\x00', false, made
      FROM ${keptBookings}, unnest(ARRAY['saveGuest', 'submit']) operation
      WHERE kind = 'checkout' AND ${since(7)}`,
    values: 5,
  },
  {
    text: `INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT $1::text::uuid, c.last_sequence - 2 * n - ordinal, type,
        json_build_object('checkoutId', booking_id, 'state', 'confirmed', 'reference', $1::text || n), made
      FROM (${allBookings}) b, event_counters c,
        (VALUES (0, 'reservation.confirmed'), (1, 'checkout.resolved')) types (ordinal, type)
      WHERE c.application_id = $1::text::uuid AND ${since(30)}`,
    values: 5,
  },
  {
    text: `INSERT INTO request_log
      SELECT $1::text::uuid, made, md5($1::text || path || n)::uuid, 'POST', path, 'reservation.quote.create', 201,
        NULL, 12
      FROM ${keptBookings}, unnest(ARRAY['/v1/quotes', '/v1/checkouts', '/v1/listings/search']) path
      WHERE ${since(30)}`,
    values: 5,
  },
];

const secondsPerYear = 365 * 86_400;
const batchSize = 50_000;

/**
 * Writes the rows, newest first, on these connections at once, for at most `withinMs`; `more` statements write what
 * else there is of a booking. Returns the number of bookings.
 */
export async function fillDatabase(
  clients: readonly pg.Client[],
  { applicationId, bookings, homes, quote }: FillContent,
  { withinMs = Infinity, more = [] }: { withinMs?: number; more?: readonly FillText[] } = {},
): Promise<number> {
  const deadline = performance.now() + withinMs;
  const until = new Date(Date.now() - 3_600_000).toISOString();
  const content = [homes, quote.party, quote.charges, quote.terms];
  await clients[0]!.query(
    'UPDATE event_counters SET last_sequence = $2 WHERE application_id = $1',
    [applicationId, 2 * bookings],
  );
  let next = 0;
  async function fill(client: pg.Client): Promise<void> {
    while (next < bookings && performance.now() < deadline) {
      const first = next;
      next = Math.min(first + batchSize, bookings);
      const all = [applicationId, until, secondsPerYear / bookings, first, next - 1, ...content];
      // In one transaction: a service that runs sweeps old quotes without a booking.
      await client.query('BEGIN');
      for (const { text, values } of [...texts, ...more]) {
        await client.query(text, all.slice(0, values));
      }
      await client.query('COMMIT');
    }
  }
  await Promise.all(clients.map(fill));
  // As if the service had swept regularly.
  await clients[0]!.query(`UPDATE quote_sweep SET looked_until = now() - interval '31 days'`);
  return next;
}
