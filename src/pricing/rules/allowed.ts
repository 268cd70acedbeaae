/** What a listing would have allowed where it refuses a party or a stay. */

import { limits as serviceLimits } from '../../contract/limits.ts';
import { weekdays } from '../../contract/weekdays.ts';
import type { Party, Stay } from './listing.ts';
import { guestsOf, type PartyLimits, type PartyRefusal } from './party.ts';
import {
  arrivalDaysOf,
  arrivalRules,
  departureDaysOf,
  leastNightsOf,
  noticeOf,
  type StayLimits,
  type StayRefusal,
} from './stay.ts';

/** A limit, or the days of the week that are allowed. */
export interface Allowed {
  limit?: number;
  /** The hour until which a stay can be booked, `HH:MM` at the property. */
  until?: string;
  allowed?: string[];
}

const partyAllowed: Readonly<
  Partial<Record<PartyRefusal, (limits: PartyLimits, party: Party) => Allowed>>
> = {
  too_many_guests({ sleeps }, party) {
    const guests = sleeps ?? serviceLimits.guestsWithoutSleeps;
    return { limit: guestsOf(party) > guests ? guests : serviceLimits.infants };
  },
  too_many_pets: ({ party }) => ({ limit: party.maxPets }),
};

/** What the rule of a listing that a party breaks would allow. Spec: ERROR-7. */
export const allowedParty = (limits: PartyLimits, party: Party, reason: PartyRefusal): Allowed =>
  partyAllowed[reason]?.(limits, party) ?? {};

const inOrder = (days: readonly string[]): string[] => weekdays.filter((day) => days.includes(day));

const stayAllowed: Readonly<Record<StayRefusal, (limits: StayLimits, stay: Stay) => Allowed>> = {
  advance_notice({ stayRules }) {
    const { days, until } = noticeOf(stayRules);
    return { limit: days, ...(until !== null && { until }) };
  },
  arrival_day: (limits, { checkIn }) => ({ allowed: inOrder(arrivalDaysOf(limits, checkIn)) }),
  departure_day: (limits, { checkOut }) => ({
    allowed: inOrder(departureDaysOf(limits, checkOut)),
  }),
  min_nights: (limits, stay) => ({ limit: leastNightsOf(limits, stay) }),
  max_nights: (limits, { checkIn }) => ({ limit: arrivalRules(limits, checkIn).maxNights }),
  booking_horizon: ({ stayRules }) => ({
    limit: Math.min(stayRules.bookingHorizonDays, serviceLimits.bookingHorizonDays),
  }),
};

/** What the rule of a listing that a stay breaks would allow. Spec: ERROR-7. */
export const allowedStay = (limits: StayLimits, stay: Stay, reason: StayRefusal): Allowed =>
  stayAllowed[reason](limits, stay);
