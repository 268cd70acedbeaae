import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readCatalog } from '../../src/catalog/store/catalog.ts';
import { weekdays } from '../../src/contract/catalog-file.ts';
import type { Listing, PricedListing, StayRules } from '../../src/pricing/rules/listing.ts';
import type { Partner } from './partner.ts';
import type { TestService } from './service.ts';

/** Runs a test's statement on the service's database. Instants are returned as epoch milliseconds. */
export function sql<R = Record<string, unknown>>(
  { database }: Pick<TestService, 'database'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const name = `test-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
  return database.query<R>({ name, text }, values);
}

/** The stored homes in the order of the list. */
export const homesOf = async ({ database }: TestService): Promise<Listing[]> =>
  (await readCatalog(database)).listings.map(({ listing }) => listing);

/** Stay rules that allow every stay. */
export const easyStays: StayRules = {
  minNights: 1,
  maxNights: 90,
  arrivalDays: [...weekdays],
  departureDays: [...weekdays],
  advanceNoticeDays: 0,
  bookingHorizonDays: 730,
};

/** 100.00 a night. */
export const plainRates: Listing['rates'] = {
  nightly: 10_000,
  weekdays: {},
  seasons: [],
  dates: [],
  lengthDiscounts: [],
};

/** Only 100.00 per night, due at once. */
export const plainPrices: PricedListing = {
  currency: 'USD',
  rates: plainRates,
  fees: [],
  taxes: [],
  payment: { dueNowPercent: 100, balanceDaysBefore: 0 },
};

/** Runs a statement that changes the catalog and waits until the service has read it. */
export async function changeCatalog(
  service: TestService,
  partner: Partner,
  text: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await sql(service, text, values);
  const [row] = await sql<{ changed_at: number }>(
    service,
    'SELECT changed_at FROM catalog_revision',
  );
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { meta } = await partner.succeed('distribution.listing.list', { query: { limit: 1 } });
    if (Date.parse(meta.asOf ?? '') >= row!.changed_at) return;
    assert.ok(Date.now() < deadline, 'the service does not follow the catalog');
    await sleep(50);
  }
}

/** The changes of a test to a home. */
export type HomeChange = readonly [home: Listing, changes: Partial<Listing>];

/** Changes homes and waits until the service has read them. */
export async function changeHomes(
  service: TestService,
  partner: Partner,
  changes: readonly HomeChange[],
): Promise<Listing[]> {
  const changed = changes.map(([home, change]) => ({ ...home, ...change }));
  await changeCatalog(
    service,
    partner,
    `UPDATE listings l SET name = c.home->>'name', time_zone = c.home->>'timeZone',
        collection_id = (c.home->>'collectionId')::uuid, sleeps = (c.home->>'sleeps')::integer,
        policies = c.home->'policies', currency = c.home->>'currency', rates = c.home->'rates',
        fees = c.home->'fees', taxes = c.home->'taxes', payment = c.home->'payment',
        party = c.home->'party', stay_rules = c.home->'stayRules',
        cancellation = c.home->'cancellation'
      FROM json_array_elements($1) AS c (home)
      WHERE l.listing_id = (c.home->>'listingId')::uuid`,
    [JSON.stringify(changed)],
  );
  return changed;
}

/** Changes a home and waits until the service has read it. */
export async function changeHome(
  service: TestService,
  partner: Partner,
  home: Listing,
  changes: Partial<Listing>,
): Promise<Listing> {
  const [changed] = await changeHomes(service, partner, [[home, changes]]);
  return changed!;
}

/** The date this many days after another. */
export const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** The first free stay of this many nights at a home by its calendar, from a date on. */
export async function freeNights(
  partner: Partner,
  listingId: string,
  nights: number,
  from: string,
): Promise<{ listingId: string; checkIn: string; checkOut: string }> {
  const query = { startDate: from, endDate: plusDays(from, 92) };
  const { days } = await partner.succeed('inventory.calendar.get', {
    params: { listingId },
    query,
  });
  const first = days.findIndex((_, at) => {
    const stay = days.slice(at, at + nights);
    return stay.length === nights && stay.every(({ available }) => available);
  });
  assert.ok(first >= 0, `no ${nights} free nights in a row`);
  const checkIn = days[first]!.date;
  return { listingId, checkIn, checkOut: plusDays(checkIn, nights) };
}
