/** What staff do, by a short name. */
import { cancelReservation, changeReservation, resolveCheckout } from '../../src/bookings/index.ts';

export const acts = {
  cancel: cancelReservation,
  change: changeReservation,
  resolve: resolveCheckout,
} as const;
export type Act = keyof typeof acts;
