/** Checks a party against the rules of a listing. */

import type { DetailsOf, InvalidField } from '../../contract/errors.ts';
import { limits as serviceLimits } from '../../contract/limits.ts';
import type { Listing, Party } from './listing.ts';

/** A party as sent; absent members count as 0. Spec: PARTY-1. */
export interface PartyInput {
  adults: number;
  children?: number | undefined;
  infants?: number | undefined;
  pets?: number | undefined;
  /** One for each child. */
  childAges?: number[] | undefined;
}

/** The part of a listing that limits the party. */
export type PartyLimits = Pick<Listing, 'sleeps' | 'party'>;

/** The rules of a home about the party, in their order. Spec: PARTY-3. */
const PARTY_RULES = [
  {
    reason: 'too_many_guests',
    broken: ({ sleeps }, party) =>
      guestsOf(party) > (sleeps ?? serviceLimits.guestsWithoutSleeps) ||
      party.infants > serviceLimits.infants,
  },
  {
    reason: 'children_not_allowed',
    broken: ({ party: rules }, party) => party.children > 0 && !rules.children,
  },
  {
    reason: 'infants_not_allowed',
    broken: ({ party: rules }, party) => party.infants > 0 && !rules.infants,
  },
  {
    reason: 'pets_not_allowed',
    broken: ({ party: rules }, party) => party.pets > 0 && rules.maxPets === 0,
  },
  {
    reason: 'too_many_pets',
    broken: ({ party: rules }, party) => party.pets > rules.maxPets,
  },
] as const satisfies {
  reason: DetailsOf<'policy_restricted'>['reason'];
  broken: (limits: PartyLimits, party: Party) => boolean;
}[];

/** Why a listing refuses a party. Spec: PARTY-5. */
export type PartyRefusal = (typeof PARTY_RULES)[number]['reason'];

/** Sets the absent members of a party to 0. Spec: PARTY-1. */
export function normaliseParty(input: PartyInput): Party {
  return {
    adults: input.adults,
    children: input.children ?? 0,
    infants: input.infants ?? 0,
    pets: input.pets ?? 0,
    ...(input.childAges?.length && { childAges: [...input.childAges] }),
  };
}

/** The same party for everything that is decided: the order of the ages does not matter. */
export const comparableParty = ({ childAges, ...people }: Party): Party =>
  childAges ? { ...people, childAges: childAges.toSorted((a, b) => a - b) } : people;

/** What no schema can check: there is an age for each child, or none at all. Spec: PARTY-4. */
export function partyProblems({ children = 0, childAges }: PartyInput): InvalidField[] {
  if (childAges === undefined || childAges.length === children) return [];
  const message = `must have exactly one age for each of the ${children} children`;
  return [{ path: '/party/childAges', message }];
}

/** The number of guests: adults and children. Spec: PARTY-2. */
export function guestsOf(party: Party): number {
  return party.adults + party.children;
}

/**
 * The first rule of a listing that a party breaks; null: none.
 *
 * Every listing has the limit of 10 infants and, without `sleeps`, of 50 adults and children.
 *
 * Spec: PARTY-5.
 */
export function partyRefusal(limits: PartyLimits, party: Party): PartyRefusal | null {
  // `find` with a function takes several times as long, and a search asks this of each home.
  for (const { broken, reason } of PARTY_RULES) if (broken(limits, party)) return reason;
  return null;
}

/** All rules of a listing that a party breaks, in their order, for staff who may set them aside. */
export function brokenPartyRules(limits: PartyLimits, party: Party): PartyRefusal[] {
  return PARTY_RULES.filter((rule) => rule.broken(limits, party)).map(({ reason }) => reason);
}
