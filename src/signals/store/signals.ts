import type { CaptureSignal } from '../../contract/partner/schemas/signal.ts';
import type { Executor, Statement } from '../../platform/postgres/database.ts';

/** A signal as it is kept, its joins derived by us. */
export type StoredSignal = Omit<CaptureSignal, 'signalId'> & {
  applicationId: string;
  signalId: string;
};

// The checkout is held as it was read until this is committed: whoever finds it moved on finds the
// signal, too.
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
 * Takes a signal in. False: its ID is taken, or its checkout is no longer in the version that bears it
 * out; read and decide again.
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

/** The digest of the input that made a signal. */
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
