/** The stays of all sessions, looked up once. */
import { randomUUID } from 'node:crypto';
import { daysAhead, type Partner } from '../harness/partner.ts';
import type { StayName } from './world.ts';

export interface Stay {
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: { adults: number; children: number; infants: number; pets: number };
}

export type Stays = Record<StayName, Stay>;

/** The versions of the terms of those stays that can be quoted. */
export type TermsVersions = Partial<Record<StayName, string>>;

const couple = { adults: 2, children: 0, infants: 0, pets: 0 };
const nights = 3;
// Long enough for every promotion, and within every booking horizon.
const firstDay = 30;

async function freeStays(partner: Partner): Promise<Stay[]> {
  const stay = { checkIn: daysAhead(firstDay), checkOut: daysAhead(firstDay + nights) };
  const body = { ...stay, party: couple, limit: 50 };
  const { items } = await partner.succeed('distribution.listing.search', { body });
  return items
    .filter(({ listing }) => listing.sleeps !== null)
    .map(({ listing }) => ({ listingId: listing.listingId, ...stay, party: couple }));
}

/** A stay that breaks no rule, on nights that are not available. */
async function takenStay(partner: Partner, listingIds: readonly string[]): Promise<Stay> {
  for (let day = firstDay; day < firstDay + 60; day += 1) {
    for (const listingId of listingIds) {
      const dates = { checkIn: daysAhead(day), checkOut: daysAhead(day + 2 * nights) };
      const stay = { listingId, ...dates, party: couple };
      const body = { quoteId: randomUUID(), ...stay };
      const { status, text } = await partner.call('reservation.quote.create', { body });
      if (status === 409 && text.includes('"unavailable"')) return stay;
    }
  }
  throw new Error('everything is free');
}

/** Looks up the terms of the stays that can be quoted. */
export async function findTerms(partner: Partner, { one, other }: Stays): Promise<TermsVersions> {
  const [first, second] = [await partner.quote(one), await partner.quote(other)];
  return { one: first.terms.version, other: second.terms.version };
}

/** Finds a stay for every name. */
export async function findStays(partner: Partner): Promise<Stays> {
  const free = await freeStays(partner);
  const [one, other] = free;
  if (!one || !other) throw new Error('nothing is free');
  return {
    one,
    other,
    tooMany: { ...one, party: { ...couple, adults: 99 } },
    taken: await takenStay(
      partner,
      free.map(({ listingId }) => listingId),
    ),
    nowhere: { ...one, listingId: randomUUID() },
  };
}
