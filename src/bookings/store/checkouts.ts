import type { Session } from '../../access/index.ts';
import type { CheckoutState } from '../../contract/states.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { Checkout, PaymentSetup, Quote } from '../rules/booking.ts';
import type { EpochMs } from '../../contract/time.ts';
import {
  bookingColumns,
  bookingOf,
  quoteOfBooking,
  sessionOf,
  type BookingRow,
} from './booking-row.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';
import { manyRows, oneRow } from '../../platform/postgres/statement-functions.ts';

/** Identifies a command in `checkout_commands`. */
export interface CommandIdentity {
  operation: string;
  expectedVersion: number;
  inputDigest: Buffer;
  /** As earlier keys have written it. */
  earlierDigests?: readonly Buffer[];
}

/** A checkout read for a decision; `now` is the database's time of the read. */
export interface FoundCheckout {
  checkout: Checkout;
  session: Session;
  now: EpochMs;
  /** The result of the command when it was first sent; null: it is not a repeat. */
  journaled: 'applied' | 'refused' | null;
}

const findCheckoutStatement: Statement = {
  name: 'find-checkout',
  text: `SELECT ${bookingColumns}, (
      SELECT c.refused FROM checkout_commands c
      WHERE c.application_id = b.application_id AND c.checkout_id = b.booking_id
        AND c.operation = $3 AND c.expected_version = $4 AND c.input_digest = ANY ($5::bytea[])
      LIMIT 1
    ) AS refused
    FROM bookings b ${quoteOfBooking}
    WHERE b.application_id = $1 AND b.kind = 'checkout' AND b.booking_id = $2`,
};

/** Reads a checkout and, for a command, whether it was sent before. */
export async function findCheckout(
  executor: Executor,
  applicationId: string,
  checkoutId: string,
  command?: CommandIdentity,
): Promise<FoundCheckout | undefined> {
  const [row] = await executor.query<BookingRow & { refused: boolean | null }>(
    findCheckoutStatement,
    [
      applicationId,
      checkoutId,
      command?.operation,
      command?.expectedVersion,
      command && [command.inputDigest, ...(command.earlierDigests ?? [])],
    ],
  );
  if (!row) return undefined;
  const applied = row.refused ? 'refused' : 'applied';
  return {
    checkout: bookingOf(executor, row) as Checkout,
    session: sessionOf(row),
    now: row.now,
    journaled: row.refused === null ? null : applied,
  };
}

/** The part of a checkout that its status needs. */
export interface FoundStatus {
  checkout: Pick<
    Checkout,
    | 'bookingId'
    | 'version'
    | 'state'
    | 'failureReason'
    | 'failureDetails'
    | 'reference'
    | 'submittedAt'
    | 'updatedAt'
  > & {
    quote: Pick<Quote, 'expiresAt'>;
    paymentSetup: Pick<PaymentSetup, 'state' | 'failure' | 'requestedAt'> | null;
  };
  session: Session;
  now: EpochMs;
}

const findStatusStatement: Statement = {
  name: 'find-status',
  text: `SELECT b.version, b.state, b.failure_reason, b.failure_details, b.reference, b.payment_state, b.payment_failure,
      b.payment_requested_at, b.session_nonce, b.session_expires_at, b.submitted_at, b.resolved_at, b.updated_at,
      q.expires_at AS quote_expires_at, now() AS now
    FROM bookings b JOIN quotes q ON q.application_id = b.application_id AND q.quote_id = b.quote_id
    WHERE b.application_id = $1 AND b.kind = 'checkout' AND b.booking_id = $2`,
};

/** Reads the part of a checkout that its status needs. */
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
      failureDetails: row.failure_details,
      reference: row.reference,
      submittedAt: row.submitted_at,
      updatedAt: row.updated_at,
      quote: { expiresAt: row.quote_expires_at },
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
    now: row.now,
  };
}

/** The data of a confirmation; `reservation` is null until the checkout is confirmed. */
export interface FoundConfirmation {
  session: Session;
  now: EpochMs;
  quote: Pick<Quote, 'listingId' | 'checkIn' | 'checkOut' | 'party'>;
  timeZone: string | null;
  charges: Charges;
  partnerReference: string | null;
  reservation: { reference: string; confirmedAt: EpochMs; materialized: boolean } | null;
}

type ConfirmationRow = Pick<
  BookingRow,
  | 'session_nonce'
  | 'session_expires_at'
  | 'state'
  | 'resolved_at'
  | 'now'
  | 'listing_id'
  | 'check_in'
  | 'check_out'
  | 'party'
  | 'checkout_reference'
> & {
  time_zone: string | null;
  charges: Charges;
  reference: string | null;
  confirmed_at: EpochMs | null;
  materialized: boolean;
};

/** Reads a checkout with its reservation. */
export const findConfirmation = oneRow<
  [applicationId: string, checkoutId: string],
  ConfirmationRow,
  FoundConfirmation
>({
  name: 'find-confirmation',
  text: `SELECT b.session_nonce, b.session_expires_at, b.state, b.resolved_at, now() AS now, q.listing_id, q.check_in,
      q.check_out, q.party, b.checkout_reference, l.time_zone, coalesce(b.charges, q.charges) AS charges, r.reference, r.confirmed_at,
      r.materialized_at IS NOT NULL AS materialized
    FROM bookings b ${quoteOfBooking}
    LEFT JOIN reservations r ON r.reference = b.reference
    LEFT JOIN listings l ON l.listing_id = q.listing_id
    WHERE b.application_id = $1 AND b.kind = 'checkout' AND b.booking_id = $2`,
  result: (row) => {
    const { reference, confirmed_at: confirmedAt, materialized, party, charges } = row;
    return {
      session: sessionOf(row),
      now: row.now,
      quote: {
        listingId: row.listing_id,
        checkIn: row.check_in,
        checkOut: row.check_out,
        party,
      },
      timeZone: row.time_zone,
      charges,
      partnerReference: row.checkout_reference,
      reservation:
        reference === null || confirmedAt === null
          ? null
          : { reference, confirmedAt, materialized },
    };
  },
});

/** A command on a checkout that took effect or expired it. */
export interface JournaledCommand {
  operation: string;
  expectedVersion: number;
  refused: boolean;
  at: EpochMs;
}

/** Lists the commands on a checkout that are still kept, oldest first. */
export const listCommands = manyRows<[applicationId: string, checkoutId: string], JournaledCommand>(
  {
    name: 'list-commands',
    text: `SELECT operation, expected_version AS "expectedVersion", refused, created_at AS "at"
    FROM checkout_commands WHERE checkout_id = $2 AND application_id = $1
    ORDER BY created_at, expected_version`,
  },
);
