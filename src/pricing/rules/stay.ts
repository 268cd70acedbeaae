/** Checks the dates of a stay against general limits and the rules of a listing. */

import type { DetailsOf, InvalidField } from '../../contract/errors.ts';
import { limits as serviceLimits } from '../../contract/limits.ts';
import type { EpochMs } from '../../contract/time.ts';
import { epochMsAt, todayAt } from './calendar-date.ts';
import type { DayNumber, Listing, Stay, WeekdayName } from './listing.ts';
import { dayRules, layeredDepartureDays, minNightsThrough, weekdayName } from './rates.ts';

/** The part of a listing that limits the dates of a stay. */
export type StayLimits = Pick<Listing, 'stayRules' | 'rates' | 'timeZone'>;

/** Says whether a stay fills a gap exactly, between two things that take nights. Asked only for a stay that is too short. */
export type FillsGap = () => boolean;

/** The rules of a stay that begins on a certain day. Spec: STAY-4. */
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
  now: EpochMs;
  /** The date at the property. */
  today: DayNumber;
  arrival: ArrivalRules;
  fillsGap: FillsGap;
}

/** The rules of a home about stays, in their order. Spec: STAY-11. */
const STAY_RULES = [
  {
    reason: 'advance_notice',
    broken: ({ limits, stay, now, today }) => stay.checkIn < earliestFrom(limits, now, today),
  },
  { reason: 'arrival_day', broken: ({ arrival }) => !arrival.checkInAllowed },
  {
    reason: 'departure_day',
    broken: ({ limits, stay }) => !departureAllowed(limits, stay.checkOut),
  },
  {
    reason: 'min_nights',
    broken: ({ limits, arrival, stay, fillsGap }) =>
      nightsOf(stay) < minNightsOf(limits, arrival, stay) &&
      !(mayFillGap(limits, stay) && fillsGap()),
  },
  { reason: 'max_nights', broken: ({ arrival, stay }) => nightsOf(stay) > arrival.maxNights },
  {
    reason: 'booking_horizon',
    broken: ({ limits, stay, today }) => stay.checkIn > latestCheckIn(limits, today),
  },
] as const satisfies {
  reason: DetailsOf<'policy_restricted'>['reason'];
  broken: (stay: StayToCheck) => boolean;
}[];

/** Why a listing refuses a stay. Spec: STAY-12. */
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
 * Spec: STAY-2.
 */
export function stayInputRefusal(stay: Stay, today: DayNumber): InvalidField[] {
  return INPUT_RULES.filter((rule) => rule.broken(stay, today)).map(({ path, message }) => ({
    path,
    message,
  }));
}

const checkOf = (
  limits: StayLimits,
  stay: Stay,
  now: EpochMs,
  fillsGap: FillsGap,
): StayToCheck => ({
  limits,
  stay,
  now,
  today: todayAt(now, limits.timeZone),
  arrival: arrivalRules(limits, stay.checkIn),
  fillsGap,
});

/**
 * The first rule of a listing that a stay breaks; null: none.
 *
 * Minimum and maximum nights are those of the arrival day.
 *
 * Spec: STAY-12.
 */
export function stayRuleRefusal(
  limits: StayLimits,
  stay: Stay,
  now: EpochMs,
  fillsGap: FillsGap,
): StayRefusal | null {
  const checked = checkOf(limits, stay, now, fillsGap);
  // `find` with a function takes several times as long, and a search asks this of each home.
  for (const { broken, reason } of STAY_RULES) if (broken(checked)) return reason;
  return null;
}

/** All rules of a listing that a stay breaks, in their order, for staff who may set them aside. */
export function brokenStayRules(
  limits: StayLimits,
  stay: Stay,
  now: EpochMs,
  fillsGap: FillsGap,
): StayRefusal[] {
  const checked = checkOf(limits, stay, now, fillsGap);
  return STAY_RULES.filter((rule) => rule.broken(checked)).map(({ reason }) => reason);
}

/** Whether a listing allows a stay that is too short if it fills a gap. */
const mayFillGap = ({ stayRules: { gapMinNights } }: StayLimits, stay: Stay): boolean =>
  gapMinNights !== undefined && nightsOf(stay) >= gapMinNights;

/** The minimum nights of a stay with all of its nights. */
export const leastNightsOf = (limits: StayLimits, stay: Stay): number =>
  minNightsOf(limits, arrivalRules(limits, stay.checkIn), stay);

/**
 * Whether a free stay fills a gap exactly: what is before it takes the night before, and what comes next begins on the
 * day of departure, or on a day that the stay's own preparation reaches.
 *
 * `isTaken`: whether a stay, a block, an event of a channel or a preparation has a night.
 *
 * Spec: STAY-7.
 */
