import type { Charges, Terms } from '../../contract/partner/schemas/quote.ts';
import type { Booking, BookingChange } from '../rules/booking.ts';
import type { Session } from '../../access/index.ts';
import { sealContext } from './booking-row.ts';
import { claimOf, type Claim, type ClaimRow } from './booking-claims.ts';
import type { CommandIdentity } from './checkouts.ts';
import { moveStatement, type MoveParts, type MoveValues } from './move-statement.ts';
import {
  instant,
  instantOrNull,
  type Executor,
  type Statement,
} from '../../platform/postgres/database.ts';

const insertStatement: Statement = {
  name: 'insert-booking',
  text: `INSERT INTO bookings (application_id, kind, booking_id, quote_id, input_digest, settlement,
      version, state, guest_sealed, partner_reference, session_nonce, session_expires_at,
      submitted_at, created_at, updated_at, due_at)
    SELECT q.application_id, $2, $3, q.quote_id, $5, $6, 1, $7, $8, $9, $10, $11, $12, $13, $13,
      CASE WHEN $12::timestamptz IS NOT NULL THEN now() END
    FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $4 AND q.expires_at > now()
    ON CONFLICT DO NOTHING
    RETURNING attempt_id`,
};

const sealedGuest = (executor: Executor, booking: Booking): Buffer | null =>
  booking.guest &&
  executor.vault.seal('guest', JSON.stringify(booking.guest), sealContext(booking));

/**
 * Writes a new booking. False: its ID, quote or partner reference is taken, or the quote has expired;
 * read and decide again.
 */
export async function insertBooking(
  executor: Executor,
  booking: Booking,
  inputDigest: Buffer,
  session: Session | null,
): Promise<boolean> {
  const rows = await executor.query(insertStatement, [
    booking.applicationId,
    booking.kind,
    booking.bookingId,
    booking.quote.quoteId,
    inputDigest,
    booking.settlement,
    booking.state,
    sealedGuest(executor, booking),
    booking.kind === 'request' ? booking.partnerReference : null,
    session?.nonce,
    session && instant(session.expiresAt),
    instantOrNull(booking.submittedAt),
    instant(booking.createdAt),
  ]);
  return rows.length === 1;
}

/** `moved`: written. `overtaken`: the booking has changed. `promotion_used_up`: no use was left. */
export type MoveVerdict = 'moved' | 'overtaken' | 'promotion_used_up';

const ownCharges = (booking: Booking): Charges | null =>
  booking.charges === booking.quote.charges ? null : booking.charges;

const ownCancellation = (booking: Booking): Terms['cancellation'] | null =>
  booking.kind === 'request' || booking.terms === booking.quote.terms
    ? null
    : booking.terms.cancellation;

const setupOf = (booking: Booking) => (booking.kind === 'checkout' ? booking.paymentSetup : null);
const methodOf = (booking: Booking) =>
  booking.kind === 'checkout' ? booking.paymentMethodId : null;

function setupValues(executor: Executor, booking: Booking): MoveValues {
  const setup = setupOf(booking);
  const secret = setup?.clientSecret;
  return {
    paymentState: setup?.state,
    paymentFailure: setup?.failure,
    paymentAttempts: setup?.attempts ?? 0,
    paymentRequestedAt: instantOrNull(setup?.requestedAt ?? null),
    paymentReference: setup?.reference,
    paymentSecret: secret && executor.vault.seal('payment', secret, sealContext(booking)),
  };
}

function bookingValues(executor: Executor, from: Booking, next: Booking): MoveValues {
  const charges = ownCharges(next);
  const cancellation = ownCancellation(next);
  return {
    applicationId: next.applicationId,
    kind: next.kind,
    bookingId: next.bookingId,
    version: next.version - 1,
    readUpdatedAt: instant(from.updatedAt),
    state: next.state,
    guest: next.guest === from.guest ? null : sealedGuest(executor, next),
    promotionCode: next.kind === 'checkout' ? next.promotionCode : null,
    charges: charges && JSON.stringify(charges),
    cancellation: cancellation && JSON.stringify(cancellation),
    failureReason: next.failureReason,
    reference: next.reference,
    submittedAt: instantOrNull(next.submittedAt),
    resolvedAt: instantOrNull(next.resolvedAt),
    updatedAt: instant(next.updatedAt),
  };
}

