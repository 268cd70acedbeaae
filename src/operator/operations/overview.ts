import { instantOf } from '../../access/index.ts';
import {
  countUncertain,
  listArrivals,
  listBookedDays,
  listDepartures,
} from '../../bookings/index.ts';
import { countConflicts } from '../../channels/index.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { countAccountsForStaff } from '../../payments/index.ts';
import { listFailingEndpoints } from '../../webhooks/index.ts';
import { act } from '../kinds.ts';

const { overviewItems, overviewCount, overviewDays, bookedDayRows } = operatorLimits;

const first = <Item>(items: Item[]) => ({
  items: items.slice(0, overviewItems),
  hasMore: items.length > overviewItems,
});

/** Reads what happens today and what needs a person now. */
export const getOverview = act('operator.overview.get', {
  async reply({ context }) {
    const [arrivals, departures, booked, uncertainCheckouts, payments, channelConflicts, failing] =
      await context.reads.run((from) =>
        Promise.all([
          listArrivals(from, overviewItems + 1),
          listDepartures(from, overviewItems + 1),
          listBookedDays(from, overviewDays, bookedDayRows),
          countUncertain(from, overviewCount),
          countAccountsForStaff(from, overviewCount),
          countConflicts(from, overviewCount),
          listFailingEndpoints(from, overviewItems),
        ]),
      );
    const failingEndpoints = failing.map((endpoint) => ({
      ...endpoint,
      failingSince: instantOf(endpoint.failingSince),
    }));
    const needs = { uncertainCheckouts, payments, channelConflicts, failingEndpoints };
    const body = { arrivals: first(arrivals), departures: first(departures), booked, needs };
    return { status: 200, body };
  },
});
