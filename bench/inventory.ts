import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileSource, importCatalog } from '../src/catalog/index.ts';
import type { Database } from '../src/platform/postgres/database.ts';
import type { FreeStay } from './booking.ts';

const homes = 400;
const nightsPerStay = 3;
const firstDay = 2;
const lastDay = 720;
const dayMs = 86_400_000;

const dateAhead = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

/** A home with prices and rules of every kind, which accepts every stay. */
const home = (number: number) => ({
  slug: `home-${number}`,
  name: `Home ${number}`,
  timeZone: 'Europe/Lisbon',
  sleeps: 4,
  currency: 'EUR',
  rates: {
    nightly: 18_000,
    weekdays: { fri: 21_000, sat: 21_000 },
    seasons: [{ name: 'Summer', from: '06-15', to: '09-10', changePercent: 35, priority: 1 }],
    lengthDiscounts: [{ label: 'A week', minNights: 7, percent: 10 }],
  },
  fees: [
    { label: 'Cleaning', kind: 'cleaning', per: 'stay', amount: 9_000 },
    { label: 'Extra guests', kind: 'fee', per: 'guest_night', fromGuest: 3, amount: 2_500 },
  ],
  taxes: [
    { label: 'VAT', on: ['accommodation', 'cleaning', 'fees'], percent: 6 },
    { label: 'City tax', per: 'guest_night', amount: 200, adultsOnly: true, maxNights: 7 },
  ],
  payment: { dueNowPercent: 30, balanceDaysBefore: 30 },
  cancellation: [{ daysBefore: 30, refundPercent: 100 }],
});

/** Free nights of an operator's homes; each stay is given out once. */
export interface Inventory {
  /** A stay at the next home. */
  next(): FreeStay;
  /** Consecutive stays of one home, until it is full; then of the next home. */
  nextOfOneHome(): FreeStay;
}

/** Imports homes into the database of a service in the environment `test`. */
export async function importInventory(
  database: Database,
  folder: string,
  count = homes,
): Promise<Inventory> {
  const file = path.join(folder, 'bench-homes.json');
  const listings = Array.from({ length: count }, (_, number) => home(number));
  const catalog = { slug: 'bench', name: 'Bench', discovery: 'portfolio' };
  await writeFile(file, JSON.stringify({ format: 'latchkey-catalog/1', catalog, listings }));
  const options = { mode: 'merge', dryRun: false, actor: null, blocks: null } as const;
  const result = await importCatalog(database, fileSource(file), options);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return openInventory(database);
}

const homesStatement = {
  name: 'bench-homes',
  text: `SELECT h.listing_id AS id, count(o.listing_id)::integer AS stays
    FROM (SELECT listing_id, slug FROM listings ORDER BY slug LIMIT ${homes}) h
    LEFT JOIN occupancies o USING (listing_id) GROUP BY h.listing_id, h.slug ORDER BY h.slug`,
};

/** The free nights of homes that were imported; stays of an earlier inventory are not given out again. */
export async function openInventory(database: Database): Promise<Inventory> {
  const rows = await database.query<{ id: string; stays: number }>(homesStatement);
  const ids = rows.map(({ id }) => id);
  const staysPerHome = Math.floor((lastDay - firstDay) / nightsPerStay);
  const stay = (homeAt: number, stayAt: number): FreeStay => {
    if (homeAt >= ids.length || stayAt >= staysPerHome) throw new Error('no night is left');
    const day = firstDay + stayAt * nightsPerStay;
    return {
      listingId: ids[homeAt]!,
      checkIn: dateAhead(day),
      checkOut: dateAhead(day + nightsPerStay),
      party: { adults: 2 },
    };
  };
  // The last homes are for the busy ones, so that both can be measured on one inventory.
  const spread = homes - 50;
  let spreadStays = Math.max(...rows.map(({ stays }) => stays)) * spread;
  let busyStays = 0;
  return {
    next() {
      spreadStays += 1;
      return stay((spreadStays - 1) % spread, Math.floor((spreadStays - 1) / spread));
    },
    nextOfOneHome() {
      busyStays += 1;
      const at = busyStays - 1;
      return stay(spread + Math.floor(at / staysPerHome), at % staysPerHome);
    },
  };
}
