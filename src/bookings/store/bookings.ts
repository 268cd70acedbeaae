import type { Charges, Terms } from '../../contract/partner/schemas/quote.ts';
import type { Booking, BookingChange, Checkout, ReservationRequest } from '../rules/booking.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Session } from '../../access/index.ts';
import { limits } from '../../contract/limits.ts';
import { sealContext, sessionOf } from './booking-row.ts';
import { emailDigest } from './guest-digests.ts';
import { claimOf, type Claim, type ClaimRow } from './booking-claims.ts';
import type { CommandIdentity } from './checkouts.ts';
import { counted, today, unlessDayIsFull } from './reservation-days.ts';
import {
  transitionStatement,
  nowInMs,
  type TransitionClauses,
  type TransitionValues,
} from './transition-statement.ts';
import { isNearLine } from '../../platform/postgres/wrong-times.ts';
import { breaksCheck, isTaken } from '../../platform/postgres/database-errors.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { countRows } from '../../platform/postgres/statement-functions.ts';

const insertText = (countedOn: string): string => `INSERT INTO bookings (application_id, kind,
      booking_id, quote_id, input_digest, settlement, version, state, guest_sealed, partner_reference,
      session_nonce, session_expires_at, submitted_at, created_at, updated_at, due_at, counted_on, payer,
      checkout_reference, promotion_code, promotion_held)
    SELECT q.application_id, $2, $3, q.quote_id, $5, $6, 1, $7, $8, $9, $10::bytea,
      CASE WHEN $10::bytea IS NOT NULL THEN ${nowInMs} + make_interval(hours => $11) END,
      CASE WHEN $2 = 'request' THEN ${nowInMs} END, ${nowInMs}, ${nowInMs},
      CASE WHEN $2 = 'request' THEN now() + make_interval(secs => $14) END, ${countedOn},
      CASE WHEN $2 = 'request' THEN (SELECT a.name FROM applications a WHERE a.application_id = $1) END,
      $12, $13::text, $13::text IS NOT NULL
    FROM quotes q WHERE q.application_id = $1 AND q.quote_id = $4 AND q.expires_at > now()
      AND ${isNearLine('$15')}
    ON CONFLICT DO NOTHING
    RETURNING application_id, counted_on, attempt_id, created_at, session_expires_at, promotion_code`;

const insertStatement: Statement = { name: 'insert-booking', text: insertText('NULL::date') };

// With all uses taken the constraint fails, and nothing is written.
const usesTaken = `used AS (
    UPDATE promotions p SET uses = p.uses + 1 FROM made WHERE p.code = made.promotion_code
  )`;

const insertPromotedStatement: Statement = {
  name: 'insert-booking',
  variant: 'promoted',
  text: `WITH made AS (${insertText('NULL::date')}), ${usesTaken} SELECT * FROM made`,
};

const insertPromotedCountedStatement: Statement = {
  name: 'insert-booking',
  variant: 'promoted-counted',
  text: `WITH made AS (${insertText(today)}), ${usesTaken}, ${counted('made')} SELECT * FROM made`,
};

const insertCountedStatement: Statement = {
  name: 'insert-booking',
  variant: 'counted',
  text: `WITH made AS (${insertText(today)}), ${counted('made')} SELECT * FROM made`,
};

type WrittenColumn = 'attemptId' | 'version' | 'submittedAt' | 'createdAt' | 'updatedAt';

/** A checkout to insert. The database sets its times. */
type NewCheckout = Omit<Checkout, WrittenColumn>;

/** A reservation request to insert. The database sets its times. */
export type NewRequest = Omit<ReservationRequest, WrittenColumn>;

type NewBooking = NewCheckout | NewRequest;

interface WrittenRow {
  attempt_id: string;
  created_at: EpochMs;
  session_expires_at: EpochMs | null;
}

const sealedGuest = (
  executor: Executor,
  booking: Pick<Booking, 'applicationId' | 'bookingId' | 'guest'>,
): Buffer | null =>
  booking.guest &&
  executor.vault.seal('guest', JSON.stringify(booking.guest), sealContext(booking));

