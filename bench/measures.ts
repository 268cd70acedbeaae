import type { Measure } from './measure.ts';
import {
  measureBookings,
  measureBusyHome,
  measureSearchBesideBookings,
  measureCardBookings,
  measureManyApplications,
} from './measures/bookings.ts';
import { measureCalendarPaint } from './measures/calendar-paint.ts';
import {
  closeGrowth,
  measureClaim,
  measureFeed,
  measureGrownBookings,
  measureRequests,
  measureSweep,
} from './measures/growth.ts';
import { closeCost, costs } from './measures/cost.ts';
import {
  bookings,
  listings,
  measureFollowing,
  measurePair,
  measureRedisQuota,
} from './measures/fleet.ts';
import { measureFollowedImport } from './measures/refresh-after-import.ts';
import { measureHostileInput } from './measures/hostile-input.ts';
import { measureImport } from './measures/import.ts';
import { measureMemory } from './measures/memory.ts';
import {
  closeInventory,
  manyStays,
  measureCompressedSearch,
  measureIndexAlone,
  measureIndexBytes,
  measureIndexCount,
  measureIndexLoad,
  measureIndexMemory,
  measureIndexPage,
  measureIndexStart,
  measureSearch,
  measureSearchOfManyStays,
  measureSearchWith,
} from './measures/nights-index.ts';
import { measurePrice } from './measures/price.ts';
import { measureListing, measureListings, measureStatus } from './measures/reads.ts';
import { measureReadBeforeConfirm } from './measures/read-before-confirm.ts';
import { measurePartnerClient } from './measures/partner-client.ts';
import { measureNeighbour, withRules, withRun } from './measures/sandbox.ts';
import { measureStart } from './measures/start.ts';
import {
  measureWebhookLatency,
  measureWebhooks,
  measureWebhooksBesideDead,
} from './measures/webhooks.ts';

const grown = (name: string, title: string, unit: string, run: Measure['run']): Measure => ({
  name: `growth-${name}`,
  title: `with a year of bookings: ${title}`,
  unit,
  better: 'more',
  good: 0.7,
  aim: 0.9,
  group: 'growth',
  run,
});

const indexed = (
  name: string,
  title: string,
  [unit, good, aim]: readonly [string, number | null, number | null],
  run: Measure['run'],
): Measure => ({
  name: `index-${name}`,
  title,
  unit,
  better: unit === 'requests/s' ? 'more' : 'less',
  good,
  aim,
  group: 'index',
  run,
});

const fleet = (measure: Omit<Measure, 'group'>): Measure => ({ ...measure, group: 'fleet' });

const followed = (name: string, title: string, run: Measure['run']): Measure => ({
  name: `follow-${name}`,
  title,
  unit: 'ms',
  better: 'less',
  good: null,
  aim: null,
  group: 'follow',
  run,
});

const page = ['ms', 1 / 100, 1 / 400] as const;
const counted = ['ms', 1 / 50, 1 / 200] as const;

/** Closes the shared resources of the measures. */
export async function closeMeasures(): Promise<void> {
  await closeGrowth();
  await closeInventory();
  await closeCost();
}

const kyoto = { latitude: 35.01, longitude: 135.77 };

/** The optional members of a search, each compared with the search without them. */
const searchMembers = [
  { name: 'destination', title: 'search, destination', members: { destination: 'kyo' } },
  { name: 'nowhere', title: '… a destination without homes', members: { destination: 'qqqq' } },
  { name: 'near', title: '… near', members: { near: { ...kyoto, radiusKm: 100 } } },
  {
    name: 'distance',
    title: '… sorted by distance',
    members: { near: { ...kyoto, radiusKm: 500 }, sort: 'distance' },
  },
  { name: 'amenities', title: '… amenities', members: { amenities: ['sauna', 'pool', 'wifi'] } },
  { name: 'bedrooms', title: '… bedroomsMin', members: { bedroomsMin: 5 } },
  {
    name: 'max-total',
    title: '… maxTotal',
    members: { maxTotal: { amount: 50_000, currency: 'EUR' } },
  },
  { name: 'total', title: '… sorted by total', members: { sort: 'total' } },
  { name: 'flex', title: '… flexDays', members: { flexDays: 3 } },
];

