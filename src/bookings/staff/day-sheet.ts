import { refuseConflict } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { inSlices, mapInSlices } from '../../platform/slices.ts';
import type { ReservationMoney } from '../ports/reservation-money.ts';
import { sheetOf } from '../rules/day-sheet.ts';
import { countStaysOfDay, listStaysOfDay, type StayOfDay } from '../store/day-sheet.ts';
import { listNotesOf } from '../store/reservation-notes.ts';

const keyOf = ({
  applicationId,
  bookingId,
}: {
  applicationId: string;
  bookingId: string;
}): string => `${applicationId} ${bookingId}`;

const { daySheetStays } = operatorLimits;

const guestsAtOnce = 200;

// The balances of all stays of the busiest day take longer than a statement may.
const balancesAtOnce = 5_000;

type Money = Pick<ReservationMoney, 'openOf'>;

async function openOf(executor: Executor, money: Money, stays: readonly StayOfDay[]) {
  const open = [];
  for await (const slice of inSlices(stays, balancesAtOnce)) {
    open.push(...(await money.openOf(executor, slice)));
  }
  return open;
}

/** Reads who arrives, who leaves and who stays on a day, with phone, balance and notes. Spec: OPERATOR-11. */
export async function readDaySheet(
  executor: Executor,
  money: Money,
  { date }: { date: string },
  atMost: number = daySheetStays,
) {
  const tooMany = () =>
    refuseConflict(
      `This day has more than ${atMost} stays: list the reservations by their day of arrival.`,
    );
  if ((await countStaysOfDay(executor, date, atMost + 1)) > atMost) return tooMany();
  const stays = await listStaysOfDay(executor, date, atMost + 1);
  if (stays.length > atMost) return tooMany();
  const reads = Promise.all([
    openOf(executor, money, stays),
    listNotesOf(
      executor,
      stays.map(({ reference }) => reference),
    ),
  ]);
  // Thousands of guests take as long to decrypt as the database takes for these.
  const [guests, [open, notes]] = await Promise.all([
    mapInSlices(stays, guestsAtOnce, ({ guest }) => guest()),
    reads,
  ]);
  const balances = new Map(open.map((one) => [keyOf(one), one.open]));
  const shown = stays.map(({ applicationId, bookingId, ...stay }, index) => {
    const guest = guests[index] ?? null;
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
