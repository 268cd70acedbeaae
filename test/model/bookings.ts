/** Bookings of either kind. */
import type { Account, BookingName, Checkout, Request } from './world.ts';

/** Any booking of an account. */
export const bookingOf = (account: Account, name: BookingName): Checkout | Request | null =>
  name === 'r1' || name === 'r2' ? account.requests[name] : account.checkouts[name];

/** The reference of no reservation. */
export const nobodys = 'LK-0000-0000';
