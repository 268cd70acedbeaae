import { limits } from '../../contract/limits.ts';
import type { Booking, Quote } from '../rules/booking.ts';
import type { QuoteUse } from '../rules/quote.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { oneRow, theValue } from '../../platform/postgres/statement-functions.ts';
import { isNearLine, isOlderThan } from '../../platform/postgres/wrong-times.ts';
import { reachedServer } from '../../platform/postgres/session.ts';

/** A quote, the digest of its input, and the database's time of the read. */
export interface FoundQuote {
  quote: Quote;
  inputDigest: Buffer;
  now: EpochMs;
}

const columns = `q.application_id AS "applicationId", q.quote_id AS "quoteId", q.listing_id AS "listingId",
  q.check_in AS "checkIn", q.check_out AS "checkOut", q.party, q.charges, q.terms, q.promotion,
  q.created_at AS "createdAt", q.expires_at AS "expiresAt", now() AS now`;

/** Reads a quote of the application. Spec: REPEAT-1. */
export const findQuote = oneRow<
  [applicationId: string, quoteId: string],
  Quote & Omit<FoundQuote, 'quote'>,
  FoundQuote
>({
  name: 'find-quote',
  text: `SELECT ${columns}, q.input_digest AS "inputDigest" FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $2`,
  result: ({ inputDigest, now, ...quote }) => ({ quote, inputDigest, now }),
});

/** A quote to book, and which identifiers of the new booking are taken, from one read. */
export interface QuoteToBook extends QuoteUse {
  quote: Quote;
  /** The input digest of the booking with the same ID; null: there is none. */
  existingDigest: Buffer | null;
}

/** The identifiers of a new booking. */
export interface NewBookingIds {
  quoteId: string;
  kind: Booking['kind'];
  bookingId: string;
  partnerReference?: string | undefined;
}

/** Reads a quote and whether this booking can use it. */
export const findQuoteToBook = oneRow<
  [applicationId: string, ids: NewBookingIds],
  Quote & Omit<QuoteToBook, 'quote'>,
  QuoteToBook
>({
  name: 'find-quote-to-book',
  text: `SELECT ${columns}, (
      SELECT b.input_digest FROM bookings b
      WHERE b.application_id = q.application_id AND b.kind = $3 AND b.booking_id = $4
    ) AS "existingDigest", CASE WHEN used.kind IS NOT NULL
      THEN json_build_object('kind', used.kind, 'bookingId', used.booking_id) END AS "usedBy", (
      SELECT b.booking_id FROM bookings b
      WHERE b.application_id = q.application_id AND b.partner_reference = $5
    ) AS "referenceOf"
    FROM quotes q LEFT JOIN LATERAL (
      SELECT b.kind, b.booking_id FROM bookings b
      WHERE b.application_id = q.application_id AND b.quote_id = q.quote_id OFFSET 0
    ) used ON true
    WHERE q.application_id = $1 AND q.quote_id = $2`,
  values: (applicationId, ids) => [
    applicationId,
    ids.quoteId,
    ids.kind,
    ids.bookingId,
    ids.partnerReference,
  ],
  result: ({ existingDigest, usedBy, referenceOf, now, ...quote }) => ({
    quote,
    existingDigest,
    usedBy,
    referenceOf,
    now,
  }),
});

// Prices and terms depend on the moment of the quote, so it is created at the moment for which they were decided, if
// that is the database's time within a second.
const insertStatement: Statement = {
  name: 'insert-quote',
  text: `INSERT INTO quotes (application_id, quote_id, input_digest, listing_id, check_in, check_out,
      party, charges, terms, created_at, expires_at, promotion)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, at, at + make_interval(mins => $10), $13::json
    FROM (SELECT CASE WHEN abs(extract(epoch FROM now() - decided)) <= 1 THEN decided
        ELSE date_trunc('milliseconds', now()) END AS at
      FROM to_timestamp($11::float8 / 1000) AS decided) moment
    WHERE ($12::text IS NULL OR $12 = ${reachedServer}) AND ${isNearLine('$14')}
    ON CONFLICT DO NOTHING RETURNING created_at AS "createdAt", expires_at AS "expiresAt"`,
};

/** A quote before it is written. */
export type NewQuote = Omit<Quote, 'createdAt' | 'expiresAt'> & {
  /** The moment for which its price was decided; absent: the database's time. */
  decidedAt?: EpochMs;
};

/**
 * Writes a new quote and returns it. Null: its ID is taken, the home was read from another server than this one, or the
 * database's time is not that of the process; read it and decide again.
 *
 * @param server where its price was read; null: here
 * @param line the time of the process; null: it is not compared
 */
export async function insertQuote(
  executor: Executor,
  { decidedAt, ...quote }: NewQuote,
  inputDigest: Buffer,
  server: string | null,
  line: EpochMs | null = null,
): Promise<Quote | null> {
  const [row] = await executor.query<Pick<Quote, 'createdAt' | 'expiresAt'>>(insertStatement, [
    quote.applicationId,
    quote.quoteId,
    inputDigest,
    quote.listingId,
    quote.checkIn,
    quote.checkOut,
    JSON.stringify(quote.party),
    JSON.stringify(quote.charges),
    JSON.stringify(quote.terms),
    limits.quoteMinutes,
    decidedAt ?? null,
    server,
    quote.promotion && JSON.stringify(quote.promotion),
    line,
  ]);
  return row ? { ...quote, ...row } : null;
}

/**
 * Deletes unused quotes that expired more than `days` ago. Returns how many quotes it checked, used ones
 * included: fewer than `atMost` means that none is left.
 */
export const sweepQuotes = theValue<[days: number, atMost: number], number>({
  name: 'sweep-quotes',
  // An expired quote can no longer be used, so one check decides whether it is deleted or stays. The sweep
  // checks each quote once, in the order of expiry.
  text: `WITH mark AS (
      SELECT looked_until FROM quote_sweep FOR UPDATE SKIP LOCKED
    ), looked AS (
      SELECT q.* FROM mark CROSS JOIN LATERAL (
        SELECT ctid AS row_id, application_id, quote_id, expires_at FROM quotes
        WHERE expires_at > mark.looked_until AND ${isOlderThan('created_at', '$1')}
          AND expires_at < now() - make_interval(days => $1)
        ORDER BY expires_at FETCH FIRST ($2::integer) ROWS WITH TIES) q
    ), swept AS (
      DELETE FROM quotes WHERE ctid = ANY (ARRAY(
        SELECT row_id FROM looked WHERE NOT EXISTS (
          SELECT FROM bookings b
          WHERE b.application_id = looked.application_id AND b.quote_id = looked.quote_id OFFSET 0)))
    ), marked AS (
      UPDATE quote_sweep SET looked_until = last.expires_at
      FROM (SELECT max(expires_at) AS expires_at FROM looked) last
      WHERE last.expires_at IS NOT NULL
    )
    SELECT count(*)::integer AS looked FROM looked`,
});