export function fillsGapExactly(
  { checkIn, checkOut }: Stay,
  { preparationNights = 0 }: Listing['stayRules'],
  isTaken: (night: DayNumber) => boolean,
): boolean {
  if (!isTaken(checkIn - 1)) return false;
  for (let night = checkOut; night <= checkOut + preparationNights; night += 1) {
    if (isTaken(night)) return true;
  }
  return false;
}

/** The minimum nights of a stay: that of its arrival night, and what each of its nights demands. */
const minNightsOf = ({ rates }: StayLimits, { minNights }: ArrivalRules, stay: Stay): number =>
  Math.max(minNights, minNightsThrough(rates, stay));

const daysOfWeek = 7;

const allows = (days: readonly WeekdayName[], day: DayNumber): boolean =>
  days.length === daysOfWeek || days.includes(weekdayName(day));

/**
 * The rules of a stay that begins on a day: minimum nights, maximum nights, whether check-in is allowed.
 *
 * Rules that the rates set for the day replace the listing's own. Does not depend on today; see
 * `earliestCheckIn` and `latestCheckIn`.
 *
 * Spec: STAY-4, STAY-5.
 */
export function arrivalRules({ stayRules, rates }: StayLimits, day: DayNumber): ArrivalRules {
  const stated = dayRules(rates, day);
  const minNights = stated.minNights ?? stayRules.minNights;
  return {
    minNights: Math.max(minNights, stated.minNightsThrough ?? 0),
    maxNights: stated.maxNights ?? stayRules.maxNights,
    checkInAllowed: allows(stated.arrivalDays ?? stayRules.arrivalDays, day),
  };
}

/** The days of the week on which a stay may begin, for arrivals on a day. */
export const arrivalDaysOf = (
  { stayRules, rates }: Pick<StayLimits, 'stayRules' | 'rates'>,
  day: DayNumber,
): readonly WeekdayName[] => dayRules(rates, day).arrivalDays ?? stayRules.arrivalDays;

/** The days of the week on which a stay may end, for departures on a day. */
export const departureDaysOf = (
  { stayRules, rates }: Pick<StayLimits, 'stayRules' | 'rates'>,
  day: DayNumber,
): readonly WeekdayName[] => layeredDepartureDays(rates, day) ?? stayRules.departureDays;

/** Whether a stay may end on a day. Spec: STAY-6. */
export const departureAllowed = (limits: StayLimits, day: DayNumber): boolean =>
  allows(departureDaysOf(limits, day), day);

/** How early a stay must be booked; `until` null: until the end of the day. */
export const noticeOf = ({ advanceNotice, advanceNoticeDays }: Listing['stayRules']) => ({
  days: advanceNotice?.days ?? advanceNoticeDays ?? 0,
  until: advanceNotice?.until ?? null,
});

// A search asks for the same few hours of the same days in many homes, and a conversion takes microseconds.
const hours = new Map<string, EpochMs>();
const hoursAtMost = 1_000;

function hourOf(day: DayNumber, time: string, timeZone: string | null): EpochMs {
  const name = `${day} ${time} ${timeZone}`;
  const known = hours.get(name);
  if (known !== undefined) return known;
  if (hours.size >= hoursAtMost) hours.clear();
  const at = epochMsAt(day, time, timeZone);
  hours.set(name, at);
  return at;
}

/**
 * The first day on which a stay booked now may begin.
 *
 * Spec: STAY-9.
 */
export const earliestCheckIn = (limits: StayLimits, now: EpochMs): DayNumber =>
  earliestFrom(limits, now, todayAt(now, limits.timeZone));

/** The same, with the date at the property. */
function earliestFrom({ stayRules, timeZone }: StayLimits, now: EpochMs, today: DayNumber) {
  const { advanceNotice, advanceNoticeDays = 0 } = stayRules;
  if (!advanceNotice) return today + advanceNoticeDays;
  const { days, until } = advanceNotice;
  const isTooLate = until !== undefined && now >= hourOf(today, until, timeZone);
  return today + days + (isTooLate ? 1 : 0);
}

/** Whether the hour decides if a stay booked today may begin on a day. */
export const hourDecides = ({ stayRules }: StayLimits, day: DayNumber, today: DayNumber): boolean =>
  stayRules.advanceNotice?.until !== undefined && day === today + stayRules.advanceNotice.days;

/**
 * The last day on which a stay booked today may begin: the listing's own horizon, or the service's.
 *
 * Spec: STAY-10.
 */
export function latestCheckIn(
  { stayRules }: Pick<StayLimits, 'stayRules'>,
  today: DayNumber,
): DayNumber {
  return today + Math.min(stayRules.bookingHorizonDays, bookingHorizonDays);
}
