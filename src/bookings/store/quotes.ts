import { limits } from '../../contract/limits.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { Booking, KeptTerms, Quote, QuotePromotion } from '../rules/booking.ts';
import type { QuoteUse } from '../rules/quote.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Party } from '../../pricing/index.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { oneRow, theValue } from '../../platform/postgres/statement-functions.ts';
import { isNearLine, isOlderThan } from '../../platform/postgres/wrong-times.ts';
import { reachedServer } from '../../platform/postgres/session.ts';

interface QuoteRow {
  application_id: string;
  quote_id: string;
  input_digest: Buffer;
  listing_id: string;
  check_in: string;
  check_out: string;
  party: Party;
  charges: Charges;
  terms: KeptTerms;
  promotion: QuotePromotion | null;
  created_at: EpochMs;
  expires_at: EpochMs;
  now: EpochMs;
}

/** A quote, the digest of its input, and the database's time of the read. */
export interface FoundQuote {
  quote: Quote;
  inputDigest: Buffer;
  now: EpochMs;
}

const columns = `q.application_id, q.quote_id, q.input_digest, q.listing_id, q.check_in, q.check_out,
  q.party, q.charges, q.terms, q.promotion, q.created_at, q.expires_at, now() AS now`;

const quoteOf = (row: QuoteRow): Quote => ({
  applicationId: row.application_id,
  quoteId: row.quote_id,
  listingId: row.listing_id,
  checkIn: row.check_in,
  checkOut: row.check_out,
  party: row.party,
  charges: row.charges,
  terms: row.terms,
  promotion: row.promotion,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
});

/** Reads a quote of the application. Spec: REPEAT-1. */
export const findQuote = oneRow<[applicationId: string, quoteId: string], QuoteRow, FoundQuote>({
  name: 'find-quote',
  text: `SELECT ${columns} FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $2`,
  result: (row) => ({ quote: quoteOf(row), inputDigest: row.input_digest, now: row.now }),
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

type ToBookRow = QuoteRow & {
  existing_digest: Buffer | null;
  used_kind: Booking['kind'] | null;
  used_by: string | null;
  reference_of: string | null;
};

/** Reads a quote and whether this booking can use it. */
export const findQuoteToBook = oneRow<
  [applicationId: string, ids: NewBookingIds],
  ToBookRow,
  QuoteToBook
>({
  name: 'find-quote-to-book',
  text: `SELECT ${columns}, (
      SELECT b.input_digest FROM bookings b
      WHERE b.application_id = q.application_id AND b.kind = $3 AND b.booking_id = $4
    ) AS existing_digest, used.kind AS used_kind, used.booking_id AS used_by, (
      SELECT b.booking_id FROM bookings b
      WHERE b.application_id = q.application_id AND b.partner_reference = $5
    ) AS reference_of
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
  result: (row) => ({
    quote: quoteOf(row),
    now: row.now,
    existingDigest: row.existing_digest,
    usedBy:
      row.used_kind === null ? null : { kind: row.used_kind, bookingId: row.used_by as string },
    referenceOf: row.reference_of,
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
    ON CONFLICT DO NOTHING RETURNING created_at, expires_at`,
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
  const [row] = await executor.query<QuoteRow>(insertStatement, [
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
  return row ? { ...quote, createdAt: row.created_at, expiresAt: row.expires_at } : null;
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
