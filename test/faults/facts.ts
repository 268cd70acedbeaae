/** The data of some applications in the database, for the checker. */
import type { Executor } from '../../src/platform/postgres/database.ts';
import { sql } from '../harness/rows.ts';

/** A checkout or request with the commands that changed it. */
export interface BookingFact {
  applicationId: string;
  kind: 'checkout' | 'request';
  bookingId: string;
  quoteId: string;
  /** The ID of the nights that are held for it. */
  attemptId: string;
  version: number;
  state: string;
  reference: string | null;
  submitted: boolean;
  setupPending: boolean;
  setupsAsked: number;
  /** What the simulated supplier decided; null: it was not asked. */
  supplierOutcome: string | null;
  /** Whether its outcome can be known by now. */
  supplierTells: boolean;
  /** For how long its outcome could have been known, in milliseconds. */
  waitingMs: number;
  /** The versions before each command that changed it. */
  commandVersions: number[];
}

export interface ReservationFact {
  applicationId: string;
  bookingId: string;
  reference: string;
  version: number;
  state: string;
  listingId: string;
  checkIn: string;
  checkOut: string;
}

/** The nights of a stay or a block. */
export interface NightsFact {
  id: string;
  kind: 'held' | 'confirmed' | 'block';
  listingId: string;
  from: string;
  to: string;
  reference: string | null;
  /** Of a block that comes from the calendar of another channel. */
  calendarId: string | null;
  /** The name of the outside stay that has them. */
  outside: string | null;
}

/** What another system has sold, as it is stored. */
export interface OutsideFact extends Pick<NightsFact, 'listingId' | 'from' | 'to'> {
  name: string;
}

/** Nights that a calendar of another channel could not block. */
export type ConflictFact = Pick<NightsFact, 'calendarId' | 'from' | 'to'>;

export interface EventFact {
  applicationId: string;
  sequence: number;
  id: string;
  type: string;
  createdAt: number;
  data: { checkoutId: string; state: string; version?: number; reference?: string };
}

/** All data of the applications of a run. */
export interface Facts {
  bookings: BookingFact[];
  reservations: ReservationFact[];
  events: EventFact[];
  counters: { applicationId: string; lastSequence: number }[];
  quoteIds: Set<string>;
  /** All taken nights of their homes, except those of other applications. Null: the simulation, in which no nights are taken. */
  nights: NightsFact[] | null;
  /** Of all calendars. */
  conflicts: ConflictFact[];
  /** At their homes. */
  outside: OutsideFact[];
  promotions: { code: string; uses: number; held: number }[];
  /** Of applications with a daily limit: the count of each day, and the bookings that belong to it. */
  days: { applicationId: string; day: string; reservations: number; bookings: number }[];
}

const bookingText = `SELECT b.application_id AS "applicationId", b.kind, b.booking_id AS "bookingId",
    b.quote_id AS "quoteId", b.attempt_id AS "attemptId", b.version, b.state, b.reference, b.submitted_at IS NOT NULL AS submitted,
    coalesce(b.payment_state = 'pending', false) AS "setupPending",
    b.payment_attempts AS "setupsAsked", s.outcome AS "supplierOutcome",
    coalesce(s.known_at <= clock_timestamp(), b.submitted_at IS NOT NULL
      AND (SELECT environment FROM installation) <> 'simulation') AS "supplierTells",
    extract(epoch FROM clock_timestamp() - greatest(b.updated_at, s.known_at))::float8 * 1000
      AS "waitingMs",
    coalesce((SELECT json_agg(c.expected_version) FROM checkout_commands c
      WHERE c.application_id = b.application_id AND c.checkout_id = b.booking_id
        AND b.kind = 'checkout'), '[]') AS "commandVersions"
  FROM bookings b LEFT JOIN simulated_attempts s ON s.attempt_id = b.attempt_id
  WHERE b.application_id = ANY ($1)`;

const reservationText = `SELECT application_id AS "applicationId", booking_id AS "bookingId",
    reference, version, state, listing_id AS "listingId", check_in AS "checkIn", check_out AS "checkOut"
  FROM reservations WHERE application_id = ANY ($1)`;

