/** Who may stay in a home. */

import type { DetailsOf } from '../../contract/errors.ts';
import { limits as serviceLimits } from '../../contract/limits.ts';
import type { Listing, Party } from './listing.ts';

/** A party as a caller names it: whoever is not mentioned does not come. Spec: Party. */
export interface NamedParty {
  adults: number;
  children?: number | undefined;
  infants?: number | undefined;
  pets?: number | undefined;
}

/** What of a listing decides who may stay. */
export type PartyLimits = Pick<Listing, 'sleeps' | 'party'>;

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

/** Why a listing does not take a party. Spec: decisions, Quote (reasons of policy_restricted). */
export type PartyRefusal = (typeof PARTY_RULES)[number]['reason'];

/** The party with every member, absent ones 0. Spec: decisions, Party. */
export function normaliseParty(named: NamedParty): Party {
  return {
    adults: named.adults,
    children: named.children ?? 0,
    infants: named.infants ?? 0,
    pets: named.pets ?? 0,
  };
}

/** The people who count as guests of a home: adults and children. Spec: decisions, Party. */
export function guestsOf(party: Party): number {
  return party.adults + party.children;
}

/**
 * The first rule of a listing that a party breaks, or null where it is welcome.
 *
 * Whatever a listing says, no more come than a home can mean: 10 infants, and without `sleeps` 50
 * adults and children.
 *
 * Spec: decisions, Party, and Quote (the reasons, in their order).
 */
export function partyRefusal(limits: PartyLimits, party: Party): PartyRefusal | null {
  return PARTY_RULES.find((rule) => rule.broken(limits, party))?.reason ?? null;
}
