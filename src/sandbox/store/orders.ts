/** What an application has ordered beside faults. */
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { countRows, hasRow, noRows, theRow } from '../../platform/postgres/statement-functions.ts';

/** Ends all tokens of an application that were issued until an instant, but for one. */
export const endTokens = noRows<[applicationId: string, until: EpochMs, kept: string | null]>({
  name: 'sandbox-end-tokens',
  text: `INSERT INTO sandbox_states (application_id, tokens_end_at, kept_token) VALUES ($1, $2, $3)
    ON CONFLICT (application_id) DO UPDATE SET
      tokens_end_at = greatest(sandbox_states.tokens_end_at, excluded.tokens_end_at),
      kept_token = excluded.kept_token`,
  values: (applicationId, until, kept) => [applicationId, instant(until), kept],
});

// An application can have more than one statement can remove in time.
const removedAtOnce = 5_000;

async function inParts(remove: (atOnce: number) => Promise<number>, atOnce: number): Promise<void> {
  while ((await remove(atOnce)) === atOnce);
}

const endSomeEvents = countRows<[applicationId: string, below: number, atMost: number]>({
  name: 'sandbox-end-events',
  text: `DELETE FROM events WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM events WHERE application_id = $1 AND sequence < $2 ORDER BY sequence LIMIT $3))
    RETURNING sequence`,
});

/** Removes the events of an application below a sequence, `atOnce` in a statement. */
export const endEvents = (
  executor: Executor,
  applicationId: string,
  below: number,
  atOnce = removedAtOnce,
): Promise<void> =>
  inParts((atMost) => endSomeEvents(executor, applicationId, below, atMost), atOnce);

/** What the next booking of an application meets. */
export interface NextOutcome {
  outcome: string | null;
  price: number | null;
  occupy: boolean;
}

/** Orders an outcome; what is undefined stays. */
export const orderOutcome = theRow<
  [applicationId: string, of: { [Member in keyof NextOutcome]?: NextOutcome[Member] | undefined }],
  NextOutcome
>({
  name: 'sandbox-order-outcome',
  text: `INSERT INTO sandbox_states AS s
      (application_id, next_outcome, next_price, next_ordered_at, occupies_since)
    VALUES ($1, $2, $3, now(), CASE WHEN $4::boolean THEN now() END)
    ON CONFLICT (application_id) DO UPDATE SET
      next_outcome = coalesce($2, s.next_outcome),
      next_price = coalesce($3, CASE WHEN $2 IS NULL THEN s.next_price END),
      next_ordered_at = now(),
      occupies_since = CASE WHEN $4::boolean IS NULL THEN s.occupies_since
        WHEN $4 THEN coalesce(s.occupies_since, now()) END
    RETURNING next_outcome AS outcome, next_price AS price, occupies_since IS NOT NULL AS occupy`,
  values: (applicationId, { outcome, price, occupy }) => [applicationId, outcome, price, occupy],
});

const freeSomeNights = countRows<[applicationId: string, atMost: number]>({
  name: 'sandbox-free-nights',
  text: `DELETE FROM sandbox_nights WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM sandbox_nights WHERE application_id = $1 LIMIT $2))
    RETURNING attempt_id`,
});

/** Frees all nights that are taken for an application alone, `atOnce` in a statement. */
export const freeAllNights = (
  executor: Executor,
  applicationId: string,
  atOnce = removedAtOnce,
): Promise<void> => inParts((atMost) => freeSomeNights(executor, applicationId, atMost), atOnce);

/** Whether another booking of the application has nights of a stay. */
export const isTakenByAnother = hasRow<
  [
    applicationId: string,
    stay: { listingId: string; checkIn: string; checkOut: string },
    of: { kind: string; bookingId: string },
  ]
>({
  name: 'sandbox-find-taken',
  text: `SELECT FROM sandbox_nights n WHERE n.application_id = $1 AND n.listing_id = $2
      AND n.nights && daterange($3, $4) AND n.attempt_id <> ALL (ARRAY(
        SELECT attempt_id FROM bookings
        WHERE application_id = $1 AND kind = $5 AND booking_id = $6))`,
  values: (applicationId, { listingId, checkIn, checkOut }, { kind, bookingId }) => [
    applicationId,
    listingId,
    checkIn,
    checkOut,
    kind,
    bookingId,
  ],
});
