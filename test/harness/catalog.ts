import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCatalog } from '../../src/catalog/catalog.ts';
import { readCatalogs } from '../../src/catalog/store/catalogs.ts';
import { readPlaces, withdrawListings, writePlaces } from '../../src/catalog/store/places.ts';
import { writeHomes } from '../../src/catalog/store/write-homes.ts';
import { markCatalogs, raiseRevision } from '../../src/catalog/store/revision.ts';
import type { Database, Executor } from '../../src/platform/postgres/database.ts';
import { weekdays } from '../../src/contract/weekdays.ts';
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

/** The homes as the operator keeps them, in the order of the list. */
export async function homesOf({ database }: Pick<TestService, 'database'>): Promise<Listing[]> {
  const catalog = await openCatalog(database, { environment: 'simulation', baseUrl: '' });
  const { listings } = catalog.of(await onlyCatalog(database));
  return listings.map(({ listing }) => listing);
}

/** The catalog of an installation that has one. */
export async function onlyCatalog(executor: Executor): Promise<string> {
  const [catalog, ...others] = await readCatalogs(executor);
  assert.ok(catalog && others.length === 0, 'there is one catalog');
  return catalog.catalogId;
}

/** Changes the catalog in one transaction, as an import does. */
export const changeInventory = (
  database: Database,
  change: (executor: Executor, revision: number, catalogId: string) => Promise<unknown>,
): Promise<void> =>
  database.transaction(async (executor) => {
    const revision = await raiseRevision(executor);
    const catalogId = await onlyCatalog(executor);
    await change(executor, revision, catalogId);
    await markCatalogs(executor, revision, [catalogId]);
  });

/** Withdraws homes from sale. */
export const withdrawHomes = (database: Database, listingIds: readonly string[]): Promise<void> =>
  changeInventory(database, (executor, revision, catalogId) =>
    withdrawListings(executor, catalogId, listingIds, revision),
  );

/** Changes homes, or adds those whose slugs are new; `position`: their place in the list, absent: as it is. */
export const writeListings = (
  database: Database,
  listings: readonly Listing[],
  position?: number,
): Promise<void> =>
  changeInventory(database, async (executor, revision, catalogId) => {
    const known = await readPlaces(executor, catalogId);
    const positions = new Map(known.map((place) => [place.slug, place.position]));
    const homes = listings.map(({ collectionId: _, ...home }) => home);
    const ids = await writeHomes(executor, homes, new Map(), revision);
    const places = listings.map(({ slug, collectionId }) => ({
      listingId: ids.get(slug)!,
      collectionId,
      position: position ?? positions.get(slug) ?? known.length,
    }));
    await writePlaces(executor, catalogId, places, revision);
  });

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

/** Changes a home in the database; the service follows within a second. */
export async function changeListing(
  database: Database,
  listingId: string,
  change: (home: Listing) => Partial<Listing>,
): Promise<void> {
  const home = (await homesOf({ database })).find((each) => each.listingId === listingId);
  assert.ok(home, `${listingId} is sold`);
  await writeListings(database, [{ ...home, ...change(home) }]);
}

/** Waits until the service sells the catalog as it is in the database. */
export async function followed(service: TestService, partner: Partner): Promise<void> {
  const [row] = await sql<{ changed_at: number }>(service, 'SELECT changed_at FROM catalogs');
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
  await writeListings(service.database, changed);
  await followed(service, partner);
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
