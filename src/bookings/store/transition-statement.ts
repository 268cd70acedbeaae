import { claimColumns as claimedRow } from './booking-claims.ts';
import { endHolds } from '../../inventory/index.ts';
import * as days from './reservation-days.ts';
import type { Statement } from '../../platform/postgres/database.ts';
import { isNearLine } from '../../platform/postgres/wrong-times.ts';

/** The optional clauses of a transition; the statement contains only those that a change needs. */
export interface TransitionClauses {
  /** Requires that the worker still holds its claim. */
  fence: boolean;
  /** Requires an unexpired session: for a checkout from memory. */
  session: boolean;
  /** Requires an unexpired quote and, with a promotion code, the use that the checkout holds. */
  quote: boolean;
  /** Writes the columns of a payment setup. */
  setup: boolean;
  /** Hands the booking to a worker. */
  submits: boolean;
  /** Writes the payment method that the guest verified. */
  method: boolean;
  /** Takes a use of a promotion, gives one back, or both. */
  promotion: boolean;
  /** Records the command, so that a repeat is recognized. */
  journal: boolean;
  reservation: boolean;
  /** Confirms or frees the nights that were held for the booking. */
  nights: boolean;
  events: boolean;
  /** Claims the booking for the worker of the same process. */
  claim: boolean;
  /** Counts the booking for the daily limit. */
  counts: boolean;
  /** Removes the failed booking from the count of its day. */
  uncounts: boolean;
}

const clauseNames = [
  'fence',
  'session',
  'quote',
  'setup',
  'submits',
  'method',
  'promotion',
  'journal',
  'reservation',
  'nights',
  'events',
  'claim',
  'counts',
  'uncounts',
] as const satisfies readonly (keyof TransitionClauses)[];

/** The database's time, to the millisecond, as instants are read. */
export const nowInMs = `date_trunc('milliseconds', now())`;

/** Values by their placeholder names in the statement. */
export type TransitionValues = Record<string, unknown>;

// The time of a command is the database's: an expiry is decided by it later.
const writtenAt = ({ journal }: TransitionClauses): string => (journal ? nowInMs : '{updatedAt}');

const columns = (clauses: TransitionClauses): string => `version = {version} + 1, state = {state},
        guest_sealed = coalesce({guest}, b.guest_sealed), promotion_code = {promotionCode},
        charges = {charges}, cancellation = {cancellation}, failure_reason = {failureReason},
        failure_details = {failureDetails}, reference = {reference},
        resolved_at = {resolvedAt}, updated_at = ${writtenAt(clauses)},
        unknown_step = {unknownStep}, due_at = now() + make_interval(secs => {dueInSeconds})`;

const claimColumns = 'fence = b.fence + 1, tries = 1';
const unclaimedColumns = 'tries = 0';

const requestedAt = ({ journal }: TransitionClauses): string =>
  journal ? nowInMs : '{paymentRequestedAt}';

const setupColumns = (
  clauses: TransitionClauses,
): string => `payment_state = {paymentState}, payment_failure = {paymentFailure},
        payment_attempts = {paymentAttempts}, payment_requested_at = ${requestedAt(clauses)},
        payment_reference = {paymentReference}, payment_secret_sealed = {paymentSecret}`;

// Spec: CHECKOUT-7.
const submittedColumns = `submitted_at = ${nowInMs}, payer = CASE b.settlement WHEN 'partner' THEN (
          SELECT a.name FROM applications a WHERE a.application_id = b.application_id) END`;

const methodColumn = 'payment_method_id = {paymentMethodId}';

const promotionColumns = `promotion_held = {takes}::text IS NOT NULL
          OR (b.promotion_held AND {releases}::text IS NULL)`;

const setColumns = (clauses: TransitionClauses): string =>
  [
    columns(clauses),
    clauses.claim ? claimColumns : unclaimedColumns,
    clauses.submits && submittedColumns,
    clauses.setup && setupColumns(clauses),
    clauses.method && methodColumn,
    clauses.promotion && promotionColumns,
    clauses.counts && `counted_on = ${days.today}`,
  ].filter(Boolean).join(`,
        `);

/** The promotion whose use is given back, as SQL. Spec: PROMOTION-5. */
const returned = ({ counts, uncounts }: TransitionClauses): string =>
  [
    'b.application_id, b.kind, b.booking_id, b.quote_id, b.attempt_id, b.fence, b.reference, b.resolved_at, b.updated_at',
    counts && 'b.counted_on',
    uncounts && days.uncountedDay,
  ]
    .filter(Boolean)
    .join(', ');

const sessionLives = ` AND b.session_expires_at > now()`;

// A background task gives the use back after the quote has expired, without a new version. It may do so
// while this statement waits for the row lock: PostgreSQL then checks all conditions on the new row. The quote is
// found by its key alone: as a join, or with its expiry as a condition of the look-up, PostgreSQL plans to read all quotes
// of the application on an empty table, and all that are live on a full one.
const quoteLives = ` AND (b.promotion_held OR b.promotion_code IS NULL) AND (
          SELECT q.expires_at FROM quotes q
          WHERE q.application_id = b.application_id AND q.quote_id = b.quote_id) > now()`;

/**
 * Compared in addition to the version: after a failover to a standby without the last commits, the same
 * version can be another row. Values read have milliseconds.
 */
export const unchangedSince = (value: string): string =>
  `date_trunc('milliseconds', b.updated_at) = ${value}`;

