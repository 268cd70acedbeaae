import type { Guest } from '../contract/schemas/checkout.ts';
import type { Charges, Terms } from '../contract/schemas/quote.ts';
import type {
  CheckoutState,
  FailureReason,
  PaymentSetupFailure,
  PaymentSetupState,
  RequestState,
} from '../contract/states.ts';
import type { Settlement } from '../contract/wire.ts';
import type {
  Booking,
  BookingChange,
  Checkout,
  EpochMs,
  PaymentSetup,
  ReservationRequest,
} from '../domain/booking.ts';
import type { Party } from '../domain/listing.ts';
import { instant, instantOrNull, type Executor, type Statement } from './database.ts';

/** A booking joined with its quote. */
interface BookingRow {
  application_id: string;
  kind: 'checkout' | 'request';
  booking_id: string;
  quote_id: string;
  settlement: Settlement;
  version: number;
  state: string;
  guest_sealed: Buffer | null;
  promotion_code: string | null;
  charges: Charges | null;
  partner_reference: string | null;
  session_nonce: Buffer | null;
  session_expires_at: EpochMs | null;
  payment_state: PaymentSetupState | null;
  payment_failure: PaymentSetupFailure | null;
  payment_attempts: number;
  payment_requested_at: EpochMs | null;
  payment_reference: string | null;
  payment_secret_sealed: Buffer | null;
  payment_method_id: string | null;
  failure_reason: FailureReason | null;
  reference: string | null;
  attempt_id: string;
  submitted_at: EpochMs | null;
  resolved_at: EpochMs | null;
  created_at: EpochMs;
  updated_at: EpochMs;
  listing_id: string;
  check_in: string;
  check_out: string;
  party: Party;
  quote_charges: Charges;
  terms: Terms;
  quote_created_at: EpochMs;
  quote_expires_at: EpochMs;
  present: EpochMs;
}

const columns = `b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS present`;

const sealContext = (row: { application_id: string; booking_id: string }): string =>
  `${row.application_id}/${row.booking_id}`;

function openGuest(executor: Executor, row: BookingRow): Guest | null {
  if (!row.guest_sealed) return null;
  return JSON.parse(executor.vault.open('guest', row.guest_sealed, sealContext(row))) as Guest;
}

function paymentSetupOf(executor: Executor, row: BookingRow): PaymentSetup | null {
  if (row.payment_state === null || row.payment_requested_at === null) return null;
  return {
    state: row.payment_state,
    failure: row.payment_failure,
    attempts: row.payment_attempts,
    requestedAt: row.payment_requested_at,
    reference: row.payment_reference,
    clientSecret:
      row.payment_secret_sealed &&
      executor.vault.open('payment', row.payment_secret_sealed, sealContext(row)),
  };
}

function bookingOf(executor: Executor, row: BookingRow): Booking {
  const record = {
    applicationId: row.application_id,
    bookingId: row.booking_id,
    settlement: row.settlement,
    version: row.version,
    guest: openGuest(executor, row),
    charges: row.charges ?? row.quote_charges,
    failureReason: row.failure_reason,
    reference: row.reference,
    attemptId: row.attempt_id,
    submittedAt: row.submitted_at,
    resolvedAt: row.resolved_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    quote: {
      applicationId: row.application_id,
      quoteId: row.quote_id,
      listingId: row.listing_id,
      checkIn: row.check_in,
      checkOut: row.check_out,
      party: row.party,
      charges: row.quote_charges,
      terms: row.terms,
      createdAt: row.quote_created_at,
      expiresAt: row.quote_expires_at,
    },
  };
  if (row.kind === 'request') {
    return {
      ...record,
      kind: 'request',
      state: row.state as RequestState,
      partnerReference: row.partner_reference,
    };
  }
  return {
    ...record,
    kind: 'checkout',
    state: row.state as CheckoutState,
    promotionCode: row.promotion_code,
    paymentSetup: paymentSetupOf(executor, row),
    paymentMethodId: row.payment_method_id,
  };
}

/** A session of a checkout: what its capability is derived from. */
export interface Session {
  nonce: Buffer;
  expiresAt: EpochMs;
}

const sessionOf = (row: {
  session_nonce: Buffer | null;
  session_expires_at: EpochMs | null;
}): Session => {
  if (!row.session_nonce || row.session_expires_at === null)
    throw new Error('a checkout has a session');
  return { nonce: row.session_nonce, expiresAt: row.session_expires_at };
};

