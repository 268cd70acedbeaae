import type { CaptureSignal } from '../../contract/partner/schemas/signal.ts';
import { hasRow, oneValue } from '../../platform/postgres/statement-functions.ts';

/** A stored signal, with joins derived by the service. */
export type StoredSignal = Omit<CaptureSignal, 'signalId'> & {
  applicationId: string;
  signalId: string;
};

/**
 * Writes a signal. False: its ID is taken, or its checkout has another version than `checkoutVersion`;
 * read and decide again.
 */
export const insertSignal = hasRow<
  [signal: StoredSignal, inputDigest: Buffer, checkoutVersion: number | undefined]
>({
  name: 'insert-signal',
  // Locks the checkout in the version that was read until the commit, so that a reader of a later version
  // also sees the signal.
  text: `INSERT INTO signals (application_id, signal_id, input_digest, name, route_family, occurred_at,
      referrer_origin, device_class, correlation_id, consent, search_observation_id, listing_id,
      quote_id, checkout_id)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
    WHERE $14::uuid IS NULL OR EXISTS (
      SELECT FROM bookings WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $14
        AND version = $15 FOR SHARE)
    ON CONFLICT DO NOTHING RETURNING signal_id`,
  values: (signal, inputDigest, checkoutVersion) => [
    signal.applicationId,
    signal.signalId,
    inputDigest,
    signal.name,
    signal.routeFamily,
    signal.occurredAt,
    signal.referrerOrigin,
    signal.deviceClass,
    signal.correlationId,
    signal.consent,
    signal.searchObservationId,
    signal.listingId,
    signal.quoteId,
    signal.checkoutId,
    checkoutVersion,
  ],
});

/** Reads the input digest of a signal. */
export const findSignalDigest = oneValue<[applicationId: string, signalId: string], Buffer>({
  name: 'find-signal-digest',
  text: 'SELECT input_digest FROM signals WHERE application_id = $1 AND signal_id = $2',
});
