import type { CaptureSignal } from '../../contract/partner/schemas/signal.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A stored signal, with joins derived by the service. */
export type StoredSignal = Omit<CaptureSignal, 'signalId'> & {
  applicationId: string;
  signalId: string;
};

// Locks the checkout in the version that was read until the commit, so that a reader of a later version
// also sees the signal.
const insertStatement: Statement = {
  name: 'insert-signal',
  text: `INSERT INTO signals (application_id, signal_id, input_digest, name, route_family, occurred_at,
      referrer_origin, device_class, correlation_id, consent, search_observation_id, listing_id,
      quote_id, checkout_id)
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
    WHERE $14::uuid IS NULL OR EXISTS (
      SELECT FROM bookings WHERE application_id = $1 AND kind = 'checkout' AND booking_id = $14
        AND version = $15 FOR SHARE)
    ON CONFLICT DO NOTHING RETURNING signal_id`,
};

/**
 * Writes a signal. False: its ID is taken, or its checkout has another version than `checkoutVersion`;
 * read and decide again.
 */
export async function insertSignal(
  executor: Executor,
  signal: StoredSignal,
  inputDigest: Buffer,
  checkoutVersion: number | undefined,
): Promise<boolean> {
  const rows = await executor.query(insertStatement, [
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
  ]);
  return rows.length === 1;
}

const digestStatement: Statement = {
  name: 'find-signal-digest',
  text: 'SELECT input_digest FROM signals WHERE application_id = $1 AND signal_id = $2',
};

/** Reads the input digest of a signal. */
export async function findSignalDigest(
  executor: Executor,
  applicationId: string,
  signalId: string,
): Promise<Buffer | undefined> {
  const [row] = await executor.query<{ input_digest: Buffer }>(digestStatement, [
    applicationId,
    signalId,
  ]);
  return row?.input_digest;
}
