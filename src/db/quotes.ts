import type { Charges, Terms } from '../contract/schemas/quote.ts';
import type { EpochMs, Quote } from '../domain/booking.ts';
import type { Party } from '../domain/listing.ts';
import { instant, type Executor, type Statement } from './database.ts';

interface QuoteRow {
  application_id: string;
  quote_id: string;
  input_digest: Buffer;
  listing_id: string;
  check_in: string;
  check_out: string;
  party: Party;
  charges: Charges;
  terms: Terms;
  created_at: EpochMs;
  expires_at: EpochMs;
  present: EpochMs;
}

/** A quote, with the digest of the input that made it and the database's time of the read. */
export interface FoundQuote {
  quote: Quote;
  inputDigest: Buffer;
  present: EpochMs;
}

const findStatement: Statement = {
  name: 'find-quote',
  text: `SELECT application_id, quote_id, input_digest, listing_id, check_in, check_out, party,
      charges, terms, created_at, expires_at, now() AS present
    FROM quotes WHERE application_id = $1 AND quote_id = $2`,
};

/** Reads a quote of the application. */
export async function findQuote(
  executor: Executor,
  applicationId: string,
  quoteId: string,
): Promise<FoundQuote | undefined> {
  const [row] = await executor.query<QuoteRow>(findStatement, [applicationId, quoteId]);
  if (!row) return undefined;
  return {
    quote: {
      applicationId: row.application_id,
      quoteId: row.quote_id,
      listingId: row.listing_id,
      checkIn: row.check_in,
      checkOut: row.check_out,
      party: row.party,
      charges: row.charges,
      terms: row.terms,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    },
    inputDigest: row.input_digest,
    present: row.present,
  };
}

const insertStatement: Statement = {
  name: 'insert-quote',
  text: `INSERT INTO quotes (application_id, quote_id, input_digest, listing_id, check_in, check_out,
      party, charges, terms, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
    ON CONFLICT DO NOTHING RETURNING quote_id`,
};

/** Writes a new quote. False: its ID is taken; read it and decide again. */
export async function insertQuote(
  executor: Executor,
  quote: Quote,
  inputDigest: Buffer,
): Promise<boolean> {
  const rows = await executor.query(insertStatement, [
    quote.applicationId,
    quote.quoteId,
    inputDigest,
    quote.listingId,
    quote.checkIn,
    quote.checkOut,
    JSON.stringify(quote.party),
    JSON.stringify(quote.charges),
    JSON.stringify(quote.terms),
    instant(quote.createdAt),
    instant(quote.expiresAt),
  ]);
  return rows.length === 1;
}

const sweepStatement: Statement = {
  name: 'sweep-quotes',
  text: `DELETE FROM quotes WHERE ctid = ANY (ARRAY(
      SELECT q.ctid FROM quotes q
      WHERE q.expires_at < now() - make_interval(days => $1) AND NOT EXISTS (
        SELECT FROM bookings b WHERE b.application_id = q.application_id AND b.quote_id = q.quote_id)
      LIMIT $2)) RETURNING quote_id`,
};

/** Forgets quotes that nobody used, long after they expired. */
export async function sweepQuotes(
  executor: Executor,
  days: number,
  atMost: number,
): Promise<number> {
  return (await executor.query(sweepStatement, [days, atMost])).length;
}
