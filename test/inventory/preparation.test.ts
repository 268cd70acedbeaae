/** Nights of preparation after stays: partners never get them, also when many book at once. Spec: STAY-8. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { removeOutsideStay } from '../../src/channels/outside-stays.ts';
import { moveNights, readPreparation } from '../../src/inventory/index.ts';
import { blockChannelNights } from '../../src/inventory/store/channel-nights.ts';
import { dayNumber } from '../../src/pricing/rules/calendar-date.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import { changeHome, easyStays, homesOf, plainPrices } from '../harness/catalog.ts';
import { daysAhead, type Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';
import { addCalendar, putOutsideStay } from '../harness/acts.ts';

const preparationNights = 2;

suite('preparation', () => {
  let service: TestService;
  let partner: Partner;
  let home: Listing;
  let other: Listing;

  before(async () => {
    service = await startTestService(ownHomes);
    partner = await service.partner();
    const [any, next] = await homesOf(service);
    const stayRules = { ...easyStays, preparationNights };
    home = await changeHome(service, partner, any!, { ...plainPrices, stayRules });
    const gaps = { ...easyStays, minNights: 5, gapMinNights: 2, preparationNights: 1 };
    other = await changeHome(service, partner, next!, { ...plainPrices, stayRules: gaps });
  });
  after(() => service.stop());

  const stayAt = (from: number, to: number, listing = home) => ({
    listingId: listing.listingId,
    checkIn: daysAhead(from),
    checkOut: daysAhead(to),
    party: { adults: 2 },
  });

  const quoteOf = (from: number, to: number, listing = home) =>
    partner.call('reservation.quote.create', {
      body: { quoteId: randomUUID(), ...stayAt(from, to, listing) },
    });

  /** What a quote and a search say; they must agree. */
  async function canBook(from: number, to: number, listing = home): Promise<boolean> {
    const { status } = await quoteOf(from, to, listing);
    const { listingId, ...stay } = stayAt(from, to, listing);
    const { items } = await partner.succeed('distribution.listing.search', {
      body: { ...stay, limit: 50 },
    });
    const isFound = items.some((item) => item.listing.listingId === listingId);
    assert.equal(isFound, status === 201, `${from} to ${to}: ${status}`);
    return status === 201;
  }

  const calendarOf = async ({ slug }: Listing): Promise<string> => {
    const calendar = { listing: slug, url: 'https://channel.example/home.ics' };
    const rules = { loopbackAllowed: false };
    return (await addCalendar(service.database, 'test', calendar, rules)).calendarId;
  };

  async function take(kind: 'stay' | 'block', from: number, to: number, listing = home) {
    const columns = kind === 'block' ? `'block', 'staff'` : `'block', 'channel'`;
    await sql(
      service.database,
      `INSERT INTO occupancies (listing_id, nights, kind, source)
        VALUES ($1, daterange($2::date, $3::date), ${columns})`,
      [listing.listingId, daysAhead(from), daysAhead(to)],
    );
  }

  // Spec: STAY-8.
  test('a stay keeps its distance in both directions; a block of the operator needs none', async () => {
    await take('stay', 100, 105);
    await take('block', 120, 125);
    await service.follow();
    const asked = [
      [105, 108],
      [106, 108],
      [107, 109],
      [97, 100],
      [96, 99],
      [96, 98],
      [117, 120],
      [125, 127],
    ] as const;
    const booked: boolean[] = [];
    for (const [from, to] of asked) booked.push(await canBook(from, to));
    assert.deepEqual(booked, [false, false, true, false, false, true, true, true]);
  });

  test('a refusal names the nights of its own preparation that are taken', async () => {
    const detailsOf = ({ body }: { body: unknown }) => {
      const { error } = body as { error: { details: { reason: string; nights: string[] } } };
      return [error.details.reason, error.details.nights];
    };
    assert.deepEqual(detailsOf(await quoteOf(97, 99)), ['unavailable', [daysAhead(100)]]);
    assert.deepEqual(detailsOf(await quoteOf(106, 108)), ['unavailable', [daysAhead(106)]]);
  });

  test('the calendar has no preparation nights, and no departure without room for them', async () => {
    const { days } = await partner.succeed('inventory.calendar.get', {
      params: { listingId: home.listingId },
      query: { startDate: daysAhead(97), endDate: daysAhead(108) },
    });
    assert.deepEqual(
      days.map(({ available }) => available),
      [true, true, true, false, false, false, false, false, false, false, true, true],
    );
    assert.deepEqual(
      days.slice(0, 4).map(({ checkOutAllowed }) => checkOutAllowed),
      [true, true, false, false],
    );
  });

  // Spec: STAY-7.
  test('a gap is filled exactly when the preparation reaches what comes next', async () => {
    await take('stay', 100, 105, other);
    await take('stay', 110, 115, other);
    await take('block', 120, 125, other);
    await service.follow();
    // 106 to 109 and a night of preparation; 106 to 108 would leave a night.
    assert.deepEqual(
      [await canBook(106, 109, other), await canBook(106, 108, other)],
      [true, false],
    );
    // The preparation may lie on the block, or end before it.
    assert.deepEqual(
      [
        await canBook(116, 120, other),
        await canBook(116, 119, other),
        await canBook(116, 118, other),
      ],
      [true, true, false],
    );
  });

  test('with another rule the nights around the same stays change', async () => {
    const stayRules = { ...easyStays, preparationNights: 0 };
    home = await changeHome(service, partner, home, { ...plainPrices, stayRules });
    await service.follow();
    assert.deepEqual([await canBook(105, 108), await canBook(97, 100)], [true, true]);
    home = await changeHome(service, partner, home, {
      ...plainPrices,
      stayRules: { ...easyStays, preparationNights },
    });
    await service.follow();
    assert.deepEqual([await canBook(105, 108), await canBook(97, 100)], [false, false]);
  });

  test('a stay that staff move shortens a preparation, and gives it back when it leaves', async () => {
    const confirm = async (from: number, to: number): Promise<string> => {
      const id = randomUUID();
      await sql(
        service.database,
        `INSERT INTO occupancies (occupancy_id, listing_id, nights, kind, application_id, booking_kind,
          booking_id, reference)
        VALUES ($1, $2, daterange($3::date, $4::date), 'confirmed', $1, 'checkout', $1, $5)`,
        [id, home.listingId, daysAhead(from), daysAhead(to), `LK-${id}`],
      );
      return id;
    };
    const move = (id: string, from: number, to: number) => {
      const nights = { checkIn: dayNumber(daysAhead(from)), checkOut: dayNumber(daysAhead(to)) };
      return service.database.transaction((executor) =>
        moveNights(executor, id, home.listingId, nights),
      );
    };
    const prepared = async () => {
      const found = await readPreparation(
        service.database,
        home.listingId,
        dayNumber(daysAhead(145)),
      );
      return found.map(({ from, to }) => [from, to].map((day) => day - dayNumber(daysAhead(0))));
    };
    await confirm(150, 153);
    const guest2 = await confirm(160, 163);
    assert.deepEqual(await prepared(), [
      [153, 155],
      [163, 165],
    ]);
    assert.equal(await move(guest2, 154, 157), 'moved');
    await service.follow();
    assert.deepEqual(await prepared(), [
      [153, 154],
      [157, 159],
    ]);
    assert.deepEqual([await canBook(153, 154), await canBook(159, 161)], [false, true]);
    assert.equal(await move(guest2, 152, 156), 'taken', 'nights of a stay are never shared');
    assert.equal(await move(guest2, 155, 158), 'moved');
    assert.equal(await move(guest2, 160, 163), 'moved');
    await service.follow();
    assert.deepEqual(await prepared(), [
      [153, 155],
      [163, 165],
    ]);
    assert.deepEqual([await canBook(154, 156), await canBook(155, 158)], [false, true]);
  });

  test('what a channel sells shortens a preparation, and gives it back', async () => {
    const blocked = async () =>
      blockChannelNights(
        service.database,
        { listingId: home.listingId, calendarId: await calendarOf(home) },
        [{ uid: 'sold', from: dayNumber(daysAhead(154)), to: dayNumber(daysAhead(157)) }],
      );
    assert.equal(await blocked(), 1);
    assert.equal(await blocked(), 0, 'nights of an event are never shared');
    await service.follow();
    // The preparation after the event begins where it ends.
    assert.deepEqual([await canBook(157, 158), await canBook(159, 160)], [false, false]);
    await sql(service.database, `DELETE FROM occupancies WHERE event_uid = 'sold'`);
    await service.follow();
    assert.deepEqual([await canBook(154, 156), await canBook(155, 158)], [false, true]);
  });

  test('what another system sells has a preparation, and takes the preparation of a stay', async () => {
    const name = { source: 'pms', externalId: 'prepared' };
    const nights = { from: daysAhead(154), to: daysAhead(157), reason: null };
    const input = { listing: home.listingId, ...nights };
    const { stay } = await putOutsideStay(service.database, 'test', name, input);
    assert.deepEqual(stay.conflicts, []);
    await service.follow();
    assert.deepEqual([await canBook(157, 158), await canBook(159, 160)], [false, false]);
    await removeOutsideStay(service.database, 'test', name);
    await service.follow();
    assert.deepEqual([await canBook(154, 156), await canBook(155, 158)], [false, true]);
  });

  test('of many bookings at once none has the preparation of another', async () => {
    const bodies = Array.from({ length: 40 }, (_, at) => {
      const from = 200 + ((at * 7) % 60);
      return { quoteId: randomUUID(), ...stayAt(from, from + 2 + (at % 4)) };
    });
    const quotes = await Promise.all(
      bodies.map((body) => partner.succeed('reservation.quote.create', { body })),
    );
    await Promise.all(quotes.map((quote) => partner.request(quote)));
    const open = `SELECT count(*)::integer AS open FROM bookings WHERE state NOT IN ('confirmed', 'failed')`;
    for (let tries = 0; ; tries += 1) {
      const [row] = await sql<{ open: number }>(service.database, open);
      if (row!.open === 0) break;
      assert.ok(tries < 1_200, `${row!.open} are not resolved`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const stays = await sql<{ first: string; after_last: string }>(
      service.database,
      `SELECT lower(nights)::text AS first, upper(nights)::text AS after_last FROM occupancies
        WHERE kind = 'confirmed' AND listing_id = $1 ORDER BY lower(nights)`,
      [home.listingId],
    );
    assert.ok(stays.length > 4, `${stays.length} stays`);
    stays.slice(1).forEach(({ first }, at) => {
      const distance = dayNumber(first) - dayNumber(stays[at]!.after_last);
      assert.ok(distance >= preparationNights, `${distance} nights before ${first}`);
    });
  });
});
