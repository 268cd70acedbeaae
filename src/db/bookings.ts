import type { Charges } from '../contract/schemas/quote.ts';
import type { Booking, BookingChange } from '../domain/booking.ts';
import { sealContext, type Session } from './booking-row.ts';
import type { CommandIdentity } from './checkouts.ts';
import { instant, instantOrNull, type Executor, type Statement } from './database.ts';

const insertStatement: Statement = {
  name: 'insert-booking',
  text: `INSERT INTO bookings (application_id, kind, booking_id, quote_id, input_digest, settlement,
      version, state, guest_sealed, partner_reference, session_nonce, session_expires_at,
      submitted_at, created_at, updated_at, due_at)
    VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $8, $9, $10, $11, $12, $13, $13,
      CASE WHEN $12::timestamptz IS NOT NULL THEN now() END)
    ON CONFLICT DO NOTHING
    RETURNING attempt_id`,
};

const sealedGuest = (executor: Executor, booking: Booking): Buffer | null =>
  booking.guest &&
  executor.vault.seal('guest', JSON.stringify(booking.guest), sealContext(booking));

/** Writes a new booking. False: its ID, its quote or its partner reference is taken; read and decide again. */
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

// Nothing is written before the row is held at the expected version (and by the lease that claimed
// it); the promotions are locked in the order of their codes, so that checkouts that change codes
// crosswise do not wait for each other; the counter comes last, so that its lock is the shortest and
// sequence order is commit order.
const moveStatement: Statement = {
  name: 'move-booking',
  text: `WITH held AS (
      SELECT application_id, kind, booking_id, promotion_held FROM bookings
      WHERE application_id = $1 AND kind = $2 AND booking_id = $3 AND version = $4
        AND ($5::bigint IS NULL OR fence = $5)
      FOR UPDATE
    ), locked AS (
      SELECT p.code FROM promotions p CROSS JOIN held
      WHERE p.code IN ($6, $24) ORDER BY p.code FOR UPDATE OF p
    ), taken AS (
      UPDATE promotions p SET uses = p.uses + 1 FROM held, (SELECT count(*) FROM locked) waited
      WHERE p.code = $6 AND (p.max_uses IS NULL OR p.uses < p.max_uses)
      RETURNING p.code
    ), moved AS (
      UPDATE bookings b SET version = $4 + 1, state = $7, guest_sealed = $8, promotion_code = $9,
        promotion_held = $6::text IS NOT NULL OR (b.promotion_held AND $24::text IS NULL),
        charges = $10, failure_reason = $11, reference = $12, payment_state = $13,
        payment_failure = $14, payment_attempts = $15, payment_requested_at = $16,
        payment_reference = $17, payment_secret_sealed = $18, payment_method_id = $19,
        submitted_at = $20, resolved_at = $21, updated_at = $22,
        due_at = now() + make_interval(secs => $23), tries = 0
      FROM held LEFT JOIN taken ON true
      WHERE b.application_id = held.application_id AND b.kind = held.kind
        AND b.booking_id = held.booking_id AND ($6::text IS NULL OR taken.code IS NOT NULL)
      RETURNING b.application_id, b.kind, b.booking_id, held.promotion_held AS was_held
    ), released AS (
      UPDATE promotions p SET uses = p.uses - 1 FROM moved WHERE p.code = $24 AND moved.was_held
    ), journaled AS (
      INSERT INTO checkout_commands
        (application_id, checkout_id, operation, expected_version, input_digest, refused)
      SELECT application_id, booking_id, $25, $26, $27, $28 FROM moved WHERE $25::text IS NOT NULL
    ), reserved AS (
      INSERT INTO reservations (reference, application_id, kind, booking_id, state, listing_id,
        check_in, check_out, party, charges, confirmed_at, updated_at, announced_change,
        announced_for)
      SELECT $12, m.application_id, m.kind, m.booking_id, 'confirmed', q.listing_id, q.check_in,
        q.check_out, q.party, coalesce($10::json, q.charges), $22, $22, $30, $31
      FROM moved m JOIN quotes q ON q.application_id = m.application_id AND q.quote_id = $29
      WHERE $12::text IS NOT NULL
    ), counter AS (
      UPDATE event_counters c SET last_sequence = c.last_sequence + cardinality($32::text[])
      FROM moved WHERE c.application_id = moved.application_id AND cardinality($32::text[]) > 0
      RETURNING c.application_id, c.last_sequence
    ), emitted AS (
      INSERT INTO events (application_id, sequence, type, data, created_at)
      SELECT counter.application_id,
        counter.last_sequence - cardinality($32::text[]) + draft.place,
        draft.type, draft.data::json, clock_timestamp()
      FROM counter, unnest($32::text[], $33::text[]) WITH ORDINALITY AS draft (type, data, place)
    )
    SELECT (SELECT count(*)::integer FROM held) AS held, (SELECT count(*)::integer FROM moved) AS moved`,
};