const insertionOf = ({ promotionCode }: NewBooking, isLimited: boolean): Statement => {
  if (promotionCode === null) return isLimited ? insertCountedStatement : insertStatement;
  return isLimited ? insertPromotedCountedStatement : insertPromotedStatement;
};

/** The result of an insert, or that no use of its promotion is left. */
async function unlessUsedUp<T>(inserting: Promise<T>): Promise<T | 'promotion_used_up'> {
  try {
    return await inserting;
  } catch (error) {
    if (breaksCheck(error, 'promotions_check2')) return 'promotion_used_up';
    throw error;
  }
}

async function insertBooking(
  executor: Executor,
  booking: NewBooking,
  inputDigest: Buffer,
  sessionNonce: Buffer | null,
  isLimited: boolean,
  dueInSeconds = 0,
  line: EpochMs | null = null,
): Promise<WrittenRow | undefined> {
  const [row] = await executor.query<WrittenRow>(insertionOf(booking, isLimited), [
    booking.applicationId,
    booking.kind,
    booking.bookingId,
    booking.quote.quoteId,
    inputDigest,
    booking.settlement,
    booking.state,
    sealedGuest(executor, booking),
    booking.kind === 'request' ? booking.partnerReference : null,
    sessionNonce,
    limits.sessionHours,
    booking.kind === 'checkout' ? booking.partnerReference : null,
    booking.promotionCode,
    dueInSeconds,
    line,
  ]);
  return row;
}

const writtenColumns = ({ attempt_id: attemptId, created_at: createdAt }: WrittenRow) => ({
  attemptId,
  version: 1,
  createdAt,
  updatedAt: createdAt,
});

/**
 * Writes a new checkout, and returns it with its session as written: their times are the database's.
 * Null: its ID or its quote is taken, the quote has ended, or the database's time is not that of the process; read and
 * decide again. `promotion_used_up`: no use of the quote's promotion is left.
 *
 * @param line the time of the process; null: it is not compared
 */
export async function insertCheckout(
  executor: Executor,
  checkout: NewCheckout,
  inputDigest: Buffer,
  nonce: Buffer,
  line: EpochMs | null = null,
): Promise<{ checkout: Checkout; session: Session } | 'promotion_used_up' | null> {
  const row = await unlessUsedUp(
    insertBooking(executor, checkout, inputDigest, nonce, false, 0, line),
  );
  if (row === 'promotion_used_up') return row;
  if (!row) return null;
  return {
    checkout: { ...checkout, ...writtenColumns(row), submittedAt: null },
    session: sessionOf({ ...row, session_nonce: nonce, state: checkout.state, resolved_at: null }),
  };
}

/**
 * Writes a new reservation request, submitted at once, and returns it as written: its times are the
 * database's. Null: its ID, its quote or its partner reference is taken, the quote has ended, or the
 * application has reached its daily limit; read and decide again. `promotion_used_up`: no use of the quote's promotion is
 * left. Spec: REQUEST-3.
 *
 * @param isLimited whether the application has a daily limit
 * @param dueInSeconds when it is resolved
 * @param line the time of the process, which the database's must be near to; null: it is not compared
 */
export async function insertRequest(
  executor: Executor,
  request: NewRequest,
  inputDigest: Buffer,
  isLimited: boolean,
  dueInSeconds = 0,
  line: EpochMs | null = null,
): Promise<ReservationRequest | 'promotion_used_up' | null> {
  const inserting = insertBooking(
    executor,
    request,
    inputDigest,
    null,
    isLimited,
    dueInSeconds,
    line,
  );
  const row = await unlessUsedUp(unlessDayIsFull(inserting, undefined));
  if (row === 'promotion_used_up') return row;
  return row ? { ...request, ...writtenColumns(row), submittedAt: row.created_at } : null;
}

/** `written`: it is. `overtaken`: the booking has changed, or the daily limit is reached. `promotion_used_up`: no use was left. */
export type TransitionVerdict = 'written' | 'overtaken' | 'promotion_used_up';

const ownCharges = (booking: Booking): Charges | null =>
  booking.charges === booking.quote.charges ? null : booking.charges;

