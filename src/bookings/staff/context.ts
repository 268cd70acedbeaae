import { isDeepStrictEqual } from 'node:util';
import { amountRefusal } from '../../access/index.ts';
import { Seen } from '../../api/seen.ts';
import type { Database, Executor } from '../../platform/postgres/database.ts';
import { isConflict } from '../../platform/postgres/database-errors.ts';
import type { Reservation } from '../rules/booking.ts';
import type { Payment } from '../ports/payment.ts';
import type { ReservationMoney } from '../ports/reservation-money.ts';
import type { ReservationBalances } from '../rules/refund.ts';
import type { Supply } from '../ports/supply.ts';
import type { ListDeliveries } from '../timeline.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';

/** The dependencies of what staff do with reservations. */
export interface StaffContext {
  database: Database;
  /** The supply, on a connection or within a transaction. */
  supplyOn(executor: Executor): Supply;
  payment: Payment;
  money: ReservationMoney;
  listDeliveries: ListDeliveries;
  /** Sends committed events of this application to its webhook endpoints now. */
  wakeDeliverer(applicationId: string): void;
  /** After its submission, an outcome that is not known is decided; null: never. */
  uncertainHours: number | null;
  /** The time in which the card provider may say what it knows, in milliseconds. Default: 2.5 seconds. */
  askingMs?: number;
}

/** The refusal for an unknown reference. */
export const unknownReservation = (reference: Reservation['reference']): Refusal<'not_found'> =>
  refuseStaff('not_found', `There is no reservation ${reference}.`);

/** Thrown in a transaction: the facts of the decision have changed since they were read. */
export class OvertakenError extends Error {}

/**
 * Within a transaction: keeps the money of a reservation as it was read until the transaction ends. Throws
 * `OvertakenError` if it has changed since. Null: it is kept.
 */
export async function holdMoney(
  { money }: Pick<StaffContext, 'money'>,
  executor: Executor,
  { reservation, balances }: { reservation: Reservation; balances: ReservationBalances | null },
): Promise<Refusal<'conflict'> | null> {
  const held = await money.hold(executor, reservation);
  if (isRefusal(held)) return held;
  if (!isDeepStrictEqual(held, balances)) throw new OvertakenError();
  return null;
}

/** Refuses if another amount is open than staff have seen; where the partner collects, nothing is. Null: it is that. */
export const balanceRefusal = (
  expected: number | undefined,
  { reservation, balances }: { reservation: Reservation; balances: ReservationBalances | null },
): Refusal<'precondition_failed'> | null =>
  amountRefusal(
    new Seen(expected),
    balances?.open ?? 0,
    `What is open for ${reservation.reference}`,
    reservation.charges.currency,
  );

const attemptsAtMost = 5;

/** Runs work that reads, decides and writes. Runs it again if somebody else was faster. */
export async function onFreshData<T>(work: () => Promise<T>): Promise<T | Refusal<'conflict'>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const again = error instanceof OvertakenError || isConflict(error);
      if (!again) throw error;
      if (attempt === attemptsAtMost) {
        return refuseConflict(
          'Other changes were faster each time. Nothing was changed; try again.',
        );
      }
    }
  }
}
