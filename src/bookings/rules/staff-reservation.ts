/** The rules of reservations that staff make for somebody who phones. */
import type { Charges } from '../../contract/partner/schemas/quote.ts';
import type { Guest } from '../../contract/partner/schemas/checkout.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { BookingChange, Checkout } from './booking.ts';

/** The charges of a stay whose guest pays everything at the property: nothing is due to us. */
export const paidAtProperty = (charges: Charges, checkIn: string): Charges => ({
  ...charges,
  dueNow: 0,
  schedule:
    charges.total === 0 ? [] : [{ dueOn: checkIn, amount: charges.total, at: 'property' as const }],
});

/** Submits a checkout of staff without a card: nothing is collected by itself. Spec: RESERVATION-9. */
export const decideSubmitByStaff = (
  checkout: Checkout,
  guest: Guest,
  now: EpochMs,
): BookingChange<Checkout> => ({
  from: checkout,
  next: {
    ...checkout,
    version: checkout.version + 1,
    state: 'pending',
    guest,
    submittedAt: now,
    updatedAt: now,
  },
  events: [],
  dueInSeconds: null,
});
