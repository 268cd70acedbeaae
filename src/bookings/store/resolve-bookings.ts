import { instant } from '../../contract/time.ts';
import { LRUCache } from 'lru-cache';
import type { Booking, BookingChange } from '../rules/booking.ts';
import { createBatch, type Batch } from '../../platform/batch.ts';
import { columnsOf } from '../../platform/postgres/columns.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { DatabaseUnavailableError } from '../../platform/postgres/database-errors.ts';
import { withoutDeadline } from '../../platform/postgres/deadline.ts';
import { hasNights, endHolds } from '../../inventory/index.ts';
import { emailDigest } from './guest-digests.ts';
import { uncounted, uncountedDay } from './reservation-days.ts';
import { unchangedSince } from './transition-statement.ts';

/** The outcome of a claimed booking. */
export interface Resolution {
  change: BookingChange;
  fence: number;
}

// All rows are of one application: its event counter is locked once for all of them, and last.
// The application is compared with `asked` and not with a parameter: a plan made on an empty table would
// read all bookings of the application (ADR 9). `ANY` makes the plan start with the keys.
const statement: Statement = {
  name: 'transition-booking',
  variant: 'together',
  text: `WITH asked AS (
      SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::integer[], $5::bigint[],
        $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::timestamptz[],
        $11::double precision[], $12::text[], $13::timestamptz[], $17::text[], $18::timestamptz[],
        $19::boolean[], $20::bytea[], $21::text[]) WITH ORDINALITY AS a
        (application_id, kind, booking_id, version, fence, state, failure_reason, reference,
        resolved_at, updated_at, due_in_seconds, announced_change, announced_for, unknown_step,
        read_updated_at, needs_nights, guest_email_digest, failure_details, ordinal)
    ), written AS (
      UPDATE bookings b SET version = a.version + 1, state = a.state,
        failure_reason = a.failure_reason, failure_details = a.failure_details::json, reference = a.reference, resolved_at = a.resolved_at,
        updated_at = a.updated_at, due_at = now() + make_interval(secs => a.due_in_seconds),
        unknown_step = a.unknown_step, tries = 0
      FROM asked a
      WHERE b.booking_id = ANY ($3::uuid[]) AND b.booking_id = a.booking_id
        AND b.application_id = a.application_id AND b.kind = a.kind
        AND b.version = a.version AND b.fence = a.fence AND ${unchangedSince('a.read_updated_at')}
        AND (NOT a.needs_nights OR ${hasNights})
      RETURNING a.ordinal, b.application_id, b.kind, b.booking_id, b.quote_id, b.charges, b.reference,
        b.attempt_id, b.resolved_at, b.updated_at, a.announced_change, a.announced_for,
        a.guest_email_digest, ${uncountedDay}
    ), reserved AS (
      INSERT INTO reservations (reference, application_id, kind, booking_id, state, listing_id,
        check_in, check_out, party, charges, confirmed_at, updated_at, announced_change,
        announced_for, guest_email_digest)
      SELECT w.reference, w.application_id, w.kind, w.booking_id, 'confirmed', q.listing_id,
        q.check_in, q.check_out, q.party, coalesce(w.charges, q.charges), w.updated_at, w.updated_at,
        w.announced_change, w.announced_for, w.guest_email_digest
      FROM written w JOIN quotes q ON q.quote_id = w.quote_id AND q.application_id = w.application_id
      WHERE w.reference IS NOT NULL
    ), ${endHolds('written')}, ${uncounted('written')}, drafts AS (
      SELECT w.application_id, d.type, d.data, row_number() OVER (ORDER BY d.ordinal) AS nth
      FROM unnest($14::bigint[], $15::text[], $16::text[]) WITH ORDINALITY AS d (booking, type, data, ordinal)
      JOIN written w ON w.ordinal = d.booking
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + drafted.events
      FROM (SELECT application_id, count(*) AS events FROM drafts GROUP BY application_id) drafted
      WHERE c.application_id = drafted.application_id
      RETURNING c.application_id, c.last_sequence - drafted.events AS before
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id, counter.before + d.nth, d.type, d.data::json, clock_timestamp()
      FROM counter, drafts d
    )
    SELECT ordinal FROM written`,
};

