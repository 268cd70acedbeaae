/** When the events of a calendar take place: by their rules, further dates, exceptions and changed occurrences. */
import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import type { DayNumber } from '../../pricing/index.ts';
import type { Time } from './dates.ts';
import { midnightAsDate, type Version } from './event.ts';

type Recur = InstanceType<typeof ICAL.Recur>;

/** One time that an event takes place. */
export interface Occurrence {
  version: Version;
  start: Time;
  end: Time;
}

/** A calendar has more occurrences than anybody can want. */
export class TooManyError extends Error {}

const mostOccurrences = 20_000;

/** The number of a day. */
export const dayOf = ({ year, month, day }: Pick<Time, 'year' | 'month' | 'day'>): DayNumber =>
  Date.UTC(year, month - 1, day) / 86_400_000;

const dateKey = (time: Time): string => `day ${dayOf(time)}`;
/** A key of an instant, or of a date, to compare times. */
const keyOf = (time: Time): string => (time.isDate ? dateKey(time) : String(time.toUnixTime()));

/** The versions that count: those with the highest SEQUENCE; none if one of them is a cancellation. */
function current(versions: readonly Version[]): Version[] {
  const highest = Math.max(...versions.map(({ sequence }) => sequence));
  const newest = versions.filter(({ sequence }) => sequence === highest);
  return newest.some(({ cancelled }) => cancelled) ? [] : newest;
}

/** The time between two times by their clocks: a day has 24 hours, also where the clocks change. */
const secondsBetween = (start: Time, end: Time): number =>
  start.zone === end.zone
    ? end.subtractDate(start).toSeconds()
    : end.toUnixTime() - start.toUnixTime();

function shifted(time: Time, seconds: number): Time {
  const later = time.clone();
  if (time.isDate) later.adjust(Math.round(seconds / 86_400), 0, 0, 0);
  else later.adjust(0, 0, 0, seconds);
  return later;
}

/** The end of an occurrence of an event that begins at `start`. */
const endFrom = (version: Version, start: Time): Time =>
  shifted(start, secondsBetween(version.start, version.end));

/** The last moment of a rule. Its last day is part of it, also where it is written as a date only. */
function lastTime({ until }: Recur, { isDate, zone }: Time): Time | null {
  if (!until?.isDate || isDate) return until;
  return ICAL.Time.fromData({ ...until.toJSON(), hour: 23, minute: 59, isDate: false }, zone);
}

/**
 * The dates and times of a rule from a start on, up to a day, all as if in UTC. Dates that do not exist, such as 30
 * February, are none of them, and `COUNT` does not count them.
 */
function ruledTimes(
  rule: string,
  { year, month, day, hour, minute, second }: Time,
  last: DayNumber,
) {
  const local = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
  const dtstart = local.toZonedDateTime('UTC');
  const end = new Date((last + 1) * 86_400_000 - 1);
  const maxIterations = mostOccurrences;
  try {
    const times = new RRuleTemporal({ rruleString: rule, dtstart, maxIterations, cache: false });
    return times.between(dtstart, end, true);
  } catch (error) {
    if (String(error).includes('exceeded')) throw new TooManyError();
    throw error;
  }
}

const alone = (versions: readonly Version[]): Occurrence[] =>
  versions.map((version) => ({ version, start: version.start, end: version.end }));

/** Finds the occurrences of the events of one calendar, and counts them, because rules can have any number. */
export class Occurrences {
  readonly #lastDay: DayNumber;
  #count = 0;

  /** @param lastDay occurrences that begin later are left out */
  constructor(lastDay: DayNumber) {
    this.#lastDay = lastDay;
  }

  #countOne(): void {
    this.#count += 1;
    if (this.#count > mostOccurrences) throw new TooManyError();
  }

