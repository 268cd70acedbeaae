/** A guest as partners see most of them: looks at many homes, and seldom books. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyOf } from '../../src/contract/partner/operations.ts';
import { Surprise, type CarefulClient } from '../faults/careful-client.ts';
import { book, type Stay } from '../faults/guests.ts';
import type { Chance } from '../faults/random.ts';
import type { GuestRun } from '../faults/workload.ts';
import { daysAhead } from '../harness/partner.ts';

/** How guests behave. */
export interface Shopping {
  /** The average time between two calls of a guest, in milliseconds. */
  pauseMs: number;
  /** The code that some guests apply. */
  promotionCode: string;
}

// From the search to the booking: of a hundred guests 25 want a price, and 10 book.
const quotes = 0.25;
const books = 0.4;
const mostSearches = 5;
const mostListings = 3;
const readsCalendar = 0.4;
const readsNextPage = 0.3;
const repeatsSearch = 0.2;

const searching = 'distribution.listing.search';

/** What guests add to a search, as often as it is here. */
const refinements: readonly Partial<BodyOf<typeof searching>>[] = [
  {},
  {},
  {},
  { sort: 'total' },
  { bedroomsMin: 2 },
  { amenities: ['wifi'] },
  { flexDays: 2 },
];

// Others have taken the nights, or the code does not apply.
const refusals = new Set(['conflict', 'not_found', 'policy_restricted'] as const);

/** Exponential, so that the calls of all guests together come like those of independent people. */
const pause = (chance: Chance, meanMs: number): Promise<void> =>
  sleep(Math.min(-Math.log(1 - chance.next()), 5) * meanMs);

/** Searches some dates, and some pages and repeats of them. Returns a stay that was found; null: none was. */
async function search(
  client: CarefulClient,
  chance: Chance,
  pauseMs: number,
): Promise<Stay | null> {
  const first = 3 + chance.below(240);
  const checkIn = daysAhead(first);
  const checkOut = daysAhead(first + 1 + chance.below(9));
  const party = { adults: 1 + chance.below(3) };
  const body = { checkIn, checkOut, party, limit: 20, ...chance.pick(refinements) };
  const page = await client.succeed(searching, { body });
  await pause(chance, pauseMs);
  if (chance.happens(repeatsSearch)) await client.succeed(searching, { body });
  if (page.nextCursor !== null && chance.happens(readsNextPage)) {
    await client.succeed(searching, { body: { ...body, cursor: page.nextCursor } });
    await pause(chance, pauseMs);
  }
  if (page.items.length === 0) return null;
  const found = chance.pick(page.items);
  return {
    listingId: found.listing.listingId,
    checkIn: found.checkIn ?? checkIn,
    checkOut: found.checkOut ?? checkOut,
    party,
  };
}

async function lookAt(
  client: CarefulClient,
  { listingId, checkIn }: Stay,
  chance: Chance,
): Promise<void> {
  const params = { listingId };
  await client.succeed('distribution.listing.get', { params });
  if (!chance.happens(readsCalendar)) return;
  const endDate = new Date(Date.parse(checkIn) + 60 * 86_400_000).toISOString().slice(0, 10);
  const query = { startDate: checkIn, endDate };
  await client.succeed('inventory.calendar.get', { params, query });
}

/** Searches until something pleases. Null: the guest leaves. */
async function choose(
  client: CarefulClient,
  chance: Chance,
  pauseMs: number,
): Promise<Stay | null> {
  let chosen: Stay | null = null;
  for (let left = 1 + chance.below(mostSearches); left > 0; left -= 1) {
    const stay = await search(client, chance, pauseMs);
    if (!stay) continue;
    chosen = stay;
    for (let more = chance.below(mostListings); more > 0; more -= 1) {
      await lookAt(client, stay, chance);
      await pause(chance, pauseMs);
    }
  }
  return chosen;
}

async function askPrice(client: CarefulClient, stay: Stay): Promise<void> {
  const quoteId = randomUUID();
  const body = { quoteId, ...stay };
  await client.unlessRefused('reservation.quote.create', { body }, quoteId, refusals);
}

async function shop(
  client: CarefulClient,
  chance: Chance,
  { pauseMs, promotionCode: code }: Shopping,
): ReturnType<GuestRun> {
  const stay = await choose(client, chance, pauseMs);
  if (!stay || !chance.happens(quotes)) return null;
  await askPrice(client, stay);
  await pause(chance, pauseMs);
  if (!chance.happens(books)) return null;
  const selling = { stay: () => stay, suffixes: [undefined], code, refusals };
  return { stay, end: await book(client, stay, selling, chance) };
}

/** Guests who look, ask for prices, and sometimes book. */
export const shopper =
  (shopping: Shopping): GuestRun =>
  async (client, chance) => {
    try {
      return await shop(client, chance, shopping);
    } catch (error) {
      // It is in the history.
      if (!(error instanceof Surprise)) throw error;
      return null;
    } finally {
      await pause(chance, shopping.pauseMs);
    }
  };
