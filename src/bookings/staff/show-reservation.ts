import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { findReservationInFull } from '../store/staff-reservations.ts';
import { unknownReservation, type StaffContext } from './context.ts';
import { historyOf } from './history.ts';
import { reservationView, type ReservationForStaff } from './views.ts';

/** Reads a reservation with its money. */
export async function reservationNamed(
  { database, money }: Pick<StaffContext, 'database' | 'money'>,
  reference: string,
): Promise<ReservationForStaff | Refusal<'not_found'>> {
  const inFull = await findReservationInFull(database, reference);
  if (!inFull) return unknownReservation(reference);
  return { ...inFull, balances: await money.balances(database, inFull.reservation) };
}

/** Shows a reservation with its guest, its booking, its payments and its complete history. */
export async function showReservation(context: StaffContext, reference: string) {
  const inFull = await reservationNamed(context, reference);
  if (isRefusal(inFull)) return inFull;
  const [history, payments] = await Promise.all([
    historyOf(context, inFull.booking, inFull.reservation),
    context.money.payments(context.database, inFull.reservation),
  ]);
  return { ...reservationView(inFull, payments), history };
}
