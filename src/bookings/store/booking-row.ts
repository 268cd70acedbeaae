import type { Session } from '../../access/index.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { Charges, Terms } from '../../contract/partner/schemas/quote.ts';
import type {
  CheckoutState,
  FailureReason,
  PaymentSetupFailure,
  PaymentSetupState,
  RequestState,
} from '../../contract/states.ts';
import type { Settlement } from '../../contract/wire.ts';
import { limits } from '../../contract/limits.ts';
import type { Booking, KeptTerms, PaymentSetup, QuotePromotion } from '../rules/booking.ts';
import type { FailureDetails } from '../rules/failure.ts';
import { sessionEnd } from '../rules/uncertainty.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Party } from '../../pricing/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { SealedColumn } from '../../platform/postgres/sealed-columns.ts';

/** A booking joined with its quote. */
export interface BookingRow {
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
  cancellation: Terms['cancellation'] | null;
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
  failure_details: FailureDetails | null;
  checkout_reference: string | null;
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
  terms: KeptTerms;
  quote_promotion: QuotePromotion | null;
  quote_created_at: EpochMs;
  quote_expires_at: EpochMs;
  now: EpochMs;
}

/** The columns of a booking; `b` is the booking, `q` its quote. */
export const bookingColumns = `b.application_id, b.kind, b.booking_id, b.quote_id, b.settlement,
  b.version, b.state, b.guest_sealed, b.promotion_code, b.charges, b.cancellation, b.partner_reference,
  b.session_nonce, b.session_expires_at, b.payment_state, b.payment_failure, b.payment_attempts,
  b.payment_requested_at, b.payment_reference, b.payment_secret_sealed, b.payment_method_id,
  b.failure_reason, b.failure_details, b.checkout_reference, b.reference, b.attempt_id, b.submitted_at, b.resolved_at, b.created_at,
  b.updated_at, q.listing_id, q.check_in, q.check_out, q.party, q.charges AS quote_charges, q.terms, q.promotion AS quote_promotion,
  q.created_at AS quote_created_at, q.expires_at AS quote_expires_at, now() AS now`;

/**
 * Joins the quote of the booking `b` as `q`. `OFFSET 0` keeps the planner from comparing the quote's
 * application with the statement's parameter: a plan made on empty tables would then read all quotes of
 * the application (ADR 9).
 */
export const quoteOfBooking = `CROSS JOIN LATERAL (
      SELECT * FROM quotes WHERE quote_id = b.quote_id AND application_id = b.application_id OFFSET 0) q`;

/**
 * Joins the application of a row as `a`, and its home as `l`, with nulls if it no longer exists. `OFFSET 0`:
 * two look-ups for each row, never a scan of all homes.
 */
export const namesOf = (application: string, listing: string): string => `CROSS JOIN LATERAL (
      SELECT name, catalog_id, adjust_percent FROM applications
      WHERE application_id = ${application} OFFSET 0) a
    LEFT JOIN LATERAL (
      SELECT slug, name, time_zone FROM listings WHERE listing_id = ${listing} OFFSET 0) l ON true`;

/** The context that a sealed column of a booking is bound to. Spec: GUEST-1. */
export const sealContext = (booking: { applicationId: string; bookingId: string }): string =>
  `${booking.applicationId}/${booking.bookingId}`;

const contextOf = (row: Pick<BookingRow, 'application_id' | 'booking_id'>): string =>
  sealContext({ applicationId: row.application_id, bookingId: row.booking_id });

/** The columns of a row by which its guest is decrypted. */
export type SealedGuest = Pick<BookingRow, 'application_id' | 'booking_id' | 'guest_sealed'>;

/** Decrypts the guest of a booking. Throws if it cannot be decrypted. */
export function openGuest(executor: Executor, row: SealedGuest): Guest | null {
  if (!row.guest_sealed) return null;
  return JSON.parse(executor.vault.open('guest', row.guest_sealed, contextOf(row))) as Guest;
}

/** The guest of a row of a list; null also if it cannot be decrypted, so that staff still see the other rows. */
export function readableGuest(executor: Executor, row: SealedGuest): Guest | null {
  try {
    return openGuest(executor, row);
  } catch {
    return null;
  }
}

/** First and last name of that guest. */
export function guestNameOf(executor: Executor, row: SealedGuest): string | null {
  const guest = readableGuest(executor, row);
  return guest && `${guest.firstName} ${guest.lastName}`.trim();
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
      executor.vault.open('payment', row.payment_secret_sealed, contextOf(row)),
  };
}

/** Builds the booking of a row and decrypts its sealed columns. */
export function bookingOf(executor: Executor, row: BookingRow): Booking {
  const members = {
    applicationId: row.application_id,
    bookingId: row.booking_id,
    settlement: row.settlement,
    version: row.version,
    guest: openGuest(executor, row),
    charges: row.charges ?? row.quote_charges,
    promotionCode: row.promotion_code,
    failureReason: row.failure_reason,
    failureDetails: row.failure_details,
    partnerReference: row.kind === 'request' ? row.partner_reference : row.checkout_reference,
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
      promotion: row.quote_promotion,
      createdAt: row.quote_created_at,
      expiresAt: row.quote_expires_at,
    },
  };
  if (row.kind === 'request') {
    return {
      ...members,
      kind: 'request',
      state: row.state as RequestState,
    };
  }
  return {
    ...members,
    kind: 'checkout',
    state: row.state as CheckoutState,
    terms: row.cancellation ? { ...row.terms, cancellation: row.cancellation } : row.terms,
    paymentSetup: paymentSetupOf(executor, row),
    paymentMethodId: row.payment_method_id,
  };
}

/** A session that the sandbox has ended: no state of the checkout keeps it. */
const endedSessionAt: EpochMs = 0;

/** Builds the session of a checkout's row. Throws if there is none: every checkout has one. */
export const sessionOf = (row: {
  session_nonce: Buffer | null;
  session_expires_at: EpochMs | null;
  state: string;
  resolved_at: EpochMs | null;
}): Session => {
  if (!row.session_nonce || row.session_expires_at === null)
    throw new Error('a checkout has a session');
  const { state, resolved_at: resolvedAt, session_expires_at: expiresAt } = row;
  if (expiresAt === endedSessionAt) return { nonce: row.session_nonce, expiresAt };
  return {
    nonce: row.session_nonce,
    expiresAt: sessionEnd({ state, resolvedAt }, expiresAt, limits.sessionHours),
  };
};

const bookingKey = { booking_id: 'uuid', application_id: 'uuid', kind: 'text' } as const;
const contextOfKey = ([bookingId, applicationId]: readonly string[]): string =>
  sealContext({ applicationId: applicationId!, bookingId: bookingId! });

/** The guests of bookings, and the secrets of their payment set-ups. */
export const sealedBookings: readonly SealedColumn[] = [
  {
    table: 'bookings',
    column: 'guest_sealed',
    purpose: 'guest',
    key: bookingKey,
    context: contextOfKey,
  },
  {
    table: 'bookings',
    column: 'payment_secret_sealed',
    purpose: 'payment',
    key: bookingKey,
    context: contextOfKey,
  },
];
