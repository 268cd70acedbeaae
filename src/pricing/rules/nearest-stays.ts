/** Stays near one that cannot be booked. */

import { limits as serviceLimits } from '../../contract/limits.ts';
import type { DayNumber, Stay } from './listing.ts';
import type { EpochMs } from '../../contract/time.ts';
import { todayAt } from './calendar-date.ts';
import {
  arrivalRules,
  earliestCheckIn,
  fillsGapExactly,
  latestCheckIn,
  type StayLimits,
  stayRuleRefusal,
} from './stay.ts';

/** The nights of a home, from a day on. */
export interface OpenNights {
  from: DayNumber;
  /** 1: the night can be a part of a stay. */
  nights: Uint8Array;
  /** Whether something has a night. */
  isTaken: (night: DayNumber) => boolean;
}

/** The days on which a stay booked now may begin, both included. */
export const arrivalWindow = (limits: StayLimits, now: EpochMs) => ({
  first: earliestCheckIn(limits, now),
  last: latestCheckIn(limits, todayAt(now, limits.timeZone)),
});

/** How many nights are free in a row from each day on. */
function freeRuns(nights: Uint8Array): Uint16Array {
  const runs = new Uint16Array(nights.length + 1);
  for (let at = nights.length - 1; at >= 0; at--) {
    runs[at] = nights[at] === 1 ? runs[at + 1]! + 1 : 0;
  }
  return runs;
}

/** The free stays that begin on a day and keep the number of nights that the listing allows from it. */
function* staysFrom(limits: StayLimits, checkIn: DayNumber, free: number): Generator<Stay> {
  const { minNights, maxNights, checkInAllowed } = arrivalRules(limits, checkIn);
  if (!checkInAllowed) return;
  const most = Math.min(maxNights, free, serviceLimits.nightsPerStay.max);
  const { gapMinNights = minNights } = limits.stayRules;
  for (let nights = Math.max(Math.min(minNights, gapMinNights), 1); nights <= most; nights++) {
    yield { checkIn, checkOut: checkIn + nights };
  }
}

const inOrder = (a: Stay, b: Stay): number => a.checkIn - b.checkIn || a.checkOut - b.checkOut;

/**
 * The nearest stays that can be booked and that `accepted` makes something of: first those whose arrival and
 * departure together move by the fewest days, then those that arrive earlier.
 *
 * Looks at arrivals farther and farther away, until none of them can be nearer than what was found.
 *
 * Spec: ERROR-8.
 */
export function nearestStays<T>(
  limits: StayLimits,
  wanted: Stay,
  now: EpochMs,
  open: OpenNights,
  atMost: number,
  accepted: (stay: Stay) => T | null,
): T[] {
  const runs = freeRuns(open.nights);
  const { first, last } = arrivalWindow(limits, now);
  const farthest = Math.max(wanted.checkIn - first, last - wanted.checkIn);
  // By the days by which a stay moves.
  const waiting: Stay[][] = [];
  const found: T[] = [];
  const take = (stays: Stay[] = []): void => {
    for (const stay of stays.toSorted(inOrder)) {
      if (found.length >= atMost) return;
      const fillsGap = (): boolean => fillsGapExactly(stay, limits.stayRules, open.isTaken);
      const result = stayRuleRefusal(limits, stay, now, fillsGap) === null ? accepted(stay) : null;
      if (result !== null) found.push(result);
    }
  };
  for (let away = 0; away <= farthest && found.length < atMost; away++) {
    for (const checkIn of new Set([wanted.checkIn - away, wanted.checkIn + away])) {
      if (checkIn < first || checkIn > last) continue;
      for (const stay of staysFrom(limits, checkIn, runs[checkIn - open.from] ?? 0)) {
        const moved = away + Math.abs(stay.checkOut - wanted.checkOut);
        if (moved > 0) (waiting[moved] ??= []).push(stay);
      }
    }
    // Each stay that is still to come moves by more than `away`.
    take(waiting[away]);
  }
  for (let moved = Math.max(farthest + 1, 0); moved < waiting.length; moved++) take(waiting[moved]);
  return found;
}
