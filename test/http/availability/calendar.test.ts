import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Calendar } from '../../../src/contract/partner/schemas/search.ts';
import { simulationDefinitionVersion } from '../../../src/contract/wire.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import {
  changeHome,
  easyStays,
  homesOf,
  plainPrices,
  plainRates,
  plusDays,
} from '../../harness/catalog.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

let service: TestService;
let partner: Partner;
let homes: Listing[];
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  homes = await homesOf(service);
});
after(() => service.stop());

const calendar = (listingId: string, startDate: string, endDate: string): Promise<Calendar> =>
  partner.succeed('inventory.calendar.get', {
    params: { listingId },
    query: { startDate, endDate },
  });

/** Monday 1 to Sunday 7. */
const weekdayOf = (date: string): number => new Date(date).getUTCDay() || 7;

/** What a quote says of a stay: `quoted`, or the code and reason of its refusal. */
async function quoted(listingId: string, checkIn: string, nights: number): Promise<string> {
  const checkOut = plusDays(checkIn, nights);
  const body = { quoteId: randomUUID(), listingId, checkIn, checkOut, party: { adults: 1 } };
  const reply = await partner.call('reservation.quote.create', { body });
  if (reply.status === 201) return 'quoted';
  const { error } = reply.body as { error: { code: string; details: { reason?: string } } };
  return error.details.reason ?? error.code;
}

