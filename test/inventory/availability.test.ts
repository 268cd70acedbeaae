/** Search, calendar and quotes on the operator's own nights. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { addBlocks, removeBlock } from '../../src/inventory/index.ts';
import type { Listing } from '../../src/pricing/rules/listing.ts';
import type { ReplyOf } from '../../src/contract/partner/operations.ts';
import type { SearchListings } from '../../src/contract/partner/schemas/search.ts';
import {
  changeHomes,
  easyStays,
  homesOf,
  plainPrices,
  plainRates,
  withdrawHomes,
  writeListings,
} from '../harness/catalog.ts';
import { daysAhead, guest, type Partner } from '../harness/partner.ts';
import { sql } from '../harness/rows.ts';
import { ownHomes, startTestService, type TestService } from '../harness/service.ts';

suite('availability of own homes', () => {
  let service: TestService;
  let partner: Partner;
  let homes: Listing[];

  before(async () => {
    service = await startTestService(ownHomes);
    partner = await service.partner();
    const party = { children: true, infants: true, maxPets: 9 };
    homes = await changeHomes(
      service,
      partner,
      (await homesOf(service)).map(
        (home) => [home, { ...plainPrices, stayRules: easyStays, party, sleeps: 8 }] as const,
      ),
    );
  });
  after(() => service.stop());

  const party = { adults: 2 };
  const stayOf = (from: number, nights: number) => ({
    checkIn: daysAhead(40 + from),
    checkOut: daysAhead(40 + from + nights),
    party,
  });

  const block = (listingId: string, from: number, nights: number) =>
    addBlocks(service.database, [
      {
        listingId,
        from: daysAhead(40 + from),
        to: daysAhead(40 + from + nights),
        reason: null,
        source: 'staff',
      },
    ]);

  /** The homes that a search finds, on pages of this size. */
  async function found(stay: Omit<SearchListings, 'limit'>, limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | null = null; ;) {
      const body: SearchListings = { ...stay, limit, ...(cursor !== null && { cursor }) };
      const page: ReplyOf<'distribution.listing.search'>['body'] = await partner.succeed(
        'distribution.listing.search',
        { body },
      );
      ids.push(...page.items.map(({ listing }) => listing.listingId));
      assert.ok(page.items.length === limit || page.nextCursor === null);
      cursor = page.nextCursor;
      if (cursor === null) return ids;
    }
  }

  const quoted = (listingId: string, stay: ReturnType<typeof stayOf>) =>
    partner.call('reservation.quote.create', {
      body: { quoteId: randomUUID(), listingId, ...stay },
    });

  async function calendar(listingId: string, from: number, days: number): Promise<boolean[]> {
    const query = { startDate: daysAhead(40 + from), endDate: daysAhead(40 + from + days - 1) };
    const read = await partner.succeed('inventory.calendar.get', { params: { listingId }, query });
    assert.equal(read.meta.definitionVersion, 'latchkey-inventory/1');
    return read.days.map(({ available }) => available);
  }

  // Spec: SEARCH-1.
  test('search, calendar and quotes agree with the nights that are taken', async () => {
    const taken = fc.array(
      fc.record({ home: fc.nat(9), from: fc.nat(20), nights: fc.integer({ min: 1, max: 6 }) }),
      { maxLength: 40 },
    );
    const asked = fc.record({
      from: fc.nat(20),
      nights: fc.integer({ min: 1, max: 7 }),
      limit: fc.integer({ min: 1, max: 50 }),
    });
    await fc.assert(
      fc.asyncProperty(taken, asked, async (blocks, { from, nights, limit }) => {
        await sql(service.database, 'DELETE FROM occupancies');
        const isTaken = homes.map(() => new Set<number>());
        for (const { home, from: first, nights: length } of blocks) {
          const added = await block(homes[home]!.listingId, first, length);
          if (added.outcome === 'taken') continue;
          for (let at = first; at < first + length; at += 1) isTaken[home]!.add(at);
        }
        await service.follow();
        const all = Array.from({ length: nights }, (_, at) => from + at);
        const isFree = (home: number): boolean => all.every((at) => !isTaken[home]!.has(at));
        const stay = stayOf(from, nights);
        const expected = homes.filter((_, home) => isFree(home));
        assert.deepEqual(
          await found(stay, limit),
          expected.map(({ listingId }) => listingId),
        );
        for (const home of [0, 1, 2]) {
          const { listingId } = homes[home]!;
          const { status } = await quoted(listingId, stay);
          assert.equal(status, isFree(home) ? 201 : 409);
          const days = await calendar(listingId, 0, 30);
          assert.deepEqual(
            days,
            days.map((_, at) => !isTaken[home]!.has(at)),
          );
        }
      }),
      { numRuns: 25 },
    );
  });

  for (const [where, ahead, nights] of [
    ['the first', 0, 2],
    ['the last', 730, 90],
  ] as const) {
    test(`flexDays › shifts beyond ${where} day that can be booked are left out`, async () => {
      await sql(service.database, 'DELETE FROM occupancies');
      await service.follow();
      const dates = { checkIn: daysAhead(ahead), checkOut: daysAhead(ahead + nights) };
      const body = { ...dates, party, flexDays: 3, limit: 50 };
      const { items } = await partner.succeed('distribution.listing.search', { body });
      assert.ok(items.length > 0);
    });
  }

  const changes = {
    block: ({ listingId }: Listing) => block(listingId, 0, 3),
    price: (home: Listing) =>
      writeListings(service.database, [{ ...home, rates: { ...plainRates, nightly: 9_000 } }]),
    withdraw: ({ listingId }: Listing) => withdrawHomes(service.database, [listingId]),
  };

  // Spec: SEARCH-9.
  test('what changes between two pages neither repeats nor skips another home', async () => {
    const priced = homes.map((home, at) => {
      return { ...home, rates: { ...plainRates, nightly: 10_000 + 500 * (at % 7) } };
    });
    const reset = async () => {
      await sql(service.database, 'DELETE FROM occupancies');
      await writeListings(service.database, priced);
      await service.follow();
    };
    await reset();
    const change = fc.record({
      home: fc.nat(homes.length - 1),
      does: fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    });
    const steps = fc.array(change, { minLength: 5, maxLength: 10 });
    const sorts = fc.constantFrom('position' as const, 'total' as const);
    const stay = stayOf(0, 3);
    const search = 'distribution.listing.search';
    await fc.assert(
      fc
        .asyncProperty(steps, sorts, fc.integer({ min: 3, max: 9 }), async (all, sort, limit) => {
          const changed = new Set<string>();
          const seen: string[] = [];
          const body = { ...stay, sort, limit };
          const expected = await found({ ...stay, sort }, 50);
          let page = await partner.succeed(search, { body });
          for (const next of [...all, ...Array.from({ length: homes.length }, () => null)]) {
            seen.push(...page.items.map(({ listing }) => listing.listingId));
            if (page.nextCursor === null) break;
            if (next) {
              const home = priced[next.home]!;
              changed.add(home.listingId);
              await changes[next.does](home);
              await service.follow();
            }
            page = await partner.succeed(search, { body: { ...body, cursor: page.nextCursor } });
          }
          assert.equal(page.nextCursor, null);
          assert.deepEqual(
            seen.filter((id) => !changed.has(id)),
            expected.filter((id) => !changed.has(id)),
          );
        })
        .afterEach(reset),
      { numRuns: 6 },
    );
  });

  test('a quote whose nights are taken stays a quote, and its request fails with sold_out', async () => {
    await sql(service.database, 'DELETE FROM occupancies');
    const { listingId } = homes[0]!;
    const stay = stayOf(60, 3);
    const reply = await quoted(listingId, stay);
    assert.equal(reply.status, 201);
    const quote = reply.body as { quoteId: string; terms: { version: string } };
    const added = await block(listingId, 61, 1);
    assert.equal(added.outcome, 'added');
    const again = await partner.call('reservation.quote.create', {
      body: { quoteId: quote.quoteId, listingId, ...stay },
    });
    assert.equal(again.status, 200, 'the quote is still there');
    const { created, at } = await partner.checkout(reply.body as never);
    await partner.succeed('reservation.checkout.saveGuest', {
      ...at,
      body: { expectedVersion: 1, guest: guest() },
    });
    await partner.succeed('reservation.checkout.submit', {
      ...at,
      body: { expectedVersion: 2, termsVersion: quote.terms.version, termsAccepted: true },
    });
    const open = { created, at } as Parameters<Partner['statusOnce']>[0];
    const status = await partner.statusOnce(open, ['failed', 'confirmed']);
    assert.deepEqual([status.state, status.failure?.reason], ['failed', 'sold_out']);
    assert.deepEqual(status.nextActions, ['refresh_quote']);
    await removeBlock(service.database, added.outcome === 'added' ? added.blocks[0]!.blockId : '');
    assert.equal((await quoted(listingId, stay)).status, 201);
  });
});
