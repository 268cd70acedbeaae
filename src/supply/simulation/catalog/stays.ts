/** The words in which it is written down who may stay in a home, and when. */

import type { PartyRules, StayRules, Weekday } from '../../../domain/listing.ts';

const everyDay: Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** Arrivals and departures on any day. */
export function anyDay(minNights: number, advanceNoticeDays = 1, maxNights = 28): StayRules {
  const days = { arrivalDays: [...everyDay], departureDays: [...everyDay] };
  return { minNights, maxNights, ...days, advanceNoticeDays };
}

/** Arrivals and departures on some days only. */
export function onDays(days: Weekday[], minNights: number, advanceNoticeDays = 2): StayRules {
  const both = { arrivalDays: [...days], departureDays: [...days] };
  return { minNights, maxNights: 28, ...both, advanceNoticeDays };
}

/** Whole weeks, from Saturday to Saturday. */
export function saturdays(): StayRules {
  return onDays([6], 7);
}

/** Everybody may stay, with so many pets. */
export function everybody(maxPets = 0): PartyRules {
  return { children: true, infants: true, maxPets };
}

/** Children may stay, infants may not. */
export function noInfants(maxPets = 0): PartyRules {
  return { children: true, infants: false, maxPets };
}

/** Neither children nor infants may stay. */
export function grownUps(maxPets = 0): PartyRules {
  return { children: false, infants: false, maxPets };
}

/** Infants in arms may stay, children may not. */
export function noChildren(maxPets = 0): PartyRules {
  return { children: false, infants: true, maxPets };
}
