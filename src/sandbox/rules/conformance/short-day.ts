import type { EpochMs } from '../../../contract/time.ts';
import { type DayNumber, dayNumber } from '../../../pricing/index.ts';

const changesLooked = 3;

/** The next day of fewer than 24 hours in a time zone. Null: there is none, or the zone is not known. */
export function nextShortDay(now: EpochMs, timeZone: string | null): DayNumber | null {
  if (timeZone === null) return null;
  let at = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone);
  for (let looked = 0; looked < changesLooked; looked += 1) {
    const change = at.getTimeZoneTransition('next');
    if (!change) return null;
    const before = change.subtract({ nanoseconds: 1 });
    const isForward = change.offsetNanoseconds > before.offsetNanoseconds;
    if (isForward) return dayNumber(change.toPlainDate().toString());
    at = change;
  }
  return null;
}
