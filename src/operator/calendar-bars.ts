/** The nights of homes that are taken, for the calendar of many homes. */
import {
  type CalendarStay,
  readCalendarStays,
  readCalendarStaysOfHomes,
} from '../bookings/index.ts';
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import { type CalendarBar, readCalendarBars } from '../inventory/index.ts';
import { dateText, dayNumber } from '../pricing/index.ts';
import type { OperatorContext } from './context.ts';

/** Nights of a home as the operator's API shows them. */
export type Bar =
  OperatorReplyOf<'operator.calendar.read'>['body']['homes'][number]['bars'][number];

interface Range {
  from: string;
  to: string;
}

type Names = ReadonlyMap<string, string>;
type BarOf = (names: Names) => Bar;

/** The bars of some homes. The names of applications are read when it is known which are needed. */
export interface Bars {
  applicationIds: string[];
  ofHome(listingId: string, names: Names): Bar[];
}

const nothing = {
  reference: null,
  application: null,
  guest: null,
  guests: null,
  source: null,
  reason: null,
} as const;

const guestsOf = ({ party }: CalendarStay): number => party.adults + party.children;

function ownBar(bar: CalendarBar, stay: CalendarStay | undefined): BarOf {
  const { occupancyId: id, from, to, kind, reference, source, reason } = bar;
  if (kind === 'block') return () => ({ ...nothing, id, kind, from, to, source, reason });
  return (names) => ({
    ...nothing,
    id,
    kind: kind === 'held' ? 'hold' : 'stay',
    from,
    to,
    reference,
    application: names.get(bar.applicationId ?? '') ?? null,
    guest: stay?.guest ?? null,
    guests: stay ? guestsOf(stay) : null,
  });
}

const stayBar =
  (stay: CalendarStay): BarOf =>
  (names) => ({
    ...nothing,
    id: stay.reference,
    kind: 'stay',
    from: stay.checkIn,
    to: stay.checkOut,
    reference: stay.reference,
    application: names.get(stay.applicationId) ?? null,
    guest: stay.guest,
    guests: guestsOf(stay),
  });

const grouped = (bars: readonly { listingId: string; barOf: BarOf }[]): Bars['ofHome'] => {
  const byHome = Map.groupBy(bars, ({ listingId }) => listingId);
  return (listingId, names) => (byHome.get(listingId) ?? []).map(({ barOf }) => barOf(names));
};

const unique = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id) => id !== null)),
];

async function ownBars(
  { database }: OperatorContext,
  listingIds: readonly string[],
  range: Range,
): Promise<Bars> {
  const bars = await readCalendarBars(database, listingIds, range);
  const stays = await readCalendarStays(database, unique(bars.map(({ reference }) => reference)));
  const byReference = new Map(stays.map((stay) => [stay.reference, stay]));
  return {
    applicationIds: unique(bars.map(({ applicationId }) => applicationId)),
    ofHome: grouped(
      bars.map((bar) => ({
        listingId: bar.listingId,
        barOf: ownBar(bar, byReference.get(bar.reference ?? '')),
      })),
    ),
  };
}

/** The nights that are not open, as ranges. */
function closedNights(open: Uint8Array, first: number): Range[] {
  const ranges: Range[] = [];
  for (let at = 0; at < open.length; at += 1) {
    if (open[at] === 1) continue;
    const from = at;
    while (at < open.length && open[at] === 0) at += 1;
    ranges.push({ from: dateText(first + from), to: dateText(first + at) });
  }
  return ranges;
}

/** The simulation keeps no nights: it shows reservations, and the nights that it marks as taken. */
async function simulatedBars(
  { database, availability }: OperatorContext,
  listingIds: readonly string[],
  range: Range,
): Promise<Bars> {
  const stays = await readCalendarStaysOfHomes(database, listingIds, range);
  const first = dayNumber(range.from);
  const days = dayNumber(range.to) - first;
  const { signal } = new AbortController();
  const invented = await Promise.all(
    listingIds.map(async (listingId) => {
      const open = await availability.openNights(listingId, first, days, signal);
      return closedNights(open, first).map((nights) => ({
        listingId,
        barOf: (): Bar => ({
          ...nothing,
          id: `${listingId}/${nights.from}`,
          kind: 'simulated',
          ...nights,
        }),
      }));
    }),
  );
  return {
    applicationIds: unique(stays.map(({ applicationId }) => applicationId)),
    ofHome: grouped([
      ...invented.flat(),
      ...stays.map((stay) => ({ listingId: stay.listingId, barOf: stayBar(stay) })),
    ]),
  };
}

/** Reads what has nights of these homes in a range of dates. `to`: the day after the last night. */
export const barsOf = (
  context: OperatorContext,
  listingIds: readonly string[],
  range: Range,
): Promise<Bars> =>
  (context.environment === 'simulation' ? simulatedBars : ownBars)(context, listingIds, range);
