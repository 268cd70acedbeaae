import type { Refusal } from '../../contract/errors.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Reservation } from '../rules/booking.ts';
import type { ReservationBalances } from '../rules/refund.ts';

/** A payment of a reservation, as staff see it. Amounts in minor units of the charges' currency. */
export interface PaymentOfReservation {
  paymentId: string;
  purpose: string;
  /** `YYYY-MM-DD` at the property. */
  dueOn: string;
  amount: number;
  state: string;
  refunded: number;
}

/** A row of the ledger, as the history shows it. */
export interface MoneyEntry {
  at: EpochMs;
  kind: string;
  paymentId: string | null;
  refundId: string | null;
  /** In minor units; null: an attempt without effect. */
  amount: number | null;
  currency: string | null;
  details: Record<string, unknown> | null;
  /** Why the card provider has refused, in words. */
  declined?: string;
}

/** What is open of a reservation. Partners choose the IDs of bookings: two applications may have the same. */
export interface OpenOfReservation extends Pick<Reservation, 'applicationId' | 'bookingId'> {
  /** In minor units. */
  open: number;
}

/** The money of reservations that we collect ourselves. Null: the partner collects, so the schedule counts. */
export interface ReservationMoney {
  balances(
    executor: Executor,
    reservation: Pick<Reservation, 'applicationId' | 'bookingId'>,
  ): Promise<ReservationBalances | null>;
  /** What is open of each that we collect ourselves. */
  openOf(
    executor: Executor,
    reservations: readonly Pick<Reservation, 'applicationId' | 'bookingId'>[],
  ): Promise<OpenOfReservation[]>;
  /** Within a transaction: the balances stay as they are until it ends. Refuses where no money moves. */
  hold(
    executor: Executor,
    reservation: Pick<Reservation, 'applicationId' | 'bookingId'>,
  ): Promise<ReservationBalances | Refusal<'conflict'> | null>;
  payments(
    executor: Executor,
    reservation: Pick<Reservation, 'applicationId' | 'bookingId'>,
  ): Promise<PaymentOfReservation[]>;
  /** Every row of the ledger, oldest first. */
  entries(
    executor: Executor,
    reservation: Pick<Reservation, 'applicationId' | 'bookingId'>,
  ): Promise<MoneyEntry[]>;
}

/** The partner collects all money, or there is none: the simulation. */
export const noMoney: ReservationMoney = {
  balances: async () => null,
  openOf: async () => [],
  hold: async () => null,
  payments: async () => [],
  entries: async () => [],
};