/** Names a command for the journal. */
export interface CommandIdentity {
  operation: string;
  expectedVersion: number;
  inputDigest: Buffer;
}

/** A checkout as read for a decision; `present` is the database's time of the read. */
export interface FoundCheckout {
  checkout: Checkout;
  session: Session;
  present: EpochMs;
  /** What became of the command when it was first sent; null: it was not. */
  journaled: 'applied' | 'refused' | null;
}

const findCheckoutStatement: Statement = {
  name: 'find-checkout',
  text: `SELECT ${columns}, (
      SELECT c.refused FROM checkout_commands c
      WHERE c.application_id = b.application_id AND c.checkout_id = b.booking_id
        AND c.operation = $3 AND c.expected_version = $4 AND c.input_digest = $5
    ) AS refused
    FROM bookings b JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    WHERE b.application_id = $1 AND b.kind = 'checkout' AND b.booking_id = $2`,
};

/** Reads a checkout and, with a command, whether that was sent before. */
export async function findCheckout(
  executor: Executor,
  applicationId: string,
  checkoutId: string,
  command?: CommandIdentity,
): Promise<FoundCheckout | undefined> {
  const [row] = await executor.query<BookingRow & { refused: boolean | null }>(
    findCheckoutStatement,
    [applicationId, checkoutId, command?.operation, command?.expectedVersion, command?.inputDigest],
  );
  if (!row) return undefined;
  const applied = row.refused ? 'refused' : 'applied';
  return {
    checkout: bookingOf(executor, row) as Checkout,
    session: sessionOf(row),
    present: row.present,
    journaled: row.refused === null ? null : applied,
  };
}

/** What the status of a checkout is made of. */
export interface FoundStatus {
  checkout: Pick<Checkout, 'bookingId' | 'version' | 'state' | 'failureReason' | 'reference'> & {
    paymentSetup: Pick<PaymentSetup, 'state' | 'failure' | 'requestedAt'> | null;
  };
  session: Session;
  present: EpochMs;
}

const findStatusStatement: Statement = {
  name: 'find-status',
  text: `SELECT version, state, failure_reason, reference, payment_state, payment_failure,
      payment_requested_at, session_nonce, session_expires_at, now() AS present
    FROM bookings WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $2`,
};

/** Reads no more of a checkout than its status needs. */
export async function findCheckoutStatus(
  executor: Executor,
  applicationId: string,
  checkoutId: string,
): Promise<FoundStatus | undefined> {
  const [row] = await executor.query<BookingRow>(findStatusStatement, [applicationId, checkoutId]);
  if (!row) return undefined;
  return {
    checkout: {
      bookingId: checkoutId,
      version: row.version,
      state: row.state as CheckoutState,
      failureReason: row.failure_reason,
      reference: row.reference,
      paymentSetup:
        row.payment_state === null || row.payment_requested_at === null
          ? null
          : {
              state: row.payment_state,
              failure: row.payment_failure,
              requestedAt: row.payment_requested_at,
            },
    },
    session: sessionOf(row),
    present: row.present,
  };
}

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
  executor.vault.seal(
    'guest',
    JSON.stringify(booking.guest),
    `${booking.applicationId}/${booking.bookingId}`,
  );

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
    secret &&
      executor.vault.seal('payment', secret, `${booking.applicationId}/${booking.bookingId}`),
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

/** A booking that a worker has taken up. Its lease ends by itself. */
export interface Claim {
  booking: Booking;
  fence: number;
  /** Claims since the state last changed, this one included. */
  tries: number;
  present: EpochMs;
  /** Whether the application is in good standing and holds the grant to book. */
  authorised: boolean;
  /** Of the catalog, as committed. */
  catalogRevision: number;
}

type ClaimRow = BookingRow & {
  fence: number;
  tries: number;
  authorised: boolean;
  revision: number;
};

const claimColumns = `${columns}, b.fence, b.tries,
  (a.suspended_at IS NULL AND 'checkout' = ANY (a.grants)) AS authorised,
  (SELECT revision FROM catalog_revision) AS revision`;

const claimStatement: Statement = {
  name: 'claim-bookings',
  text: `WITH due AS (
      SELECT application_id, kind, booking_id FROM bookings
      WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), b AS (
      UPDATE bookings b SET due_at = now() + make_interval(secs => $2), fence = b.fence + 1,
        tries = b.tries + 1
      FROM due WHERE b.application_id = due.application_id AND b.kind = due.kind
        AND b.booking_id = due.booking_id
      RETURNING b.*
    )
    SELECT ${claimColumns} FROM b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id`,
};