const ownCancellation = (booking: Booking): Terms['cancellation'] | null =>
  booking.kind === 'request' || booking.terms === booking.quote.terms
    ? null
    : booking.terms.cancellation;

const setupOf = (booking: Booking) => (booking.kind === 'checkout' ? booking.paymentSetup : null);
const methodOf = (booking: Booking) =>
  booking.kind === 'checkout' ? booking.paymentMethodId : null;

function setupValues(executor: Executor, booking: Booking): TransitionValues {
  const setup = setupOf(booking);
  const secret = setup?.clientSecret;
  return {
    paymentState: setup?.state,
    paymentFailure: setup?.failure,
    paymentAttempts: setup?.attempts ?? 0,
    paymentRequestedAt: instant(setup?.requestedAt ?? null),
    paymentReference: setup?.reference,
    paymentSecret: secret && executor.vault.seal('payment', secret, sealContext(booking)),
  };
}

function bookingValues(executor: Executor, from: Booking, next: Booking): TransitionValues {
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
    promotionCode: next.promotionCode,
    charges: charges && JSON.stringify(charges),
    cancellation: cancellation && JSON.stringify(cancellation),
    failureReason: next.failureReason,
    failureDetails: next.failureDetails && JSON.stringify(next.failureDetails),
    reference: next.reference,
    resolvedAt: instant(next.resolvedAt),
    updatedAt: instant(next.updatedAt),
  };
}

/** Conditions of a transition, in addition to version and `updatedAt` of the booking as read. */
export interface TransitionGuard {
  /** A command that is not refused needs an unexpired quote if the checkout is not submitted yet. */
  command?: CommandIdentity & { refused: boolean };
  /** The time of the process, which that of a command must be near to; absent: it is not compared. */
  line?: EpochMs;
  /** Only for workers: the fence of their claim. */
  fence?: number;
  /** Session and quote must not have expired: for a checkout from memory. */
  live?: boolean;
  /** The application has a daily limit: a submit counts. */
  limited?: boolean;
}

function transitionValues(
  executor: Executor,
  change: BookingChange,
  guard: TransitionGuard,
): TransitionValues {
  const { from, next, events, reservation } = change;
  return {
    ...bookingValues(executor, from, next),
    ...setupValues(executor, next),
    paymentMethodId: methodOf(next),
    ...guard.command,
    fence: guard.fence,
    line: guard.line ?? null,
    dueInSeconds: change.dueInSeconds,
    unknownStep: change.unknownStep,
    takes: change.takesPromotion,
    releases: change.releasesPromotion,
    announcedChange: reservation?.announced?.change,
    announcedFor: instant(reservation?.announced?.at ?? null),
    guestEmailDigest: reservation && emailDigest(executor.vault, next.guest),
    eventTypes: events.map(({ type }) => type),
    eventData: events.map(({ data }) => JSON.stringify(data)),
  };
}

const needsQuote = ({ from }: BookingChange, { command, live }: TransitionGuard): boolean =>
  live === true || (command?.refused === false && from.submittedAt === null);

const isFirstSubmit = ({ from, next }: BookingChange): boolean =>
  from.submittedAt === null && next.submittedAt !== null;

const failsAfterSubmit = ({ from, next }: BookingChange): boolean =>
  from.submittedAt !== null && next.failureReason !== null;

/** The clauses that a change needs, written under a guard. */
export const clausesOf = (change: BookingChange, guard: TransitionGuard): TransitionClauses => ({
  fence: guard.fence !== undefined,
  session: guard.live === true,
  quote: needsQuote(change, guard),
  submits: change.next.submittedAt !== change.from.submittedAt,
  setup: setupOf(change.from) !== setupOf(change.next),
  method: methodOf(change.from) !== methodOf(change.next),
  promotion: change.takesPromotion !== undefined || change.releasesPromotion !== undefined,
  journal: guard.command !== undefined,
  reservation: change.reservation !== undefined,
  nights: change.from.submittedAt !== null && change.next.resolvedAt !== change.from.resolvedAt,
  events: change.events.length > 0,
  claim: false,
  counts: guard.limited === true && isFirstSubmit(change),
  uncounts: failsAfterSubmit(change),
});

