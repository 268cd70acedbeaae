import { type PartnerCall, type PartnerCreateCall, partnerKinds } from '../access/index.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { InventoryContext } from '../inventory/index.ts';
import type { Payment } from './ports/payment.ts';
import type { Supply } from './ports/supply.ts';
import type { RecentBookings } from './recent.ts';
import type { Claim } from './store/booking-claims.ts';

/** What operations on bookings work with. */
export interface BookingContext extends InventoryContext {
  supply: Supply;
  payment: Payment;
  recent: RecentBookings;
  pollAfterSeconds: number;
  worker: BookingWorker;
  /** Events of this application were committed. */
  wakeDeliverer(applicationId: string): void;
}

/** What resolves bookings, as far as operations know it. */
export interface BookingWorker {
  /** For how long a booking may be claimed for it right now; null: it takes up no more just now. */
  leaseSeconds(): number | null;
  /** Takes up a booking that was claimed for it. */
  takeUp(claim: Claim): void;
  /** Something was committed that a worker can take up at once. */
  wake(): void;
}

/** The kinds of operation of this subject. */
export const { read, create, createFirst, command } = partnerKinds<BookingContext>();

/** A call on bookings after validation. */
export type BookingCall<Id extends OperationId> = PartnerCall<Id, BookingContext>;

/** A call that makes a quote, a checkout or a reservation request. */
export type BookingCreateCall<Id extends OperationId> = PartnerCreateCall<Id, BookingContext>;
