import { findReservationFile, type ReservationFile } from '../store/staff-reservations.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { unknownReservation, type StaffContext } from './context.ts';
import { historyOf } from './history.ts';
import { reservationView } from './views.ts';

/** Reads a reservation. Throws `OperatorRefusal`. */
export async function reservationNamed(
  executor: Executor,
  reference: string,
): Promise<ReservationFile> {
  const file = await findReservationFile(executor, reference);
  if (!file) throw unknownReservation(reference);
  return file;
}

/** Shows a reservation with its guest, its booking and its complete history. Throws `OperatorRefusal`. */
export async function showReservation(context: StaffContext, reference: string) {
  const file = await reservationNamed(context.database, reference);
  const history = await historyOf(context, file.booking, file.reservation);
  return { ...reservationView(file), history };
}