interface WrittenRow {
  held: boolean;
  written_at: EpochMs | null;
}

const refusedVerdict = ({ held }: WrittenRow) => (held ? 'promotion_used_up' : 'overtaken');

async function writeTransition(
  executor: Executor,
  change: BookingChange,
  guard: TransitionGuard,
): Promise<WrittenRow> {
  const { statement, values } = transitionStatement(
    clausesOf(change, guard),
    transitionValues(executor, change, guard),
  );
  const [row] = await executor.query<WrittenRow>(statement, values);
  return row!;
}

/** Writes everything that a decision changes, or nothing, in one guarded statement. */
export async function transitionBooking(
  executor: Executor,
  change: BookingChange,
  guard: TransitionGuard,
): Promise<TransitionVerdict> {
  const row = await writeTransition(executor, change, guard);
  return row.written_at === null ? refusedVerdict(row) : 'written';
}

/**
 * Whether an outcome was not written because the facts have changed: the reference is taken (one chance in
 * 10¹²), or the payment was given back meanwhile. Decide again.
 */
export const isToDecideAgain = (error: unknown): boolean =>
  isTaken(error, 'reservations_pkey') || breaksCheck(error, 'reservations_paid');

/** A checkout with the times that the database gave to a command. */
function writtenAt({ from, next }: BookingChange<Checkout>, at: EpochMs): Checkout {
  const { paymentSetup } = next;
  return {
    ...next,
    updatedAt: at,
    ...(next.submittedAt !== from.submittedAt && { submittedAt: at }),
    ...(paymentSetup &&
      paymentSetup !== from.paymentSetup && { paymentSetup: { ...paymentSetup, requestedAt: at } }),
  };
}

/** Writes a command on a checkout, and returns the checkout as it was written. */
export async function transitionByCommand(
  executor: Executor,
  change: BookingChange<Checkout>,
  guard: TransitionGuard & Required<Pick<TransitionGuard, 'command'>>,
): Promise<Checkout | Exclude<TransitionVerdict, 'written'>> {
  const row = await unlessDayIsFull(writeTransition(executor, change, guard), null);
  if (row === null) return 'overtaken';
  return row.written_at === null ? refusedVerdict(row) : writtenAt(change, row.written_at);
}

/** Whether the statement that writes a change can also claim the booking: it is due, and no promotion is locked. */
export const canBeClaimed = ({
  dueInSeconds,
  takesPromotion,
  releasesPromotion,
}: BookingChange): boolean =>
  dueInSeconds === 0 && takesPromotion === undefined && releasesPromotion === undefined;

/**
 * Writes a transition of a booking that is due now, and claims it for the worker of this process in the same statement.
 * Only for changes that can be claimed.
 */
export async function transitionAndClaim(
  executor: Executor,
  change: BookingChange,
  guard: TransitionGuard,
  leaseSeconds: number,
): Promise<Claim | 'overtaken'> {
  const built = transitionStatement(
    { ...clausesOf(change, guard), claim: true },
    { ...transitionValues(executor, change, guard), dueInSeconds: leaseSeconds },
  );
  const writing = executor.query<ClaimRow>(built.statement, built.values);
  const [row] = await unlessDayIsFull(writing, []);
  return row ? claimOf(executor, row) : 'overtaken';
}

/** Gives back the promotion uses of unsubmitted checkouts whose quote has expired. Returns how many. */
export const releaseExpiredPromotions = countRows<[atMost: number]>({
  name: 'release-expired-promotions',
  // In the order of the index of held codes, so that a batch ends there: any other order reads all that are held, and with
  // very many no batch would end within the time of a statement.
  text: `WITH expired AS (
      UPDATE bookings b SET promotion_held = false
      FROM (
        SELECT b.application_id, b.kind, b.booking_id, b.promotion_code AS code
        FROM bookings b JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
        WHERE b.promotion_held AND b.submitted_at IS NULL AND q.expires_at <= now()
        ORDER BY b.application_id, b.quote_id LIMIT $1 FOR UPDATE OF b SKIP LOCKED
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
});