suite('inventory.calendar.get', () => {
  // Spec: CALENDAR-1.
  test('200 › one entry a date, both ends included, in order', async () => {
    const { listingId, timeZone } = homes[0]!;
    for (const days of [1, 2, 31, 93]) {
      const [startDate, endDate] = [daysAhead(5), daysAhead(5 + days - 1)];
      const read = await calendar(listingId, startDate, endDate);
      assert.deepEqual(
        read.days.map(({ date }) => date),
        Array.from({ length: days }, (_, at) => plusDays(startDate, at)),
      );
      const { days: _, digest, meta, ...rest } = read;
      const { currency } = homes[0]!;
      assert.deepEqual(rest, { listingId, timeZone, startDate, endDate, currency });
      assert.match(digest, /^[\w-]{43}$/);
      assert.equal(meta.completeness, 'complete');
      assert.equal(meta.definitionVersion, simulationDefinitionVersion);
      assert.ok(Math.abs(Date.now() - Date.parse(meta.asOf ?? '')) < 5_000);
    }
  });

  test('200 › the same nights for any split of the range', async () => {
    const { listingId } = homes[1]!;
    const whole = await calendar(listingId, daysAhead(30), daysAhead(110));
    const parts = [
      await calendar(listingId, daysAhead(30), daysAhead(57)),
      await calendar(listingId, daysAhead(58), daysAhead(110)),
    ];
    assert.deepEqual(
      parts.flatMap(({ days }) => days),
      whole.days,
    );
  });

  // Spec: CALENDAR-2.
  test('200 › days › a night is unavailable if and only if its quote is refused as unavailable', async () => {
    const home = await changeHome(service, partner, homes[2]!, {
      stayRules: easyStays,
      ...plainPrices,
    });
    const { days } = await calendar(home.listingId, daysAhead(2), daysAhead(2 + 92));
    const results = await Promise.all(days.map(({ date }) => quoted(home.listingId, date, 1)));
    assert.deepEqual(
      results,
      days.map(({ available }) => (available ? 'quoted' : 'unavailable')),
    );
    const open = days.filter(({ available }) => available).length;
    assert.ok(open > 20 && open < 85, `${open} of 93 nights are open`);
  });

  test('200 › days › the rules of every kind of home equal those of its quotes', async () => {
    const kinds = Map.groupBy(homes, ({ stayRules }) => JSON.stringify(stayRules));
    const seen = new Set<string>();
    for (const [home] of [...kinds.values()].slice(0, 12)) {
      const { listingId, slug } = home!;
      const { days } = await calendar(listingId, daysAhead(1), daysAhead(75));
      const dayOf = new Map(days.map((day) => [day.date, day]));
      await Promise.all(
        days.slice(0, 40).map(async ({ date, minNights, checkInAllowed }) => {
          const result = await quoted(listingId, date, minNights);
          const description = `${slug} on ${date} for ${minNights}: ${result}`;
          seen.add(result);
          if (!checkInAllowed)
            return assert.match(result, /^(arrival_day|advance_notice)$/, description);
          const last = dayOf.get(plusDays(date, minNights));
          if (last?.checkOutAllowed === false)
            return assert.equal(result, 'departure_day', description);
          const nights = Array.from({ length: minNights }, (_, at) => plusDays(date, at));
          const free = nights.every((night) => dayOf.get(night)?.available);
          assert.equal(result, free ? 'quoted' : 'unavailable', description);
          if (minNights === 1) return;
          assert.equal(
            (await quoted(listingId, date, minNights - 1)).replace('departure_day', 'min_nights'),
            'min_nights',
            description,
          );
        }),
      );
    }
    for (const result of ['quoted', 'unavailable', 'arrival_day', 'advance_notice']) {
      assert.ok(seen.has(result), `no home whose quote says ${result}`);
    }
  });

  // Spec: STAY-4.
  test('200 › days › minNights, checkInAllowed and checkOutAllowed by season and weekday', async () => {
    const startDate = daysAhead(100);
    const seasonFrom = plusDays(startDate, 10);
    const seasonTo = plusDays(startDate, 19);
    const season = { name: 'High', minNights: 5 };
    const home = await changeHome(service, partner, homes[3]!, {
      stayRules: {
        ...easyStays,
        minNights: 2,
        arrivalDays: ['fri', 'sat'],
        departureDays: ['mon', 'sun'],
      },
      ...plainPrices,
      rates: {
        ...plainRates,
        seasons: [{ ...season, from: seasonFrom.slice(5), to: seasonTo.slice(5) }],
      },
    });
    const { days } = await calendar(home.listingId, startDate, plusDays(startDate, 27));
    for (const { date, minNights, checkInAllowed, checkOutAllowed } of days) {
      const inSeason = date >= seasonFrom && date <= seasonTo;
      assert.deepEqual(
        { date, minNights, checkInAllowed, checkOutAllowed },
        {
          date,
          minNights: inSeason ? 5 : 2,
          checkInAllowed: [5, 6].includes(weekdayOf(date)),
          checkOutAllowed: [1, 7].includes(weekdayOf(date)),
        },
      );
    }
  });

  // Spec: CALENDAR-3.
  test('200 › days › no arrival beyond the horizon, and no past night is available', async () => {
    const { listingId } = homes[2]!;
    const past = await calendar(listingId, daysAhead(-60), daysAhead(-2));
    assert.equal(past.days.length, 59);
    for (const day of past.days) {
      assert.deepEqual(
        [day.available, day.checkInAllowed, day.checkOutAllowed],
        [false, false, false],
      );
    }
    const far = await calendar(listingId, daysAhead(732), daysAhead(800));
    assert.ok(far.days.every(({ checkInAllowed, available }) => !checkInAllowed && !available));
    const last = await calendar(listingId, daysAhead(640), daysAhead(728));
    assert.ok(last.days.some(({ checkInAllowed, available }) => checkInAllowed && available));
  });

  test('200 › days › beyond the horizon of the listing nothing is available', async () => {
    const home = await changeHome(service, partner, homes[4]!, {
      timeZone: 'UTC',
      stayRules: { ...easyStays, bookingHorizonDays: 60 },
      ...plainPrices,
    });
    const { days } = await calendar(home.listingId, daysAhead(40), daysAhead(120));
    const ofPart = (from: number, to: number) =>
      days.filter(({ date }) => date >= daysAhead(from) && date <= daysAhead(to));
    assert.ok(ofPart(40, 59).some(({ available }) => available));
    assert.ok(ofPart(40, 59).every(({ checkInAllowed }) => checkInAllowed));
    for (const { available, checkInAllowed, date } of ofPart(62, 120)) {
      assert.deepEqual([available, checkInAllowed], [false, false], date);
    }
  });

  test('200 › days › nothing is available at either end of the calendar', async () => {
    for (const [start, end] of [
      ['0000-01-01', '0000-03-01'],
      ['9999-10-01', '9999-12-31'],
    ] as const) {
      const { days } = await calendar(homes[0]!.listingId, start, end);
      assert.deepEqual([days[0]?.date, days.at(-1)?.date], [start, end]);
      assert.ok(days.every(({ available, checkInAllowed }) => !available && !checkInAllowed));
    }
  });

  test('200 › Cache-Control › no-store', async () => {
    const { headers } = await partner.call('inventory.calendar.get', {
      params: { listingId: homes[0]!.listingId },
      query: { startDate: daysAhead(1), endDate: daysAhead(2) },
    });
    assert.equal(headers.get('cache-control'), 'no-store');
  });

  const from = daysAhead(10);
  const wrong: [query: string, paths: string[]][] = [
    ['', ['query/endDate', 'query/startDate']],
    [`startDate=${from}`, ['query/endDate']],
    [`startDate=&endDate=${from}`, ['query/startDate']],
    [`startDate=2027-02-30&endDate=2027-03-02`, ['query/startDate']],
    [`startDate=${from}&endDate=${from}T00:00`, ['query/endDate']],
    [`startDate=tomorrow&endDate=${from}`, ['query/startDate']],
    [`startDate=${from}&endDate=${daysAhead(9)}`, ['query/endDate']],
    [`startDate=${from}&endDate=${daysAhead(10 + 93)}`, ['query/endDate']],
    [`startDate=${from}&endDate=${from}&limit=5`, ['query/limit']],
  ];
  for (const [query, paths] of wrong) {
    test(`400 invalid_input › ${query.replaceAll(/20\d\d-\d\d-\d\d/g, 'DATE') || 'no dates'}`, async () => {
      const params = { listingId: homes[0]!.listingId };
      const error = await partner.refused('inventory.calendar.get', { params, query });
      assert.equal(error.code, 'invalid_input');
      assert.deepEqual(wrongPaths(error).toSorted(), paths);
    });
  }

  test('404 not_found › no such home; a wrong range comes first', async () => {
    const params = { listingId: randomUUID() };
    const query = { startDate: from, endDate: daysAhead(12) };
    const error = await partner.refused('inventory.calendar.get', { params, query });
    assert.equal(error.code, 'not_found');
    const both = await partner.refused('inventory.calendar.get', {
      params,
      query: { startDate: from, endDate: daysAhead(9) },
    });
    assert.equal(both.code, 'invalid_input');
  });
});
