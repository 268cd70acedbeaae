/** The stays of sessions: in the simulation looked up once, otherwise any stay of the session's homes. */
import { randomUUID } from 'node:crypto';
import { daysAhead, type Partner } from '../harness/partner.ts';
import {
  dayAt,
  datesOf,
  parties,
  simulatedStay,
  stayNamed,
  stayWords,
  type PartyWord,
} from './homes.ts';
import type { Operator } from './operator.ts';
import type { StayName } from './world.ts';

export interface Stay {
  listingId: string;
  checkIn: string;
  checkOut: string;
  party: { adults: number; children: number; infants: number; pets: number };
}

/** Stays by name, and names of stays. */
export interface StayBook {
  of(name: StayName): Stay;
  /** Undefined: the stay has no name. */
  nameOf(stay: Stay): StayName | undefined;
}

/** The stays of the simulation: two, one with too many guests, one not available, one of an unknown home. */
export const simulatedStays = ['one', 'other', 'tooMany', 'taken', 'nowhere'] as const;
type Stays = Record<(typeof simulatedStays)[number], Stay>;

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

const textOf = ({ listingId, checkIn, checkOut, party }: Stay): string =>
  JSON.stringify({ listingId, checkIn, checkOut, party });

/** Finds a stay of the simulation for every name. */
export async function findStays(partner: Partner): Promise<StayBook> {
  const free = await freeStays(partner);
  const [one, other] = free;
  if (!one || !other) throw new Error('nothing is free');
  const stays: Stays = {
    one,
    other,
    tooMany: { ...one, party: { ...couple, adults: 99 } },
    taken: await takenStay(
      partner,
      free.map(({ listingId }) => listingId),
    ),
    nowhere: { ...one, listingId: randomUUID() },
  };
  const named: [StayName, Stay][] = [
    ...Object.entries(stays),
    ...(['one', 'other'] as const).map((name): [StayName, Stay] => [
      simulatedStay(name, { party: 'single' }),
      { ...stays[name], party: parties.single },
    ]),
  ];
  const names = new Map(named.map(([name, stay]) => [textOf(stay), name]));
  const byName = new Map(named);
  return {
    of: (name) => byName.get(name)!,
    nameOf: (stay) => names.get(textOf(stay)),
  };
}

/** The stays of an operator's homes. */
export const staysOf = (operator: Operator): StayBook => ({
  of(name) {
    const words = stayWords(name);
    return { listingId: operator.listingId(words.home), ...datesOf(words) };
  },
  nameOf({ listingId, checkIn, checkOut, party }) {
    const home = operator.homeOf(listingId);
    const word = (Object.keys(parties) as PartyWord[]).find(
      (one) => JSON.stringify(parties[one]) === JSON.stringify(party),
    );
    if (!home || !word) return undefined;
    const from = dayAt(checkIn);
    return stayNamed({ home, from, nights: dayAt(checkOut) - from, party: word });
  },
});
