import { runningOf } from '../../access/index.ts';
import type { Booking } from '../../bookings/index.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import { oneRow, theRow, theValue } from '../../platform/postgres/statement-functions.ts';

/** The decision of the simulated supplier on an attempt. */
export interface SimulatedAttempt {
  outcome: string;
  /** When the decision becomes known; null: never. */
  knownAt: EpochMs | null;
  /** The total that was ordered for `price_changed`; null: none. */
  price: number | null;
  now: EpochMs;
}

/** Reads an attempt. */
export const findSimulatedAttempt = oneRow<[attemptId: string], SimulatedAttempt>({
  name: 'find-simulated-attempt',
  text: 'SELECT outcome, known_at AS "knownAt", price, now() AS now FROM simulated_attempts WHERE attempt_id = $1',
});

/** What the statement has to know of each outcome; `knownInSeconds` null: it never becomes known. */
export type OutcomeFacts = Readonly<
  Record<string, { isMade: boolean; knownInSeconds: number | null }>
>;

/** Stores the decision of an attempt once. Spec: SANDBOX-3. */
export const decideSimulatedAttempt = theRow<
  [booking: Booking, outcome: string, facts: OutcomeFacts],
  SimulatedAttempt
>({
  name: 'decide-simulated-attempt',
  // A repeated call returns the first decision. What a scenario wants counts before all else, and what the application has ordered for its next booking counts instead of the
  // guest's email, once. Where its bookings take nights, an overlap is sold out.
  text: `WITH running AS (
      SELECT (${runningOf('$4', 'running.effects')}) AS effects
    ), fresh AS (
      SELECT s.application_id, s.occupies_since FROM sandbox_states s
      WHERE s.application_id = $4 AND NOT EXISTS (SELECT FROM simulated_attempts WHERE attempt_id = $1)
      FOR UPDATE
    ), ordered AS (
      UPDATE sandbox_states s SET next_outcome = NULL, next_price = NULL FROM fresh
      WHERE s.application_id = fresh.application_id AND s.next_ordered_at <= $8
        AND (SELECT effects FROM running) IS NULL
        AND s.next_outcome IS NOT NULL AND s.next_outcome NOT LIKE 'setup%'
      RETURNING old.next_outcome AS outcome, old.next_price AS price
    ), wanted AS (
      SELECT coalesce((SELECT effects ->> 'outcome' FROM running), (SELECT outcome FROM ordered), $2)
        AS outcome, (SELECT price FROM ordered) AS price
    ), taken AS (
      INSERT INTO sandbox_nights (application_id, attempt_id, listing_id, nights)
      SELECT fresh.application_id, $1, $5, daterange($6, $7) FROM fresh CROSS JOIN wanted
      WHERE fresh.occupies_since IS NOT NULL AND ($3::json -> wanted.outcome ->> 'isMade')::boolean
      ON CONFLICT DO NOTHING RETURNING attempt_id
    ), decided AS (
      SELECT price, CASE WHEN ($3::json -> outcome ->> 'isMade')::boolean
        AND EXISTS (SELECT FROM fresh WHERE occupies_since IS NOT NULL)
        AND NOT EXISTS (SELECT FROM taken) THEN 'sold_out' ELSE outcome END AS outcome
      FROM wanted
    )
    INSERT INTO simulated_attempts (attempt_id, outcome, price, known_at)
    SELECT $1, outcome, price,
      now() + make_interval(secs => coalesce((SELECT effects ->> 'knownInSeconds' FROM running),
        $3::json -> outcome ->> 'knownInSeconds')::float8)
    FROM decided
    ON CONFLICT (attempt_id) DO UPDATE SET attempt_id = excluded.attempt_id
    RETURNING outcome, price, known_at AS "knownAt", now() AS now`,
  values: ({ attemptId, applicationId, quote, submittedAt, createdAt }, outcome, facts) => [
    attemptId,
    outcome,
    JSON.stringify(facts),
    applicationId,
    quote.listingId,
    quote.checkIn,
    quote.checkOut,
    instant(submittedAt ?? createdAt),
  ],
});

/** The outcome that an application has ordered for its next payment setup, once; null: none. Spec: SANDBOX-3. */
export const takeOrderedSetup = theValue<[applicationId: string], string | null>({
  name: 'take-ordered-setup',
  text: `WITH running AS (
      SELECT (${runningOf('$1', 'running.effects')}) AS effects
    ), ordered AS (
      UPDATE sandbox_states SET next_outcome = NULL
      WHERE application_id = $1 AND next_outcome LIKE 'setup%' AND (SELECT effects FROM running) IS NULL
      RETURNING old.next_outcome AS outcome
    )
    SELECT coalesce((SELECT effects ->> 'setup' FROM running), (SELECT outcome FROM ordered)) AS outcome`,
});

/** Whether the scenario that an application runs wants its guest to authenticate. Spec: SANDBOX-4. */
export const wantsAction = theValue<[applicationId: string], boolean>({
  name: 'find-wanted-action',
  text: `SELECT coalesce((${runningOf('$1', 'running.effects')} ->> 'needsAction')::boolean, false) AS wanted`,
});