/** `moved`: written. `overtaken`: somebody was faster. `promotion_used_up`: no use was left. */
export type MoveVerdict = 'moved' | 'overtaken' | 'promotion_used_up';

const ownCharges = (booking: Booking): Charges | null =>
  booking.charges === booking.quote.charges ? null : booking.charges;

function checkoutValues(executor: Executor, booking: Booking): unknown[] {
  const checkout = booking.kind === 'checkout' ? booking : null;
  const setup = checkout?.paymentSetup;
  const secret = setup?.clientSecret;
  return [
    setup?.state,
    setup?.failure,
    setup?.attempts ?? 0,
    instantOrNull(setup?.requestedAt ?? null),
    setup?.reference,
    secret && executor.vault.seal('payment', secret, sealContext(booking)),
    checkout?.paymentMethodId,
  ];
}

/**
 * The one guarded statement: writes everything that a decision changes, or nothing.
 *
 * @param fence only for workers: the number of their claim
 */
export async function moveBooking(
  executor: Executor,
  change: BookingChange,
  guard: { command?: CommandIdentity & { refused: boolean }; fence?: number },
): Promise<MoveVerdict> {
  const { next, events, reservation } = change;
  const { command } = guard;
  const charges = ownCharges(next);
  const [row] = await executor.query<{ held: number; moved: number }>(moveStatement, [
    next.applicationId,
    next.kind,
    next.bookingId,
    next.version - 1,
    guard.fence,
    change.takesPromotion,
    next.state,
    sealedGuest(executor, next),
    next.kind === 'checkout' ? next.promotionCode : null,
    charges && JSON.stringify(charges),
    next.failureReason,
    next.reference,
    ...checkoutValues(executor, next),
    instantOrNull(next.submittedAt),
    instantOrNull(next.resolvedAt),
    instant(next.updatedAt),
    change.dueInSeconds,
    change.releasesPromotion,
    command?.operation,
    command?.expectedVersion,
    command?.inputDigest,
    command?.refused,
    next.quote.quoteId,
    reservation?.announced?.change,
    instantOrNull(reservation?.announced?.at ?? null),
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
  ]);
  if (row?.moved === 1) return 'moved';
  return row?.held === 1 ? 'promotion_used_up' : 'overtaken';
}

const releaseLapsedStatement: Statement = {
  name: 'release-lapsed-promotions',
  text: `WITH lapsed AS (
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
      SELECT code, count(*)::integer AS uses FROM lapsed GROUP BY code
    ), locked AS (
      SELECT p.code FROM promotions p JOIN freed ON freed.code = p.code ORDER BY p.code FOR UPDATE OF p
    )
    UPDATE promotions p SET uses = p.uses - freed.uses FROM freed, (SELECT count(*) FROM locked) waited
    WHERE p.code = freed.code
    RETURNING p.code`,
};

/** Gives back the promotion uses of checkouts that were left until their quote lapsed. */
export async function releaseLapsedPromotions(executor: Executor, atMost: number): Promise<number> {
  return (await executor.query(releaseLapsedStatement, [atMost])).length;
}
