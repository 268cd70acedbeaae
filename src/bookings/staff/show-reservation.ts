import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { findReservationFile } from '../store/staff-reservations.ts';
import { unknownReservation, type StaffContext } from './context.ts';
import { historyOf } from './history.ts';
import { reservationView, type StaffFile } from './views.ts';

/** Reads a reservation with its money. */
export async function reservationNamed(
  { database, money }: Pick<StaffContext, 'database' | 'money'>,
  reference: string,
): Promise<StaffFile | Refusal<'not_found'>> {
  const file = await findReservationFile(database, reference);
  if (!file) return unknownReservation(reference);
  return { ...file, balances: await money.balances(database, file.reservation) };
}

/** Shows a reservation with its guest, its booking, its payments and its complete history. */
export async function showReservation(context: StaffContext, reference: string) {
  const file = await reservationNamed(context, reference);
  if (isRefusal(file)) return file;
  const [history, payments] = await Promise.all([
    historyOf(context, file.booking, file.reservation),
    context.money.payments(context.database, file.reservation),
  ]);
  return { ...reservationView(file, payments), history };
}
