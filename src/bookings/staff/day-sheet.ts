import { refuseConflict } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import { inSlices, mapInSlices } from '../../platform/slices.ts';
import type { ReservationMoney } from '../ports/reservation-money.ts';
import { sheetOf } from '../rules/day-sheet.ts';
import {
  countStaysOfDay,
  listFirstStaysOfDay,
  listStaysOfDay,
  type StayOfDay,
} from '../store/day-sheet.ts';
import { listNotesOf } from '../store/reservation-notes.ts';

const keyOf = ({
  applicationId,
  bookingId,
}: {
  applicationId: string;
  bookingId: string;
}): string => `${applicationId} ${bookingId}`;

const { daySheetStays, firstOfDaySheet } = operatorLimits;

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

/** Stays with what is in other tables, or sealed. */
async function completed(executor: Executor, money: Money, stays: readonly StayOfDay[]) {
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
  return stays.map(({ applicationId, bookingId, ...stay }, index) => {
    const guest = guests[index] ?? null;
    return {
      ...stay,
      guest: guest && `${guest.firstName} ${guest.lastName}`.trim(),
      phone: guest && guest.phone,
      balance: balances.get(keyOf({ applicationId, bookingId })) ?? null,
      notes: notes.get(stay.reference) ?? [],
    };
  });
}

const tooMany = (atMost: number) =>
  refuseConflict(
    `This day has more than ${atMost} stays: list the reservations by their day of arrival.`,
  );

/** Reads who arrives, who leaves and who stays on a day, with phone, balance and notes. Spec: OPERATOR-11. */
export async function readDaySheet(
  executor: Executor,
  money: Money,
  { date }: { date: string },
  atMost: number = daySheetStays,
) {
  if ((await countStaysOfDay(executor, date, atMost + 1)) > atMost) return tooMany(atMost);
  const stays = await listStaysOfDay(executor, date, atMost + 1);
  if (stays.length > atMost) return tooMany(atMost);
  return { date, ...sheetOf(await completed(executor, money, stays), date) };
}

const firstOf = <Stay>(stays: readonly (Stay & { total: number })[]) => ({
  total: stays[0]?.total ?? 0,
  items: stays.map(({ total: _, ...stay }) => stay),
});

/** Reads the first stays of each list of a day sheet, and how many each list has. Spec: OPERATOR-11. */
export async function readFirstOfDaySheet(
  executor: Executor,
  money: Money,
  { date }: { date: string },
  { limit, atMost }: { limit: number; atMost: number } = {
    limit: firstOfDaySheet,
    atMost: daySheetStays,
  },
) {
  const found = await listFirstStaysOfDay(executor, date, atMost + 1, limit);
  const stays = await completed(
    executor,
    money,
    found.map(({ stay }) => stay),
  );
  const counted = stays.map((stay, index) => ({ ...stay, total: found[index]!.total }));
  const { arrivals, departures, inHouse } = sheetOf(counted, date);
  const lists = {
    arrivals: firstOf(arrivals),
    departures: firstOf(departures),
    inHouse: firstOf(inHouse),
  };
  const total = lists.arrivals.total + lists.departures.total + lists.inHouse.total;
  return total > atMost ? tooMany(atMost) : { date, ...lists };
}
