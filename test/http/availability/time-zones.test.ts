import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Calendar } from '../../../src/contract/partner/schemas/search.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import { changeHomes, easyStays, homesOf, plainPrices, plusDays } from '../../harness/catalog.ts';
import type { CallReply, Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

// Between them it is never the same day: at any moment one of them differs from UTC.
const zones = ['Etc/GMT+12', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Asia/Kathmandu', null];

let service: TestService;
let partner: Partner;
const homes = new Map<string | null, Listing>();
before(async () => {
  service = await startTestService();
  partner = await service.partner();
  const kept = await homesOf(service);
  const easy = { stayRules: easyStays, ...plainPrices, sleeps: null };
  const changed = await changeHomes(
    service,
    partner,
    zones.map((timeZone, at) => [kept[at]!, { ...easy, timeZone }]),
  );
  for (const home of changed) homes.set(home.timeZone, home);
});
after(() => service.stop());

/** The date at a place, by the calendar that the platform knows; UTC where none is named. */
const todayIn = (timeZone: string | null): string =>
  Temporal.Now.plainDateISO(timeZone ?? 'UTC').toString();

function quote(listingId: string, checkIn: string, nights = 1): Promise<CallReply> {
  const checkOut = plusDays(checkIn, nights);
  const body = { quoteId: randomUUID(), listingId, checkIn, checkOut, party: { adults: 1 } };
  return partner.call('reservation.quote.create', { body });
}

async function isFound(listingId: string, checkIn: string): Promise<boolean> {
  const checkOut = plusDays(checkIn, 1);
  for (let cursor: string | null | undefined; cursor !== null;) {
    const stay = { checkIn, checkOut, party: { adults: 1 }, limit: 50 };
    const body = { ...stay, ...(cursor !== undefined && { cursor }) };
    const reply = await partner.call('distribution.listing.search', { body });
    if (reply.status === 400) return false;
    const page = reply.body as {
      items: { listing: { listingId: string } }[];
      nextCursor: string | null;
    };
    if (page.items.some(({ listing }) => listing.listingId === listingId)) return true;
    cursor = page.nextCursor;
  }
  return false;
}

const dayOf = (calendar: Calendar, date: string) => calendar.days.find((day) => day.date === date)!;

suite('today at the property', () => {
  for (const timeZone of zones) {
    const where = timeZone ?? 'null, which is UTC';

    // Spec: CALL-16.
    test(`calendar, quote and search agree on the first day › ${where}`, async () => {
      const { listingId } = homes.get(timeZone)!;
      const today = todayIn(timeZone);
      const [yesterday, tomorrow] = [plusDays(today, -1), plusDays(today, 1)];
      const calendar = await partner.succeed('inventory.calendar.get', {
        params: { listingId },
        query: { startDate: yesterday, endDate: tomorrow },
      });
      assert.equal(calendar.timeZone, timeZone);

      assert.equal(dayOf(calendar, yesterday).checkInAllowed, false);
      assert.equal(dayOf(calendar, yesterday).available, false);
      const past = await quote(listingId, yesterday);
      assert.equal(past.status, 400, past.text);
      assert.match(past.text, /"\/checkIn"/);
      assert.equal(await isFound(listingId, yesterday), false);

      assert.equal(dayOf(calendar, today).checkInAllowed, true);
      assert.equal(dayOf(calendar, today).checkOutAllowed, false, 'no stay can end today');
      assert.equal(dayOf(calendar, tomorrow).checkOutAllowed, true);
      for (const date of [today, tomorrow]) {
        const { available } = dayOf(calendar, date);
        assert.equal((await quote(listingId, date)).status, available ? 201 : 409);
        assert.equal(await isFound(listingId, date), available);
      }
    });

    test(`calendar and quote agree on the last day › ${where}`, async () => {
      const { listingId } = homes.get(timeZone)!;
      const last = plusDays(todayIn(timeZone), 730);
      const calendar = await partner.succeed('inventory.calendar.get', {
        params: { listingId },
        query: { startDate: last, endDate: plusDays(last, 1) },
      });
      const allowed = calendar.days.map(({ checkInAllowed }) => checkInAllowed);
      assert.deepEqual(allowed, [true, false]);
      const response = await quote(listingId, last);
      assert.equal(response.status, calendar.days[0]!.available ? 201 : 409, response.text);
      assert.equal((await quote(listingId, plusDays(last, 1))).status, 400);
    });
  }

  // Spec: STAY-9.
  test('advance notice counts from the day at the property', async () => {
    const stayRules = { ...easyStays, advanceNoticeDays: 3 };
    const changed = await changeHomes(
      service,
      partner,
      ['Etc/GMT+12', 'Pacific/Kiritimati'].map((zone) => [homes.get(zone)!, { stayRules }]),
    );
    for (const { listingId, timeZone } of changed) {
      const today = todayIn(timeZone);
      const calendar = await partner.succeed('inventory.calendar.get', {
        params: { listingId },
        query: { startDate: today, endDate: plusDays(today, 4) },
      });
      const allowed = calendar.days.map(({ checkInAllowed }) => checkInAllowed);
      assert.deepEqual(allowed, [false, false, false, true, true], String(timeZone));
      const refused = await quote(listingId, plusDays(today, 2));
      assert.match(refused.text, /"advance_notice"/);
      assert.doesNotMatch((await quote(listingId, plusDays(today, 3))).text, /"advance_notice"/);
    }
  });
});
