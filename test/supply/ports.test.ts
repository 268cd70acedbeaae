/** What every supply and every availability does alike: one suite each for the operator's homes and the simulation. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createInventorySupply } from '../../src/bookings/ports/inventory-supply.ts';
import type { Supply } from '../../src/bookings/ports/supply.ts';
import type { Booking } from '../../src/bookings/rules/booking.ts';
import type { PublishedListing } from '../../src/catalog/index.ts';
import { type Availability, openNightsIndex } from '../../src/inventory/index.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { dayNumber } from '../../src/pricing/index.ts';
import { createSimulatedSupply } from '../../src/simulation/supplier.ts';
import { simulatedAvailability } from '../../src/simulation/index.ts';
import { onlyCatalog } from '../harness/catalog.ts';
import { forgetfulSupply } from '../harness/forgetful-supply.ts';
import { sql } from '../harness/rows.ts';
import { openResolution, type TestResolution } from '../resolution/resolution.ts';

const forever = new AbortController().signal;
const done = { outcome: 'done' };
const today = dayNumber(new Date().toISOString().slice(0, 10));

let resolution: TestResolution;
let listings: readonly PublishedListing[];
before(async () => {
  resolution = await openResolution();
  const { catalog } = resolution.testWorker.context;
  listings = catalog.of(await onlyCatalog(resolution.database)).listings;
});
after(() => resolution.drop());

/** What the worker and quotes rely on. */
function behavesAsSupply(name: string, home: number, open: (database: Database) => Supply): void {
  describe(`supply › ${name}`, () => {
    let supply: Supply;
    before(() => {
      supply = open(resolution.database);
    });

    /** A submitted booking of nights that the supply says are free. */
    async function freeBooking(): Promise<Booking> {
      const { listingId } = listings[home]!.listing;
      const states = await supply.openNights(listingId, today + 30, 120, forever);
      assert.equal(states.length, 120);
      const at = states.findIndex((_, first) => {
        const stay = states.subarray(first, first + 3);
        return stay.length === 3 && stay.every((state) => state === 1);
      });
      assert.ok(at >= 0);
      const stay = { home, checkIn: at + 30, checkOut: at + 33 };
      return (await resolution.checkout(await resolution.make({ stay }))).checkout;
    }

    const stayOf = ({ quote }: Booking) => ({
      checkIn: dayNumber(quote.checkIn),
      checkOut: dayNumber(quote.checkOut),
    });
    const lookUp = (booking: Booking) => supply.lookUp(booking, forever);

    it('an attempt that never arrived is none', async () => {
      const booking = { ...(await freeBooking()), attemptId: randomUUID() };
      assert.deepEqual(await lookUp(booking), { ...done, stay: 'none' });
    });

    it('a hold that is repeated is one hold; where it keeps nights, others do not get them', async () => {
      const booking = await freeBooking();
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual(await supply.hold(booking, null, forever), done);
      }
      assert.deepEqual(await supply.recheck(booking, forever), done);
      assert.deepEqual(await lookUp(booking), {
        ...done,
        stay: supply.keepsNights ? 'held' : 'none',
      });
      const [checkIn, checkOut] = [stayOf(booking).checkIn, stayOf(booking).checkOut];
      const stay = { home, checkIn: checkIn - today, checkOut: checkOut - today };
      const other = (await resolution.checkout(await resolution.make({ stay }))).checkout;
      const answer = await supply.hold(other, null, forever);
      assert.deepEqual(
        answer,
        supply.keepsNights ? { outcome: 'refused', reason: 'sold_out' } : done,
      );
    });

    it('the nights of a reservation count as free for its own change', async () => {
      const booking = await freeBooking();
      assert.deepEqual(await supply.hold(booking, null, forever), done);
      const stay = stayOf(booking);
      const own = { attemptId: booking.attemptId, stay };
      const read = (mine?: typeof own) =>
        supply.openNights(booking.quote.listingId, stay.checkIn, 3, forever, mine);
      assert.deepEqual([...(await read(own))], [1, 1, 1]);
      assert.equal([...(await read())].includes(1), !supply.keepsNights);
    });

    it('a confirmation that is repeated gives the same answer, and is found', async () => {
      const booking = await freeBooking();
      assert.deepEqual(await supply.hold(booking, null, forever), done);
      const answer = await supply.confirm(booking, forever);
      assert.deepEqual(answer, { ...done, announced: null });
      assert.deepEqual(await supply.confirm(booking, forever), answer);
      const found = await lookUp(booking);
      // Where nights are rows, the statement that writes the outcome confirms them.
      assert.deepEqual(
        found,
        supply.keepsNights
          ? { ...done, stay: 'held' }
          : { ...done, stay: 'confirmed', announced: null },
      );
    });

    it('a release is done, also where nothing was held, and again', async () => {
      const booking = await freeBooking();
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual(await supply.release(booking, forever), done);
      }
    });
  });
}

behavesAsSupply('the own homes', 0, createInventorySupply);
behavesAsSupply('the simulation', 1, createSimulatedSupply);
behavesAsSupply('the supply of the tests that forgets', 2, (database) =>
  forgetfulSupply.changeSupply!(createSimulatedSupply(database), database),
);

/** What search and calendar rely on. */
function behavesAsAvailability(
  name: string,
  open: (database: Database) => Promise<Availability>,
): void {
  describe(`availability › ${name}`, () => {
    it('says the same of a stay by every function', async () => {
      const availability = await open(resolution.database);
      await availability.prepare(listings);
      await availability.follow();
      const first = today + 60;
      const nights = await Promise.all(
        listings.map(({ listing }) =>
          availability.openNights(listing.listingId, first, 14, forever),
        ),
      );
      for (const [from, length] of [
        [0, 1],
        [3, 4],
        [7, 7],
      ] as const) {
        const stay = { checkIn: first + from, checkOut: first + from + length };
        const free = await availability.freeHomes(listings, stay, forever);
        const expected = nights.map((states) =>
          states.subarray(from, from + length).every((state) => state === 1),
        );
        assert.deepEqual(
          listings.map((_, index) => free.isFree(index)),
          expected,
        );
        assert.equal(free.count(), expected.filter(Boolean).length);
        assert.ok(expected.includes(true) && expected.includes(false));
        const named: number[] = [];
        for (let at = free.nextFree(0); at >= 0; at = free.nextFree(at + 1)) named.push(at);
        assert.deepEqual(
          named,
          expected.flatMap((isFree, index) => (isFree ? [index] : [])),
        );
        nights.forEach((states, index) =>
          assert.equal(free.isTaken(index, stay.checkIn), states[from] === 0),
        );
      }
      assert.ok(availability.knownUntil() > 0);
    });
  });
}

behavesAsAvailability('the simulation', async () => simulatedAvailability);
behavesAsAvailability('the index of taken nights', async (database) => {
  await sql(
    database,
    `INSERT INTO occupancies (listing_id, nights, kind, source)
      SELECT home, daterange(date '1970-01-01' + $2::integer, date '1970-01-01' + $3::integer), 'block', 'staff'
      FROM unnest($1::uuid[]) AS home`,
    [listings.slice(3, 30).map(({ listing }) => listing.listingId), today + 60, today + 68],
  );
  return openNightsIndex(database, () => [listings]);
});
