import { type PartnerCreateCall, partnerKinds } from '../access/index.ts';
import type { OperationId } from '../contract/partner/operations.ts';
import type { ConfirmsTime } from '../platform/clock.ts';
import type { InventoryContext } from '../inventory/index.ts';
import type { Payment } from './ports/payment.ts';
import type { Records } from './ports/records.ts';
import type { Supply } from './ports/supply.ts';
import type { RecentBookings } from './recent-bookings.ts';
import type { StaffContext } from './staff/context.ts';
import type { Claim } from './store/booking-claims.ts';

/** The dependencies of operations on bookings. */
export interface BookingContext extends InventoryContext {
  supply: Supply;
  payment: Payment;
  records: Pick<Records, 'areElsewhere'>;
  recent: RecentBookings;
  pollAfterSeconds: number;
  /** After its submission, an outcome that is not known is decided; null: never. */
  uncertainHours: number | null;
  /** Whether a time that the database has given counts: its clock can have jumped a moment ago. */
  confirmsTime: ConfirmsTime;
  worker: BookingWorker;
  /** The acts of staff, for what is accepted at once. */
  staff: StaffContext;
  /** A request for a change that has waited this long is decided by a read; null: only staff decide. */
  decidesChangesAfterSeconds: number | null;
  /** Sends committed events of this application to its webhook endpoints now. */
  wakeDeliverer(applicationId: string): void;
}

/** The worker that resolves bookings, as operations see it. */
export interface BookingWorker {
  /** The lease of a booking claimed for this worker now; null: the worker has no free slot. */
  leaseSeconds(): number | null;
  /** Starts a booking that was claimed for this worker. */
  start(claim: Claim): void;
  /** The end of the step that this process is taking for a booking; undefined: it is taking none. Never rejects. */
  stepOf(booking: Pick<Claim['booking'], 'applicationId' | 'bookingId'>): Promise<void> | undefined;
  /** Looks for due bookings now. */
  wake(): void;
}

/** The kinds of operation of this subject. */
export const { read, create, createFirst, command } = partnerKinds<BookingContext>();

/** A call that creates a quote, a checkout or a reservation request. */
export type BookingCreateCall<Id extends OperationId> = PartnerCreateCall<Id, BookingContext>;