  /** The starts by the rules of an event. */
  *#ruled({ rules, start }: Version): Generator<Time> {
    const { isDate, zone } = start;
    for (const text of rules) {
      const rule = ICAL.Recur.fromString(text);
      const until = lastTime(rule, start);
      rule.until = null;
      // The date of the end in the zone of the start may be the next one.
      const last = Math.min(this.#lastDay, until ? dayOf(until) + 1 : Infinity);
      for (const found of ruledTimes(rule.toString(), start, last)) {
        const { year, month, day, hour, minute, second } = found;
        const time = ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate }, zone);
        if (until && time.compare(until) > 0) break;
        this.#countOne();
        yield time;
      }
    }
  }

  /** The occurrences of an event without its exceptions, by the key of their start. */
  #regular(version: Version): Map<string, Occurrence> {
    const { start, end } = version;
    const occurrences = new Map([[keyOf(start), { version, start, end }]]);
    const add = (begin: Time, last = endFrom(version, begin)): void => {
      if (occurrences.has(keyOf(begin))) return;
      occurrences.set(keyOf(begin), { version, start: begin, end: last });
    };
    for (const begin of this.#ruled(version)) add(begin);
    for (const period of version.further) {
      this.#countOne();
      add(period.start, period.end ?? undefined);
    }
    const keys = new Set(version.excluded.map(keyOf));
    for (const [key, { start: begin }] of occurrences) {
      if (keys.has(key) || keys.has(dateKey(begin))) occurrences.delete(key);
    }
    return occurrences;
  }

  /** Replaces the occurrences that have a version of their own, which may be opaque where the event is not. */
  #withExceptions(event: Version, exceptions: readonly Version[]): Occurrence[] {
    const byId = Map.groupBy(exceptions, ({ recurrenceId }) => keyOf(recurrenceId!));
    const following = exceptions
      .filter(({ andFollowing }) => andFollowing)
      .toSorted((a, b) => a.recurrenceId!.compare(b.recurrenceId!));
    // Nobody needs the occurrences of an event that takes no nights; it may have too many of them.
    const isCounted = !event.free || following.length > 0;
    const regular = isCounted ? this.#regular(event) : [];
    const moved = [...regular].flatMap(([key, occurrence]) => {
      if (byId.has(key) || byId.has(dateKey(occurrence.start))) return [];
      const last = following.findLast(({ recurrenceId }) => {
        return recurrenceId!.compare(occurrence.start) <= 0;
      });
      return last ? this.#following(last, occurrence) : [occurrence];
    });
    const own = isCounted ? [] : alone([event]);
    return [...own, ...moved, ...alone([...byId.values()].flatMap(current))];
  }

  /** An occurrence after a version for "this and all following". */
  #following(version: Version, { start }: Occurrence): Occurrence[] {
    if (version.cancelled) return [];
    const begin = shifted(start, secondsBetween(version.recurrenceId!, version.start));
    return [{ version, start: begin, end: endFrom(version, begin) }];
  }

  /** The occurrences of all versions with one UID. Cancelled events have none. Throws `TooManyError`. */
  of(versions: readonly Version[]): Occurrence[] {
    const events = versions.filter(({ recurrenceId }) => recurrenceId === null);
    const areDates = events.some(({ start }) => start.isDate);
    const exceptions = versions
      .filter(({ recurrenceId }) => recurrenceId !== null)
      .map((version): Version => {
        return areDates
          ? { ...version, recurrenceId: midnightAsDate(version.recurrenceId!) }
          : version;
      });
    if (events.length === 0) {
      const byId = Map.groupBy(exceptions, ({ recurrenceId }) => keyOf(recurrenceId!));
      return alone([...byId.values()].flatMap(current));
    }
    // Several events with one UID are several events, whatever their SEQUENCE says.
    return events
      .filter(({ cancelled }) => !cancelled)
      .flatMap((event) => this.#withExceptions(event, exceptions))
      .filter(({ start }) => dayOf(start) <= this.#lastDay);
  }
}
