/** A guest as partners see most of them: looks at many homes, and seldom books. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyOf } from '../../src/contract/partner/operations.ts';
import { Surprise, type CarefulClient } from '../faults/careful-client.ts';
import { book, type Stay } from '../faults/guests.ts';
import type { Chance } from '../harness/chance.ts';
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

/** One guest: the calls, the choices, and when to leave. */
interface Visit extends Shopping {
  client: CarefulClient;
  chance: Chance;
  closing: AbortSignal;
}

/**
 * Exponential, so that the calls of all guests together come like those of independent people. Ends at once when
 * the guests should leave.
 */
async function pause({ chance, pauseMs, closing }: Visit): Promise<void> {
  const ms = Math.min(-Math.log(1 - chance.next()), 5) * pauseMs;
  await sleep(ms, null, { signal: closing }).catch(() => null);
}

/** Searches some dates, and some pages and repeats of them. Returns a stay that was found; null: none was. */
async function search(visit: Visit): Promise<Stay | null> {
  const { client, chance } = visit;
  const first = 3 + chance.below(240);
  const checkIn = daysAhead(first);
  const checkOut = daysAhead(first + 1 + chance.below(9));
  const party = { adults: 1 + chance.below(3) };
  const body = { checkIn, checkOut, party, limit: 20, ...chance.pick(refinements) };
  const page = await client.succeed(searching, { body });
  await pause(visit);
  if (chance.happens(repeatsSearch)) await client.succeed(searching, { body });
  if (page.nextCursor !== null && chance.happens(readsNextPage)) {
    await client.succeed(searching, { body: { ...body, cursor: page.nextCursor } });
    await pause(visit);
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

async function lookAt({ client, chance }: Visit, { listingId, checkIn }: Stay): Promise<void> {
  const params = { listingId };
  await client.succeed('distribution.listing.get', { params });
  if (!chance.happens(readsCalendar)) return;
  const endDate = new Date(Date.parse(checkIn) + 60 * 86_400_000).toISOString().slice(0, 10);
  const query = { startDate: checkIn, endDate };
  await client.succeed('inventory.calendar.get', { params, query });
}

/** Searches until something pleases. Null: the guest leaves. */
async function choose(visit: Visit): Promise<Stay | null> {
  const { chance, closing } = visit;
  let chosen: Stay | null = null;
  for (let left = 1 + chance.below(mostSearches); left > 0 && !closing.aborted; left -= 1) {
    const stay = await search(visit);
    if (!stay) continue;
    chosen = stay;
    for (let more = chance.below(mostListings); more > 0 && !closing.aborted; more -= 1) {
      await lookAt(visit, stay);
      await pause(visit);
    }
  }
  return chosen;
}

async function askPrice(client: CarefulClient, stay: Stay): Promise<void> {
  const body = { quoteId: randomUUID(), ...stay };
  await client.unlessRefused('reservation.quote.create', { body }, refusals);
}

async function shop(visit: Visit): ReturnType<GuestRun> {
  const { client, chance, closing, promotionCode: code } = visit;
  const stay = await choose(visit);
  if (!stay || closing.aborted || !chance.happens(quotes)) return null;
  await askPrice(client, stay);
  await pause(visit);
  if (closing.aborted || !chance.happens(books)) return null;
  const selling = { stay: () => stay, suffixes: [undefined], code, refusals };
  return { stay, end: await book(client, stay, selling, chance) };
}

/** Guests who look, ask for prices, and sometimes book. */
export const shopper =
  (shopping: Shopping): GuestRun =>
  async (client, chance, closing) => {
    const visit = { ...shopping, client, chance, closing };
    try {
      return await shop(visit);
    } catch (error) {
      // It is in the history.
      if (!(error instanceof Surprise)) throw error;
      return null;
    } finally {
      await pause(visit);
    }
  };
