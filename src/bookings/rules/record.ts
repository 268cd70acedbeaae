import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { ReservationState } from '../../contract/states.ts';
import { type EpochMs, instant } from '../../contract/time.ts';
import type { Environment, Settlement } from '../../contract/wire.ts';
import type { Party } from '../../pricing/index.ts';
import type { Booking } from './booking.ts';

/** A reservation with everything that the operator's own system needs to know of it. */
export interface ReservationRecord {
  reference: string;
  version: number;
  state: ReservationState;
  /** Without name and time zone, if the home no longer exists. */
  listing: { listingId: string; slug: string | null; name: string | null; timeZone: string | null };
  checkIn: string;
  checkOut: string;
  party: Party;
  charges: Charges;
  /** What staff decided to refund, in minor units; null: no decision. */
  refundAmount: number | null;
  guest: Guest | null;
  application: { applicationId: string; name: string; settlement: Settlement };
  /** The partner's company at submit, if it pays; null: the guest's card. */
  payer: string | null;
  booking: { kind: Booking['kind']; bookingId: string };
  partnerReference: string | null;
  promotionCode: string | null;
  confirmedAt: EpochMs;
  cancelledAt: EpochMs | null;
  updatedAt: EpochMs;
}

/** The body that is posted to the operator's own system. docs/operators/records.md describes its members. */
export const recordBody = (environment: Environment, record: ReservationRecord): string =>
  JSON.stringify({
    format: 'latchkey-reservation/1',
    environment,
    ...record,
    confirmedAt: instant(record.confirmedAt),
    cancelledAt: record.cancelledAt === null ? null : instant(record.cancelledAt),
    updatedAt: instant(record.updatedAt),
  });

/**
 * The `webhook-id` of a version of a reservation: every attempt with the same body has the same. A version that a
 * restore has lost can come again with another body, and then has another ID. Spec: RECORD-3.
 *
 * @param digest of the body
 */
export const recordId = (
  { reference, version }: Pick<ReservationRecord, 'reference' | 'version'>,
  digest: string,
): string => `${reference}-${version}-${digest}`;
