import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import type { Calendar } from '../../../src/contract/partner/schemas/search.ts';
import type { Listing } from '../../../src/pricing/rules/listing.ts';
import { changeHome, easyStays, homesOf, plainPrices, plusDays } from '../../harness/catalog.ts';
import { daysAhead, type Partner } from '../../harness/partner.ts';
import { quotaOf } from '../../harness/quota.ts';
import { startTestService, type TestService } from '../../harness/service.ts';
import { wrongPaths } from '../../harness/wrong-paths.ts';

const list = 'inventory.calendar.list';

/** The digest as a partner computes it, without code of ours: members sorted by name (RFC 8785). */
function digestOf({ currency, days }: Calendar): string {
  const sorted = (value: object): object =>
    Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const text = JSON.stringify({ currency, days: days.map(sorted) });
  return createHash('sha256').update(text).digest('base64url');
}

suite(list, () => {
  let service: TestService;
  let partner: Partner;
  let homes: Listing[];
  const range = { startDate: daysAhead(5), endDate: daysAhead(40) };
  before(async () => {
    service = await startTestService({ LATCHKEY_ROLES: 'api' });
    partner = await service.partner();
    homes = await homesOf(service);
  });
  after(() => service.stop());

  const read = (listingIds: string[], who = partner) =>
    who.succeed(list, { body: { listingIds, ...range } }, 200);

  const withoutMeta = ({ meta: _, ...calendar }: Calendar) => calendar;

  // Spec: CALENDAR-6.
  test('200 › in the order of the request, each as in the single read', async () => {
    const ids = homes.slice(0, 25).map(({ listingId }) => listingId);
    const asked = [...ids.slice(3), ...ids.slice(0, 3)];
    const { items, missing } = await read(asked);
    assert.deepEqual(missing, []);
    assert.deepEqual(
      items.map(({ listingId }) => listingId),
      asked,
    );
    for (const calendar of items.slice(0, 4)) {
      const params = { listingId: calendar.listingId };
      const single = await partner.succeed('inventory.calendar.get', { params, query: range });
      assert.deepEqual(withoutMeta(calendar), withoutMeta(single));
    }
  });

  test('200 › homes that do not exist for the application are missing', async () => {
    const [unknown, known] = [randomUUID(), homes[0]!.listingId];
    const { items, missing } = await read([unknown, known.toUpperCase()]);
    assert.deepEqual(missing, [unknown]);
    assert.deepEqual(
      items.map(({ listingId }) => listingId),
      [known],
    );
  });

  // Spec: CALENDAR-5.
  test('200 › the digest is what a partner computes over currency and days', async () => {
    const { items } = await read(homes.slice(0, 10).map(({ listingId }) => listingId));
    for (const calendar of items) assert.equal(calendar.digest, digestOf(calendar));
  });

  test('200 › one call of the tier search, for any number of homes', async () => {
    const few = await service.partner({ quotas: { search: 6 } });
    const leftAfter = async (count: number): Promise<number> => {
      const listingIds = homes.slice(0, count).map(({ listingId }) => listingId);
      return quotaOf(await few.call(list, { body: { listingIds, ...range } })).remaining;
    };
    assert.equal((await leftAfter(1)) - (await leftAfter(25)), 1);
  });

  // Spec: CALENDAR-4.
  test('200 › prices are those of the nights of a quote, with the channel adjustment', async () => {
    const listing = await changeHome(service, partner, homes[1]!, {
      ...plainPrices,
      stayRules: easyStays,
    });
    const dearer = await service.partner({ adjustPercent: 10 });
    for (const who of [partner, dearer]) {
      const [calendar] = (await read([listing.listingId], who)).items;
      const free = calendar!.days.findIndex(
        ({ available }, at) => available && calendar!.days[at + 1]?.available,
      );
      assert.ok(free >= 0);
      const checkIn = calendar!.days[free]!.date;
      const { charges } = await who.succeed(
        'reservation.quote.create',
        {
          body: {
            quoteId: randomUUID(),
            listingId: listing.listingId,
            checkIn,
            checkOut: plusDays(checkIn, 2),
            party: { adults: 1 },
          },
        },
        201,
      );
      assert.equal(calendar!.currency, charges.currency);
      assert.deepEqual(
        charges.nights.map(({ amount }) => amount),
        calendar!.days.slice(free, free + 2).map(({ price }) => price),
      );
      assert.equal(calendar!.days[free]!.maxNights, listing.stayRules.maxNights);
    }
  });

  const id = randomUUID();
  const many = Array.from({ length: 26 }, () => randomUUID());
  const wrong: [what: string, body: object, path: string][] = [
    ['no home', { listingIds: [] }, '/listingIds'],
    ['26 homes', { listingIds: many }, '/listingIds'],
    ['a home twice', { listingIds: [id, id.toUpperCase()] }, '/listingIds/1'],
    ['no UUID', { listingIds: ['casa'] }, '/listingIds/0'],
    ['94 days', { listingIds: [id], endDate: daysAhead(98) }, '/endDate'],
    ['the end before the start', { listingIds: [id], endDate: daysAhead(4) }, '/endDate'],
    ['a date that does not exist', { listingIds: [id], startDate: '2027-02-30' }, '/startDate'],
    ['an unknown member', { listingIds: [id], limit: 5 }, '/limit'],
  ];
  for (const [what, body, path] of wrong) {
    test(`400 invalid_input › ${what}`, async () => {
      const error = await partner.refused(list, {
        rawBody: JSON.stringify({ ...range, ...body }),
      });
      assert.deepEqual([error.status, error.code], [400, 'invalid_input']);
      assert.deepEqual(wrongPaths(error), [path]);
    });
  }
});
