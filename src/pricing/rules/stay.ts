/** When a stay may begin and end, whatever it costs and whoever comes. */

import type { DetailsOf, InvalidField } from '../../contract/errors.ts';
import { limits as serviceLimits } from '../../contract/limits.ts';
import { dateText } from './calendar-date.ts';
import type { DayNumber, Listing, Stay } from './listing.ts';
import { arrivalRulesOf, weekdayName } from './rates.ts';

/** What of a listing decides when a stay may begin and end. */
export type StayLimits = Pick<Listing, 'stayRules' | 'rates'>;

/** What holds for a stay that would begin on a certain day. Spec: decisions, Quote and Calendar. */
export interface ArrivalRules {
  minNights: number;
  maxNights: number;
  checkInAllowed: boolean;
}

const { bookingHorizonDays, nightsPerStay } = serviceLimits;

const INPUT_RULES: (InvalidField & { broken: (stay: Stay, today: DayNumber) => boolean })[] = [
  {
    path: '/checkIn',
    message: 'must not be before today at the property',
    broken: ({ checkIn }, today) => checkIn < today,
  },
  {
    path: '/checkIn',
    message: `must be at most ${bookingHorizonDays} days from today`,
    broken: ({ checkIn }, today) => checkIn > today + bookingHorizonDays,
  },
  {
    path: '/checkOut',
    message: 'must be after checkIn',
    broken: (stay) => nightsOf(stay) < nightsPerStay.min,
  },
  {
    path: '/checkOut',
    message: `must be at most ${nightsPerStay.max} nights after checkIn`,
    broken: (stay) => nightsOf(stay) > nightsPerStay.max,
  },
];

interface StayInQuestion {
  limits: StayLimits;
  stay: Stay;
  today: DayNumber;
  arrival: ArrivalRules;
}

const STAY_RULES = [
  {
    reason: 'advance_notice',
    broken: ({ limits, stay, today }) => stay.checkIn < earliestCheckIn(limits, today),
  },
  { reason: 'arrival_day', broken: ({ arrival }) => !arrival.checkInAllowed },
  {
    reason: 'departure_day',
    broken: ({ limits, stay }) => !departureAllowed(limits, stay.checkOut),
  },
  { reason: 'min_nights', broken: ({ arrival, stay }) => nightsOf(stay) < arrival.minNights },
  { reason: 'max_nights', broken: ({ arrival, stay }) => nightsOf(stay) > arrival.maxNights },
  {
    reason: 'booking_horizon',
    broken: ({ limits, stay, today }) => stay.checkIn > latestCheckIn(limits, today),
  },
] as const satisfies {
  reason: DetailsOf<'policy_restricted'>['reason'];
  broken: (question: StayInQuestion) => boolean;
}[];

/** Why a listing does not take a stay. Spec: decisions, Quote (reasons of policy_restricted). */
export type StayRefusal = (typeof STAY_RULES)[number]['reason'];

/** The number of nights of a stay; less than 1 for one that does not end after it begins. */
export function nightsOf(stay: Stay): number {
  return stay.checkOut - stay.checkIn;
}

/**
 * Everything that makes a stay impossible at any home, an empty list where nothing does.
 *
 * `today` is the date at the property.
 *
 * Spec: Conventions, 2; decisions, Requests and responses in general (dates).
 */
export function stayInputRefusal(stay: Stay, today: DayNumber): InvalidField[] {
  return INPUT_RULES.filter((rule) => rule.broken(stay, today)).map(({ path, message }) => ({
    path,
    message,
  }));
}

/**
 * The first rule of a listing that a stay breaks, or null where it keeps them all.
 *
 * `today` is the date at the property. The least and the most nights are those of the day of arrival.
 *
 * Spec: decisions, Quote (the reasons, in their order).
 */
export function stayRuleRefusal(
  limits: StayLimits,
  stay: Stay,
  today: DayNumber,
): StayRefusal | null {
  const question = { limits, stay, today, arrival: arrivalRules(limits, stay.checkIn) };
  return STAY_RULES.find((rule) => rule.broken(question))?.reason ?? null;
}

/**
 * The rules for a stay that begins on a day: fewest nights, most nights, whether it may.
 *
 * What the rates set for the day takes the place of the listing's own rules. Today's distance plays
 * no part; see `earliestCheckIn` and `latestCheckIn`.
 *
 * Spec: decisions, Quote and Calendar; the catalog file, Who may stay, and when.
 */
export function arrivalRules({ stayRules, rates }: StayLimits, day: DayNumber): ArrivalRules {
  const { minNights, arrivalDays } = arrivalRulesOf(rates, dateText(day));
  return {
    minNights: minNights ?? stayRules.minNights,
    maxNights: stayRules.maxNights,
    checkInAllowed: (arrivalDays ?? stayRules.arrivalDays).includes(weekdayName(day)),
  };
}

/** Whether a stay may end on a day. Spec: decisions, Quote and Calendar (`checkOutAllowed`). */
export function departureAllowed({ stayRules }: StayLimits, day: DayNumber): boolean {
  return stayRules.departureDays.includes(weekdayName(day));
}

/** The first day on which a stay booked today may begin. Spec: decisions, Quote (`advance_notice`). */
export function earliestCheckIn({ stayRules }: StayLimits, today: DayNumber): DayNumber {
  return today + stayRules.advanceNoticeDays;
}

/**
 * The last day on which a stay booked today may begin: the listing's own horizon, or the service's.
 *
 * Spec: decisions, Quote (`booking_horizon`) and Requests and responses in general (dates).
 */
export function latestCheckIn({ stayRules }: StayLimits, today: DayNumber): DayNumber {
  return today + Math.min(stayRules.bookingHorizonDays, bookingHorizonDays);
}