const claimedAgainStatement: Statement = {
  name: 'read-claimed',
  text: `SELECT ${claimColumns} FROM bookings b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    JOIN applications a ON a.application_id = b.application_id
    WHERE b.application_id = $1 AND b.kind = $2 AND b.booking_id = $3 AND b.fence = $4`,
};

const claimOf = (executor: Executor, row: ClaimRow): Claim => ({
  booking: bookingOf(executor, row),
  fence: row.fence,
  tries: row.tries,
  present: row.present,
  authorised: row.authorised,
  catalogRevision: row.revision,
});

/** A booking whose sealed details cannot be opened: nobody can go on with it, and others must. */
export interface UnreadableBooking {
  applicationId: string;
  kind: Booking['kind'];
  bookingId: string;
  error: unknown;
}

/** What a round of claiming took up. */
export interface DueBookings {
  claims: Claim[];
  unreadable: UnreadableBooking[];
}

/** Takes up what is due, oldest first; nobody else gets it until the lease has ended. */
export async function claimDueBookings(
  executor: Executor,
  atMost: number,
  leaseSeconds: number,
): Promise<DueBookings> {
  const rows = await executor.query<ClaimRow>(claimStatement, [atMost, leaseSeconds]);
  const due: DueBookings = { claims: [], unreadable: [] };
  for (const row of rows) {
    try {
      due.claims.push(claimOf(executor, row));
    } catch (error) {
      const { application_id: applicationId, kind, booking_id: bookingId } = row;
      due.unreadable.push({ applicationId, kind, bookingId, error });
    }
  }
  return due;
}

/** Reads a claimed booking again, after somebody else moved it. Undefined: the lease was lost. */
export async function readClaimed(executor: Executor, claim: Claim): Promise<Claim | undefined> {
  const { booking, fence } = claim;
  const [row] = await executor.query<ClaimRow>(claimedAgainStatement, [
    booking.applicationId,
    booking.kind,
    booking.bookingId,
    fence,
  ]);
  return row && claimOf(executor, row);
}

const postponeStatement: Statement = {
  name: 'postpone-booking',
  text: `UPDATE bookings SET due_at = now() + make_interval(secs => $5)
    WHERE application_id = $1 AND kind = $2 AND booking_id = $3 AND fence = $4`,
};

/** Gives a claim back unchanged, to be taken up again later; null: only when something moves it. */
export async function postponeBooking(
  executor: Executor,
  { booking, fence }: Claim,
  seconds: number | null,
): Promise<void> {
  await executor.query(postponeStatement, [
    booking.applicationId,
    booking.kind,
    booking.bookingId,
    fence,
    seconds,
  ]);
}

const findRequestStatement: Statement = {
  name: 'find-request',
  text: `SELECT ${columns} FROM bookings b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    WHERE b.application_id = $1 AND b.kind = 'request' AND b.booking_id = $2`,
};

/** Reads a reservation request by its ID. */
export async function findRequest(
  executor: Executor,
  applicationId: string,
  requestId: string,
): Promise<ReservationRequest | undefined> {
  const [row] = await executor.query<BookingRow>(findRequestStatement, [applicationId, requestId]);
  return row && (bookingOf(executor, row) as ReservationRequest);
}

const listRequestsStatement: Statement = {
  name: 'list-requests',
  text: `SELECT ${columns} FROM bookings b
    JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    WHERE b.application_id = $1 AND b.kind = 'request'
      AND ($2::text IS NULL OR b.partner_reference = $2)
      AND ($3::timestamptz IS NULL OR (b.created_at, b.booking_id) < ($3, $4))
    ORDER BY b.created_at DESC, b.booking_id DESC LIMIT $5`,
};

/** Requests newest first, after the one at which the last page ended. */
export async function listRequests(
  executor: Executor,
  applicationId: string,
  page: {
    partnerReference: string | undefined;
    after: { createdAt: EpochMs; requestId: string } | null;
    atMost: number;
  },
): Promise<ReservationRequest[]> {
  const rows = await executor.query<BookingRow>(listRequestsStatement, [
    applicationId,
    page.partnerReference,
    instantOrNull(page.after?.createdAt ?? null),
    page.after?.requestId,
    page.atMost,
  ]);
  return rows.map((row) => bookingOf(executor, row) as ReservationRequest);
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
