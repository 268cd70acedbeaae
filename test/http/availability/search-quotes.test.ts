import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import * as fc from 'fast-check';
import type { ReplyOf } from '../../../src/contract/partner/operations.ts';
import type { PartyInput } from '../../../src/contract/partner/schemas/primitives.ts';
import type { Quote } from '../../../src/contract/partner/schemas/quote.ts';
import { homesOf, plusDays } from '../../harness/catalog.ts';
import { daysAhead, type CallReply, type Partner } from '../../harness/partner.ts';
import { startTestService, type TestService } from '../../harness/service.ts';

interface Asked {
  checkIn: string;
  checkOut: string;
  party: PartyInput;
}

const quotesAtOnce = 20;

let service: TestService;
let partner: Partner;
before(async () => {
  service = await startTestService();
  partner = await service.partner();
});
after(() => service.stop());

type Price = { total: number | null; currency: string | null };

/** What a search finds, by home; null where it refuses the dates, which are wrong wherever on earth. */
async function found(asked: Asked): Promise<Map<string, Price> | null> {
  const results = new Map<string, Price>();
  for (let cursor: string | null | undefined; cursor !== null;) {
    const body = { ...asked, limit: 50, ...(cursor !== undefined && { cursor }) };
    const reply = await partner.call('distribution.listing.search', { body });
    if (reply.status === 400) return null;
    assert.equal(reply.status, 200, reply.text);
    const page = reply.body as ReplyOf<'distribution.listing.search'>['body'];
    for (const { listing, ...price } of page.items) results.set(listing.listingId, price);
    cursor = page.nextCursor;
  }
  return results;
}

const quoteOf = (listingId: string, asked: Asked): Promise<CallReply> =>
  partner.call('reservation.quote.create', {
    body: { quoteId: randomUUID(), listingId, ...asked },
  });

/** For every home of the catalog: a result if and only if a quote is made, with the quote's total. */
async function agree(asked: Asked): Promise<number> {
  const results = await found(asked);
  const homes = await homesOf(service);
  const check = async ({ listingId, slug }: (typeof homes)[number]): Promise<void> => {
    const reply = await quoteOf(listingId, asked);
    const description = `${slug}: ${reply.text}`;
    if (!results) return assert.equal(reply.status, 400, description);
    assert.equal(results.has(listingId), reply.status === 201, description);
    if (reply.status !== 201) return assert.ok([400, 409, 422].includes(reply.status), description);
    const { charges } = reply.body as Quote;
    const { total, currency } = charges;
    assert.deepEqual(results.get(listingId), { total, currency }, description);
  };
  // All at once, the last would wait too long for a connection, and be refused as unavailable.
  for (let from = 0; from < homes.length; from += quotesAtOnce) {
    await Promise.all(homes.slice(from, from + quotesAtOnce).map(check));
  }
  return results?.size ?? 0;
}

const guests = (max: number) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max }) },
  );

// Mostly stays that many homes take; the ends of what may be booked are met below.
const stays = fc
  .record({
    ahead: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 13, max: 400 })),
    nights: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 2, max: 8 }) },
      { weight: 1, arbitrary: fc.constantFrom(1, 14, 28, 29) },
    ),
    adults: fc.integer({ min: 1, max: 8 }),
    children: guests(3),
    infants: guests(2),
    pets: guests(3),
  })
  .map(({ ahead, nights, ...party }) => ({
    checkIn: daysAhead(ahead),
    checkOut: daysAhead(ahead + nights),
    party,
  }));

suite('distribution.listing.search', () => {
  // Spec: SEARCH-1.
  test('200 › items › exactly the homes that a quote accepts, with its total', async () => {
    let results = 0;
    await fc.assert(
      fc.asyncProperty(stays, async (asked) => {
        results += await agree(asked);
      }),
      { numRuns: 10, endOnFailure: true },
    );
    assert.ok(results > 5, `only ${results} results in all: nothing was compared`);
  });

  test('200 › items › the same for weeks from Saturday, when weekly homes allow arrival', async () => {
    const toSaturday = (6 - new Date().getUTCDay() + 7) % 7;
    const checkIn = daysAhead(toSaturday + 70);
    assert.ok(
      (await agree({ checkIn, checkOut: plusDays(checkIn, 7), party: { adults: 2 } })) > 10,
    );
  });

  for (const ahead of [-1, 0, 1, 729, 730, 731]) {
    test(`200 › items › the same for a check-in ${ahead} days from today in UTC`, async () => {
      const asked = {
        checkIn: daysAhead(ahead),
        checkOut: daysAhead(ahead + 3),
        party: { adults: 1 },
      };
      await agree(asked);
    });
  }
});
