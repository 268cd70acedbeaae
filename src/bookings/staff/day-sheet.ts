import { refuseStaff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { ReservationMoney } from '../ports/reservation-money.ts';
import { sheetOf } from '../rules/day-sheet.ts';
import { listStaysOfDay } from '../store/day-sheet.ts';
import { listNotesOf } from '../store/reservation-notes.ts';

const keyOf = ({
  applicationId,
  bookingId,
}: {
  applicationId: string;
  bookingId: string;
}): string => `${applicationId} ${bookingId}`;

/** Reads who arrives, who leaves and who stays on a day, with phone, balance and notes. Spec: OPERATOR-11. */
export async function readDaySheet(
  executor: Executor,
  money: Pick<ReservationMoney, 'openOf'>,
  { date }: { date: string },
) {
  const { exportedStays } = operatorLimits;
  const stays = await listStaysOfDay(executor, date, exportedStays + 1);
  if (stays.length > exportedStays) {
    return refuseStaff('conflict', `This day has more than ${exportedStays} stays.`);
  }
  const reads = Promise.all([
    money.openOf(executor, stays),
    listNotesOf(
      executor,
      stays.map(({ reference }) => reference),
    ),
  ]);
  // Thousands of guests take as long to decrypt as the database takes for these.
  const guests = stays.map(({ guest }) => guest());
  const [open, notes] = await reads;
  const balances = new Map(open.map((one) => [keyOf(one), one.open]));
  const shown = stays.map(({ applicationId, bookingId, ...stay }, place) => {
    const guest = guests[place] ?? null;
    return {
      ...stay,
      guest: guest && `${guest.firstName} ${guest.lastName}`.trim(),
      phone: guest && guest.phone,
      balance: balances.get(keyOf({ applicationId, bookingId })) ?? null,
      notes: notes.get(stay.reference) ?? [],
    };
  });
  return { date, ...sheetOf(shown, date) };
}
