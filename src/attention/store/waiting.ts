/** What waits for people now, read from the tables of its subjects. */
import type { AttentionSource } from '../../platform/attention-source.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { EpochMs } from '../../contract/time.ts';
import { namedGuest, readGuests, readGuestsOfReservations } from '../../bookings/index.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** An item of the one list of what waits for people. */
export interface AttentionItem {
  kind: string;
  /** Unique within the kind. */
  subject: string;
  reference: string | null;
  checkoutId: string | null;
  /** The partner's name. */
  application: string | null;
  /** The guest's name; null: there is none, or it was removed. */
  guest: string | null;
  /** How to reach the guest. */
  phone: string | null;
  /** The home's slug. */
  listing: string | null;
  /** The home's name. */
  listingName: string | null;
  /** In minor units. */
  amount: number | null;
  currency: string | null;
  /** In words. */
  reason: string;
  /** The word of the machine behind the reason, for those who look it up elsewhere. */
  code: string | null;
  since: EpochMs;
  deadline: EpochMs | null;
}

interface Row extends Omit<AttentionItem, 'guest' | 'phone'> {
  applicationId: string | null;
}

// The limit is inside: names are looked up only for what is shown, however much waits.
const statementOf = ({ name, text }: AttentionSource): Statement => ({
  name: 'list-attention',
  variant: name,
  text: `SELECT w.kind, w.subject, w.application_id AS "applicationId", w.checkout_id AS "checkoutId", w.reference,
      a.name AS application, l.slug AS listing, l.name AS "listingName", w.amount, w.currency, w.reason, w.code,
      w.since, w.deadline
    FROM (SELECT * FROM (${text}) waiting ORDER BY since, subject LIMIT $1) w
    LEFT JOIN listings l ON l.listing_id = w.listing_id
    LEFT JOIN applications a ON a.application_id = w.application_id
    ORDER BY w.since, w.subject`,
});

/** Reads the guests of rows: of their reservations, or else of their bookings. */
async function guestsOf(
  executor: Executor,
  { bookingKind }: AttentionSource,
  rows: readonly Row[],
): Promise<(row: Row) => Guest | null | undefined> {
  const references = rows.flatMap(({ reference }) => (reference === null ? [] : [reference]));
  const bookings = rows.flatMap(({ reference, applicationId, checkoutId }) =>
    reference !== null || applicationId === null || checkoutId === null
      ? []
      : [{ applicationId, checkoutId }],
  );
  const [ofReservations, ofBookings] = await Promise.all([
    readGuestsOfReservations(executor, references),
    readGuests(executor, bookings, bookingKind),
  ]);
  return ({ reference, checkoutId }) =>
    reference === null ? ofBookings.get(checkoutId ?? '') : ofReservations.get(reference);
}

async function readSource(
  executor: Executor,
  source: AttentionSource,
  atMost: number,
): Promise<AttentionItem[]> {
  const rows = await executor.query<Row>(statementOf(source), [atMost]);
  const guestOf = await guestsOf(executor, source, rows);
  return rows.map((row) => {
    const { applicationId: _, ...item } = row;
    return { ...item, ...namedGuest(guestOf(row)), reason: source.words(item) };
  });
}

/** Reads what waits for people, longest first, up to `atMost` of each source. */
export async function readAttention(
  executor: Executor,
  sources: readonly AttentionSource[],
  atMost: number,
): Promise<AttentionItem[]> {
  const found = await Promise.all(sources.map((source) => readSource(executor, source, atMost)));
  return found.flat().toSorted((a, b) => a.since - b.since);
}

const countOf = ({ text }: AttentionSource): string =>
  `(SELECT count(*) FROM (${text} LIMIT $1) one)`;

const countStatement = (sources: readonly AttentionSource[]): Statement => ({
  name: 'count-attention',
  variant: sources.map(({ name }) => name).join('-'),
  text: `SELECT (${sources.map(countOf).join(' + ')})::integer AS count`,
});

/** Counts what waits for people now, up to `atMost` of each source. */
export async function countAttention(
  executor: Executor,
  sources: readonly AttentionSource[],
  atMost: number,
): Promise<number> {
  const [row] = await executor.query<{ count: number }>(countStatement(sources), [atMost]);
  return row!.count;
}