const guarded = (clauses: TransitionClauses): string =>
  `b.application_id = {applicationId} AND b.kind = {kind} AND b.booking_id = {bookingId}
        AND b.version = {version} AND ${unchangedSince('{readUpdatedAt}')}${[
          clauses.fence && ' AND b.fence = {fence}',
          clauses.session && sessionLives,
          clauses.quote && quoteLives,
          clauses.journal && ` AND ${isNearLine('{line}')}`,
        ]
          .filter(Boolean)
          .join('')}`;

const writtenAlone = (clauses: TransitionClauses): string => `written AS (
      UPDATE bookings b SET ${setColumns(clauses)}
      WHERE ${guarded(clauses)}
      RETURNING ${clauses.claim ? 'b.*' : returned(clauses)}
    )`;

// Promotions are locked in the order of their codes, so that two checkouts that swap codes do not
// deadlock. If no use is left, nothing is written.
// Spec: PROMOTION-4.
const writtenWithPromotion = (clauses: TransitionClauses): string => `held AS (
      SELECT b.application_id, b.kind, b.booking_id, b.promotion_held FROM bookings b
      WHERE ${guarded(clauses)}
      FOR UPDATE
    ), locked AS (
      SELECT p.code FROM promotions p CROSS JOIN held
      WHERE p.code IN ({takes}, {releases}) ORDER BY p.code FOR UPDATE OF p
    ), taken AS (
      UPDATE promotions p SET uses = p.uses + 1 FROM held, (SELECT count(*) FROM locked) waited
      WHERE p.code = {takes} AND (p.max_uses IS NULL OR p.uses < p.max_uses)
      RETURNING p.code
    ), written AS (
      UPDATE bookings b SET ${setColumns(clauses)}
      FROM held LEFT JOIN taken ON true
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id AND ({takes}::text IS NULL OR taken.code IS NOT NULL)
      RETURNING ${returned(clauses)}, held.promotion_held AS was_held
    ), released AS (
      UPDATE promotions p SET uses = p.uses - 1 FROM written
      WHERE p.code = {releases} AND written.was_held
    )`;

const journaled = `journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, {operation}, {expectedVersion}, {inputDigest}, {refused}
      FROM written
    )`;

const reserved = `reserved AS (
      INSERT INTO reservations (reference, application_id, kind, booking_id, state, listing_id,
        check_in, check_out, party, charges, confirmed_at, updated_at, announced_change,
        announced_for, guest_email_digest)
      SELECT {reference}, w.application_id, w.kind, w.booking_id, 'confirmed', q.listing_id,
        q.check_in, q.check_out, q.party, coalesce({charges}::json, q.charges), {updatedAt},
        {updatedAt}, {announcedChange}, {announcedFor}, {guestEmailDigest}
      FROM written w JOIN quotes q ON q.application_id = w.application_id AND q.quote_id = w.quote_id
    )`;

// The counter stays locked until commit, so sequence order is commit order.
const emitted = `counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality({eventTypes}::text[])
      FROM written WHERE c.application_id = written.application_id
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality({eventTypes}::text[]) + draft.ordinal,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter,
        unnest({eventTypes}::text[], {eventData}::text[]) WITH ORDINALITY AS draft (type, data, ordinal)
    )`;

const verdictAlone = (clauses: TransitionClauses): string =>
  `SELECT (SELECT updated_at FROM written) AS written_at, ${heldOf(clauses)} AS held`;

const verdictWithClaim = `SELECT ${claimedRow} FROM written b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id`;

const heldOf = ({ promotion }: TransitionClauses): string =>
  promotion ? 'EXISTS (SELECT FROM held)' : 'false';

// Every other part selects from `written`, so nothing is written unless the row has the expected version
// (and fence).
const assembled = (clauses: TransitionClauses): string => {
  const { promotion, journal, reservation, nights, events, claim, counts, uncounts } = clauses;
  const steps = [
    promotion ? writtenWithPromotion(clauses) : writtenAlone(clauses),
    journal && journaled,
    reservation && reserved,
    nights && endHolds('written'),
    counts && days.counted('written'),
    uncounts && days.uncounted('written'),
    events && emitted,
  ].filter(Boolean);
  return `WITH ${steps.join(', ')}
    ${claim ? verdictWithClaim : verdictAlone(clauses)}`;
};

interface Assembled {
  statement: Statement;
  /** Placeholder names in the order of their numbers. */
  names: string[];
}

const variantOf = (clauses: TransitionClauses): string =>
  clauseNames.filter((name) => clauses[name]).join('-') || 'alone';

/** Replaces the named placeholders of a text by numbers. */
function numbered(variant: string, named: string): Assembled {
  const names: string[] = [];
  const text = named.replaceAll(/\{(\w+)\}/g, (_placeholder, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return { statement: { name: 'transition-booking', variant, text }, names };
}

const assembledByVariant = new Map<string, Assembled>();

function assembledOnce(clauses: TransitionClauses): Assembled {
  const variant = variantOf(clauses);
  const known = assembledByVariant.get(variant);
  if (known) return known;
  const fresh = numbered(variant, assembled(clauses));
  assembledByVariant.set(variant, fresh);
  return fresh;
}

/** Builds the statement that writes a transition with these clauses, and its values in order. */
export function transitionStatement(
  clauses: TransitionClauses,
  values: TransitionValues,
): { statement: Statement; values: unknown[] } {
  const { statement, names } = assembledOnce(clauses);
  return { statement, values: names.map((name) => values[name]) };
}
