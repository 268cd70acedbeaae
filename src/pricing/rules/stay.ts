/** Checks the dates of a stay against general limits and the rules of a listing. */

import type { DetailsOf, InvalidField } from '../../contract/errors.ts';
import { limits as serviceLimits } from '../../contract/limits.ts';
import { dateDigits } from './calendar-date.ts';
import type { DayNumber, Listing, Stay } from './listing.ts';
import { arrivalRulesOf, weekdayName } from './rates.ts';

/** The part of a listing that limits the dates of a stay. */
export type StayLimits = Pick<Listing, 'stayRules' | 'rates'>;

/** The rules of a stay that begins on a certain day. Spec: decisions, Quote and Calendar. */
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

interface StayToCheck {
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
  broken: (stay: StayToCheck) => boolean;
}[];

/** Why a listing refuses a stay. Spec: decisions, Quote (reasons of policy_restricted). */
export type StayRefusal = (typeof STAY_RULES)[number]['reason'];

/** Why a listing can refuse a stay, in the order of the checks. */
export const stayRefusals: readonly StayRefusal[] = STAY_RULES.map(({ reason }) => reason);

/** The number of nights of a stay; less than 1 if checkOut is not after checkIn. */
export function nightsOf(stay: Stay): number {
  return stay.checkOut - stay.checkIn;
}

/**
 * All problems that make a stay invalid at every listing; an empty list: none.
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
 * The first rule of a listing that a stay breaks; null: none.
 *
 * `today` is the date at the property. Minimum and maximum nights are those of the arrival day.
 *
 * Spec: decisions, Quote (the reasons, in their order).
 */
export function stayRuleRefusal(
  limits: StayLimits,
  stay: Stay,
  today: DayNumber,
): StayRefusal | null {
  const checked = { limits, stay, today, arrival: arrivalRules(limits, stay.checkIn) };
  // `find` with a function takes several times as long, and a search asks this of each home.
  for (const { broken, reason } of STAY_RULES) if (broken(checked)) return reason;
  return null;
}

/** All rules of a listing that a stay breaks, in their order, for staff who may set them aside. */
export function brokenStayRules(limits: StayLimits, stay: Stay, today: DayNumber): StayRefusal[] {
  const checked = { limits, stay, today, arrival: arrivalRules(limits, stay.checkIn) };
  return STAY_RULES.filter((rule) => rule.broken(checked)).map(({ reason }) => reason);
}

/**
 * The rules of a stay that begins on a day: minimum nights, maximum nights, whether check-in is allowed.
 *
 * Rules that the rates set for the day replace the listing's own. Does not depend on today; see
 * `earliestCheckIn` and `latestCheckIn`.
 *
 * Spec: decisions, Quote and Calendar; the catalog file, Who may stay, and when.
 */
export function arrivalRules({ stayRules, rates }: StayLimits, day: DayNumber): ArrivalRules {
  const { minNights, arrivalDays } = arrivalRulesOf(rates, dateDigits(day));
  return {
    minNights: minNights ?? stayRules.minNights,
    maxNights: stayRules.maxNights,
    checkInAllowed: (arrivalDays ?? stayRules.arrivalDays).includes(weekdayName(day)),
  };
}

/** The days of the week on which a stay may begin, for arrivals on a day. */
export const arrivalDaysOf = (
  { stayRules, rates }: StayLimits,
  day: DayNumber,
): readonly string[] => arrivalRulesOf(rates, dateDigits(day)).arrivalDays ?? stayRules.arrivalDays;

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