const ofTheirHomes = `listing_id IN (SELECT cl.listing_id FROM catalog_listings cl
    JOIN applications a ON a.catalog_id = cl.catalog_id WHERE a.application_id = ANY ($1))`;

const outsideText = `SELECT external_id AS name, listing_id AS "listingId", lower(nights) AS from,
    upper(nights) AS to FROM outside_stays WHERE ${ofTheirHomes}`;

const nightsText = `SELECT occupancy_id AS id, kind, listing_id AS "listingId", lower(nights) AS from,
    upper(nights) AS to, reference, calendar_id AS "calendarId",
    (SELECT external_id FROM outside_stays s WHERE s.outside_stay_id = o.outside_stay_id) AS outside
  FROM occupancies o WHERE ${ofTheirHomes}
    AND NOT EXISTS (SELECT FROM bookings b
      WHERE b.attempt_id = occupancy_id AND NOT b.application_id = ANY ($1))
  ORDER BY listing_id, lower(nights)`;

async function readNights(
  database: Executor,
  applicationIds: readonly string[],
): Promise<NightsFact[] | null> {
  const nights = await sql<NightsFact>(database, nightsText, [applicationIds]);
  const [row] = await sql<{ environment: string }>(
    database,
    'SELECT environment FROM installation',
  );
  return row?.environment === 'simulation' && nights.length === 0 ? null : nights;
}

const conflictText = `SELECT calendar_id AS "calendarId", lower(nights) AS from, upper(nights) AS to
  FROM channel_conflicts`;

const eventText = `SELECT application_id AS "applicationId", sequence,
    'evt_' || replace(event_id::text, '-', '') AS id, type, created_at AS "createdAt", data
  FROM events WHERE application_id = ANY ($1) ORDER BY application_id, sequence`;

const counterText = `SELECT application_id AS "applicationId", last_sequence AS "lastSequence"
  FROM event_counters WHERE application_id = ANY ($1)`;

const promotionText = `SELECT p.code, p.uses, (SELECT count(*)::integer FROM bookings b
    WHERE b.promotion_code = p.code AND b.promotion_held) AS held FROM promotions p`;

// Submitted, not failed and not cancelled. The day of a booking that does not name one is null.
const dayText = `SELECT application_id AS "applicationId", day::text,
    coalesce(max(d.reservations), 0) AS reservations, count(b.booking_id)::integer AS bookings
  FROM (
    SELECT b.application_id, b.counted_on AS day, b.booking_id FROM bookings b
    JOIN applications a USING (application_id)
    WHERE a.reservations_per_day IS NOT NULL AND b.submitted_at IS NOT NULL
      AND b.state NOT IN ('failed', 'expired') AND NOT EXISTS (
        SELECT FROM reservations r WHERE r.reference = b.reference AND r.state = 'cancelled')
  ) b FULL JOIN reservation_days d USING (application_id, day)
  WHERE application_id = ANY ($1) GROUP BY application_id, day`;

/** Only the bookings, to see which are still waiting. */
export const readBookings = (
  database: Executor,
  applicationIds: readonly string[],
): Promise<BookingFact[]> => sql<BookingFact>(database, bookingText, [applicationIds]);

/** Reads all data of these applications. */
export async function readFacts(
  database: Executor,
  applicationIds: readonly string[],
): Promise<Facts> {
  const ids = [applicationIds];
  const quotes = await sql<{ id: string }>(
    database,
    'SELECT quote_id AS id FROM quotes WHERE application_id = ANY ($1)',
    ids,
  );
  return {
    bookings: await readBookings(database, applicationIds),
    reservations: await sql<ReservationFact>(database, reservationText, ids),
    events: await sql<EventFact>(database, eventText, ids),
    counters: await sql<Facts['counters'][number]>(database, counterText, ids),
    quoteIds: new Set(quotes.map(({ id }) => id)),
    nights: await readNights(database, applicationIds),
    conflicts: await sql<ConflictFact>(database, conflictText),
    outside: await sql<OutsideFact>(database, outsideText, ids),
    promotions: await sql<Facts['promotions'][number]>(database, promotionText),
    days: await sql<Facts['days'][number]>(database, dayText, ids),
  };
}