/** Every measure, in the order of the table. */
export const measures: readonly Measure[] = [
  {
    name: 'listing',
    title: 'GET /v1/listings/{id}',
    unit: 'requests/s',
    better: 'more',
    good: 0.6,
    aim: 0.8,
    run: measureListing,
  },
  {
    name: 'listings',
    title: 'GET /v1/listings?limit=20',
    unit: 'requests/s',
    better: 'more',
    good: 0.65,
    aim: 0.8,
    run: measureListings,
  },
  {
    name: 'status',
    title: 'GET …/status',
    unit: 'requests/s',
    better: 'more',
    good: 0.65,
    aim: 0.85,
    run: measureStatus,
  },
  {
    name: 'booking',
    title: 'a complete partner-settled booking, 16 in flight',
    unit: 'bookings/s',
    better: 'more',
    good: 0.4,
    aim: 0.6,
    run: measureBookings(16),
  },
  {
    name: 'card-booking',
    title: 'a booking that the card pays; floor: the partner-settled booking',
    unit: 'bookings/s',
    better: 'more',
    good: 0.35,
    aim: 0.5,
    run: measureCardBookings,
  },
  {
    name: 'booking-1',
    title: '… 1 in flight',
    unit: 'bookings/s',
    better: 'more',
    good: null,
    aim: null,
    run: measureBookings(1),
  },
  {
    name: 'booking-64',
    title: '… 64 in flight',
    unit: 'bookings/s',
    better: 'more',
    good: null,
    aim: null,
    run: measureBookings(64),
  },
  {
    name: 'booking-1000-applications',
    title: '… 16 in flight, 1,000 applications instead of one',
    unit: 'bookings/s',
    better: 'more',
    good: 0.8,
    aim: 0.95,
    run: measureManyApplications(1000),
  },
  {
    name: 'busy-home',
    title: 'confirmed and refused bookings of one busy home, 16 in flight',
    unit: 'bookings/s',
    better: 'more',
    good: 0.8,
    aim: 1,
    run: measureBusyHome,
  },
  {
    name: 'calendars-0',
    title: 'from submit to outcome, a home without calendars; floor: no read before confirm',
    unit: 'ms',
    better: 'less',
    good: 1.1,
    aim: 1.03,
    run: measureReadBeforeConfirm({ count: 0, afterMs: 50 }),
  },
  {
    name: 'calendars-1',
    title: '… what one calendar adds that answers in 50 ms; floor: the 50 ms',
    unit: 'ms',
    better: 'less',
    good: 1.6,
    aim: 1.1,
    run: measureReadBeforeConfirm({ count: 1, afterMs: 50 }),
  },
  {
    name: 'calendars-3',
    title: '… what three calendars add; floor: the 50 ms',
    unit: 'ms',
    better: 'less',
    good: 1.6,
    aim: 1.1,
    run: measureReadBeforeConfirm({ count: 3, afterMs: 50 }),
  },
  {
    name: 'calendars-hang',
    title: '… what a calendar adds that never answers; floor: the 2.5 s',
    unit: 'ms',
    better: 'less',
    good: 1.05,
    aim: 1.02,
    run: measureReadBeforeConfirm({ count: 1, afterMs: null }),
  },
  {
    name: 'search-beside-bookings',
    title: 'the 99th percentile of searches while bookings run at half their rate',
    unit: 'ms',
    better: 'less',
    good: 2,
    aim: 1.3,
    run: measureSearchBesideBookings,
  },
  {
    name: 'hostile-input',
    title: 'the longest wait of a read while hostile input is sent; floor: before, and 100 ms',
    unit: 'ms',
    better: 'less',
    good: 1,
    aim: 0.5,
    run: measureHostileInput,
  },
  {
    name: 'start',
    title: 'first start to ready',
    unit: 'ms',
    better: 'less',
    good: 3,
    aim: 1.7,
    run: measureStart,
  },
  {
    name: 'import',
    title: 'import of a catalog file, 5,000 homes without blocks',
    unit: 'ms',
    better: 'less',
    good: 4,
    aim: 2,
    run: measureImport({ listings: 5_000, withBlocks: false }),
  },
  {
    name: 'import-blocks',
    title: '… 500 homes with 39,000 blocks',
    unit: 'ms',
    better: 'less',
    good: 4,
    aim: 2,
    run: measureImport({ listings: 500, withBlocks: true }),
  },
  {
    name: 'import-100000',
    title: '… 100,000 homes without blocks',
    unit: 'ms',
    better: 'less',
    good: 4,
    aim: 2,
    group: 'imports',
    run: measureImport({ listings: 100_000, withBlocks: false }),
  },
  {
    name: 'price',
    title: 'the price of a week with every kind of rule, CPU time; floor: a home with none',
    unit: 'µs',
    better: 'less',
    good: 6,
    aim: 3,
    run: measurePrice,
  },
  {
    name: 'memory',
    title: 'memory of the idle service',
    unit: 'MiB',
    better: 'less',
    good: 2.5,
    aim: 1.6,
    run: measureMemory,
  },
  {
    name: 'webhooks',
    title: 'webhooks delivered and recorded, 32 endpoints',
    unit: 'deliveries/s',
    better: 'more',
    good: 0.6,
    aim: 0.8,
    run: measureWebhooks,
  },
  {
    name: 'webhooks-dead',
    title: '… the healthy ones, while 8 of the 32 are dead or slow',
    unit: 'deliveries/s',
    better: 'more',
    good: 0.85,
    aim: 0.95,
    run: measureWebhooksBesideDead,
  },
  {
    name: 'webhook-latency',
    title: 'from commit to arrival at the receiver',
    unit: 'ms',
    better: 'less',
    good: 15,
    aim: 5,
    run: measureWebhookLatency,
  },
  {
    name: 'calendar-paint',
    title: 'console: first meaningful paint of the calendar of 10,000 homes, warm; floor: 10 homes',
    unit: 'ms',
    better: 'less',
    good: 3,
    aim: 1.5,
    run: measureCalendarPaint,
  },
  indexed('page-2', 'index: a page of 20, 2 nights', page, measureIndexPage(2)),
  indexed('page-7', '… 7 nights', page, measureIndexPage(7)),
  indexed('page-28', '… 28 nights', page, measureIndexPage(28)),
  indexed('page-90', '… 90 nights', page, measureIndexPage(90)),
  indexed('count-2', 'index: the number of free homes, 2 nights', counted, measureIndexCount(2)),
  indexed('count-7', '… 7 nights', counted, measureIndexCount(7)),
  indexed('count-28', '… 28 nights', counted, measureIndexCount(28)),
  indexed('count-90', '… 90 nights', counted, measureIndexCount(90)),
  indexed(
    'alone',
    '… ten times the homes, without a database, 7 nights',
    ['ms', null, null],
    measureIndexAlone,
  ),
  indexed('bytes', 'index: memory of a home', ['bytes', 10, 7], measureIndexBytes),
  indexed(
    'memory',
    'memory of the service with all homes; floor: without homes',
    ['MiB', null, null],
    measureIndexMemory,
  ),
  indexed('search', 'POST /v1/listings/search', ['requests/s', 0.35, 0.6], measureSearch),
  indexed(
    'search-many-stays',
    '… each for another stay than the ones before',
    ['requests/s', 0.35, 0.6],
    measureSearchOfManyStays,
  ),
  ...searchMembers.map(({ name, title, members }) =>
    indexed(`search-${name}`, title, ['requests/s', 0.2, 0.5], measureSearchWith(members)),
  ),
  indexed(
    'search-compressed',
    'search of 50 homes, compressed; floor: not compressed',
    ['requests/s', 0.6, 0.8],
    measureCompressedSearch(1),
  ),
  indexed(
    'search-compressed-many-stays',
    '… each for another stay than the ones before',
    ['requests/s', 0.6, 0.8],
    measureCompressedSearch(manyStays),
  ),
  indexed('load', 'index: loading all nights', ['ms', null, null], measureIndexLoad),
  indexed('start', 'start with all homes and stays', ['ms', 4, 2], measureIndexStart),
  followed(
    'known',
    'from the import of four times as many homes until two processes search all; floor: COPY of the rows',
    measureFollowedImport('knownMs'),
  ),
  followed(
    'delay',
    '… the longest delay of an event loop; floor: before',
    measureFollowedImport('delayMs'),
  ),
  followed(
    'search',
    '… the 99th percentile of searches; floor: before',
    measureFollowedImport('p99Ms'),
  ),
  fleet({
    name: 'fleet-listing',
    title: 'two api processes against one on two cores: reads of a listing, by CPU time',
    unit: 'requests/s',
    better: 'more',
    good: 1.6,
    aim: 1.9,
    run: measurePair(listings),
  }),
  fleet({
    name: 'fleet-booking',
    title: '… complete bookings, by CPU time',
    unit: 'bookings/s',
    better: 'more',
    good: 1,
    aim: 1.1,
    run: measurePair(bookings),
  }),
  fleet({
    name: 'fleet-quota',
    title: 'the cheapest read with its quota in Redis; floor: in the process',
    unit: 'requests/s',
    better: 'more',
    good: 0.2,
    aim: 0.4,
    run: measureRedisQuota,
  }),
  fleet({
    name: 'fleet-nights',
    title: 'a taken night is known to another process, 99th percentile; floor: asking as often',
    unit: 'ms',
    better: 'less',
    good: 2,
    aim: 1.2,
    run: measureFollowing,
  }),
  {
    name: 'partner-client',
    title: "the partner package's client: CPU time of a read; floor: a bare `fetch` of the same",
    unit: 'µs',
    better: 'less',
    good: 1.5,
    aim: 1.2,
    group: 'sandbox',
    run: measurePartnerClient,
  },
  {
    name: 'sandbox-rules',
    title: 'reads beside an application with 50 rules of faults; floor: beside one without',
    unit: 'requests/s',
    better: 'more',
    good: 0.85,
    aim: 0.95,
    group: 'sandbox',
    run: measureNeighbour(withRules),
  },
  {
    name: 'sandbox-run',
    title: 'reads beside an application in a conformance run; floor: beside one in none',
    unit: 'requests/s',
    better: 'more',
    good: 0.85,
    aim: 0.95,
    group: 'sandbox',
    run: measureNeighbour(withRun),
  },
  ...costs.map(({ name, title, run }): Measure => ({
    name: `cost-${name}`,
    title: `CPU time of ${title}, with PostgreSQL; floor: a call of node:http`,
    unit: 'µs',
    better: 'less',
    good: null,
    aim: null,
    group: 'cost',
    run,
  })),
  grown('feed', 'a page of the feed', 'requests/s', measureFeed),
  grown('requests', 'a page in the middle of the requests', 'requests/s', measureRequests),
  grown('claim', 'searches for due bookings', 'statements/s', measureClaim),
  grown('sweep', 'sweeps of events, quotes and checkouts', 'rows/s', measureSweep),
  grown('booking', 'a complete booking, 16 in flight', 'bookings/s', measureGrownBookings),
];
