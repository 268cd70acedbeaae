import { countMoneyWaiting } from '../../attention/index.ts';
import { instant } from '../../contract/time.ts';
import {
  countUncertain,
  listArrivals,
  listBookedDays,
  listDepartures,
  readNow,
  readOverdueWork,
} from '../../bookings/index.ts';
import {
  countCalendarAlarms,
  countConflicts,
  countFailingCalendars,
} from '../../channels/index.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { listFailingEndpoints } from '../../webhooks/index.ts';
import { readClockRow } from '../../platform/postgres/clock-row.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { staffActs } from '../../api/staff-acts.ts';
import type { OperatorContext } from '../context.ts';

const { overviewItems, overviewCount, overviewDays, bookedDayRows } = operatorLimits;

const first = <Item>(items: Item[]) => ({
  items: items.slice(0, overviewItems),
  hasMore: items.length > overviewItems,
});

async function countNeeds(database: Database, calendarSeconds: number) {
  const [uncertainCheckouts, payments, channelConflicts, failingCalendars, alarms, overdue] =
    await Promise.all([
      countUncertain(database, overviewCount),
      countMoneyWaiting(database, overviewCount),
      countConflicts(database, overviewCount),
      countFailingCalendars(database, overviewCount),
      countCalendarAlarms(database, calendarSeconds),
      readOverdueWork(database),
    ]);
  const refusedRecords = Math.min(overdue.recordsFailing, overviewCount);
  return {
    uncertainCheckouts,
    payments,
    channelConflicts,
    failingCalendars,
    shrunkCalendars: Math.min(alarms.shrunk, overviewCount),
    unreadCalendars: Math.min(alarms.unread, overviewCount),
    refusedRecords,
  };
}

/** What happens today and what needs attention now. */
export const overviewActs = staffActs<OperatorContext>()({
  'operator.overview.get': async ({ context }) => {
    const [arrivals, departures, booked, counts, failing, clock] = await context.reads.run(
      async (from) => {
        const now = await readNow(from);
        return Promise.all([
          listArrivals(from, now, overviewItems + 1),
          listDepartures(from, now, overviewItems + 1),
          listBookedDays(from, overviewDays, bookedDayRows),
          countNeeds(from, context.calendars.everySeconds),
          listFailingEndpoints(from, overviewItems),
          readClockRow(from),
        ]);
      },
    );
    const failingEndpoints = failing.map((endpoint) => ({
      ...endpoint,
      failingSince: instant(endpoint.failingSince),
    }));
    const needs = { ...counts, failingEndpoints, clockHeldSince: instant(clock.heldSince) };
    return { arrivals: first(arrivals), departures: first(departures), booked, needs };
  },
});