function valuesOf({ vault }: Executor, resolutions: readonly Resolution[]): unknown[] {
  const next = resolutions.map(({ change }) => change.next);
  const announced = resolutions.map(({ change }) => change.reservation?.announced);
  const events = resolutions.flatMap(({ change }, index) =>
    change.events.map(({ type, data }) => ({ booking: index + 1, type, data })),
  );
  return [
    ...columnsOf(next, 'applicationId', 'kind', 'bookingId'),
    next.map(({ version }) => version - 1),
    resolutions.map(({ fence }) => fence),
    ...columnsOf(next, 'state', 'failureReason', 'reference'),
    next.map(({ resolvedAt }) => instant(resolvedAt)),
    next.map(({ updatedAt }) => instant(updatedAt)),
    resolutions.map(({ change }) => change.dueInSeconds),
    announced.map((announcement) => announcement?.change ?? null),
    announced.map((announcement) => instant(announcement?.at ?? null)),
    ...columnsOf(events, 'booking', 'type'),
    events.map(({ data }) => JSON.stringify(data)),
    resolutions.map(({ change }) => change.unknownStep ?? null),
    resolutions.map(({ change }) => instant(change.from.updatedAt)),
    resolutions.map(({ change }) => change.needsNights === true),
    resolutions.map(({ change }) => change.reservation && emailDigest(vault, change.next.guest)),
    next.map(({ failureDetails }) => failureDetails && JSON.stringify(failureDetails)),
  ];
}

async function resolveTogether(
  executor: Executor,
  resolutions: readonly Resolution[],
): Promise<boolean[]> {
  const rows = await executor.query<{ ordinal: number }>(
    statement,
    valuesOf(executor, resolutions),
  );
  const written = new Set(rows.map(({ ordinal }) => ordinal));
  return resolutions.map((_, index) => written.has(index + 1));
}

const groupAtMost = 64;
// A batch that is dropped while it writes still finishes; the next one of the application waits for its lock.
const batchesAtMost = 1_000;

type Resolutions = Batch<Resolution, boolean>;

const batches = new WeakMap<Executor, LRUCache<string, Resolutions>>();

// A batch must not inherit the deadline of the call that creates it.
const newBatch = (executor: Executor): Resolutions =>
  withoutDeadline(() =>
    createBatch({
      atMost: groupAtMost,
      write: (resolutions) => resolveTogether(executor, resolutions),
      // For example a reference that is taken (one chance in 10¹²): the other items must not fail.
      isOfOneItem: (error) => !(error instanceof DatabaseUnavailableError),
    }),
  );

function batchOf(executor: Executor, applicationId: string): Resolutions {
  const ofExecutor = batches.get(executor) ?? new LRUCache({ max: batchesAtMost });
  batches.set(executor, ofExecutor);
  const batch = ofExecutor.get(applicationId) ?? newBatch(executor);
  ofExecutor.set(applicationId, batch);
  return batch;
}

const changesPayment = (from: Booking, next: Booking): boolean =>
  from.kind === 'checkout' && next.kind === 'checkout' && from.paymentSetup !== next.paymentSetup;

/** Whether a change can be written by this statement: no payment setup, no promotion. */
export const isResolution = ({ from, next, ...change }: BookingChange): boolean =>
  !changesPayment(from, next) && change.releasesPromotion === undefined;

/**
 * Writes an outcome, in one statement with other outcomes of the same application that are ready. False:
 * the claim was lost, the booking has changed, or the nights that it needs are not held. Throws if the reference is taken.
 * Spec: RESOLUTION-6.
 */
export const resolveBooking = (
  executor: Executor,
  change: BookingChange,
  fence: number,
): Promise<boolean> => batchOf(executor, change.next.applicationId).add({ change, fence });