/** Conditions of a move, in addition to version and `updatedAt` of the booking as read. */
export interface MoveGuard {
  /** A command that is not refused needs an unexpired quote if the checkout is not submitted yet. */
  command?: CommandIdentity & { refused: boolean };
  /** Only for workers: the fence of their claim. */
  fence?: number;
  /** Session and quote must not have expired: for a checkout from memory. */
  live?: boolean;
}

function moveValues(executor: Executor, change: BookingChange, guard: MoveGuard): MoveValues {
  const { from, next, events, reservation } = change;
  return {
    ...bookingValues(executor, from, next),
    ...setupValues(executor, next),
    paymentMethodId: methodOf(next),
    ...guard.command,
    fence: guard.fence,
    dueInSeconds: change.dueInSeconds,
    unknownStep: change.unknownStep,
    takes: change.takesPromotion,
    releases: change.releasesPromotion,
    announcedChange: reservation?.announced?.change,
    announcedFor: instantOrNull(reservation?.announced?.at ?? null),
    eventTypes: events.map(({ type }) => type),
    eventData: events.map(({ data }) => JSON.stringify(data)),
  };
}

const needsQuote = ({ from }: BookingChange, { command, live }: MoveGuard): boolean =>
  live === true || (command?.refused === false && from.submittedAt === null);

const partsOf = (change: BookingChange, guard: MoveGuard): MoveParts => ({
  fence: guard.fence !== undefined,
  session: guard.live === true,
  quote: needsQuote(change, guard),
  setup: setupOf(change.from) !== setupOf(change.next),
  method: methodOf(change.from) !== methodOf(change.next),
  promotion: change.takesPromotion !== undefined || change.releasesPromotion !== undefined,
  journal: guard.command !== undefined,
  reservation: change.reservation !== undefined,
  events: change.events.length > 0,
  claim: false,
});

interface MovedRow {
  held: boolean;
  moved: boolean;
}

const verdictOf = (row: MovedRow | undefined): MoveVerdict => {
  if (row?.moved) return 'moved';
  return row?.held ? 'promotion_used_up' : 'overtaken';
};

/** Writes everything that a decision changes, or nothing, in one guarded statement. */
export async function moveBooking(
  executor: Executor,
  change: BookingChange,
  guard: MoveGuard,
): Promise<MoveVerdict> {
  const moved = moveStatement(partsOf(change, guard), moveValues(executor, change, guard));
  const [row] = await executor.query<MovedRow>(moved.statement, moved.values);
  return verdictOf(row);
}

/**
 * Moves a booking that is due now, and claims it for the worker of this process in the same statement.
 * Only for changes that take no use of a promotion.
 */
export async function moveAndClaim(
  executor: Executor,
  change: BookingChange,
  guard: MoveGuard,
  leaseSeconds: number,
): Promise<Claim | 'overtaken'> {
  const moved = moveStatement(
    { ...partsOf(change, guard), claim: true },
    { ...moveValues(executor, change, guard), dueInSeconds: leaseSeconds },
  );
  const [row] = await executor.query<ClaimRow>(moved.statement, moved.values);
  return row ? claimOf(executor, row) : 'overtaken';
}

const releaseExpiredStatement: Statement = {
  name: 'release-expired-promotions',
  text: `WITH expired AS (
      UPDATE bookings b SET promotion_held = false
      FROM (
        SELECT b.application_id, b.kind, b.booking_id, b.promotion_code AS code
        FROM bookings b JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
        WHERE b.promotion_held AND b.submitted_at IS NULL AND q.expires_at <= now()
        ORDER BY 1, 2, 3 LIMIT $1 FOR UPDATE OF b SKIP LOCKED
      ) held
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id
      RETURNING held.code
    ), freed AS (
      SELECT code, count(*)::integer AS uses FROM expired GROUP BY code
    ), locked AS (
      SELECT p.code FROM promotions p JOIN freed ON freed.code = p.code ORDER BY p.code FOR UPDATE OF p
    ), given_back AS (
      UPDATE promotions p SET uses = p.uses - freed.uses FROM freed, (SELECT count(*) FROM locked) waited
      WHERE p.code = freed.code
    )
    SELECT code FROM expired`,
};

/** Gives back the promotion uses of unsubmitted checkouts whose quote has expired. Returns how many. */
export async function releaseExpiredPromotions(
  executor: Executor,
  atMost: number,
): Promise<number> {
  return (await executor.query(releaseExpiredStatement, [atMost])).length;
}
