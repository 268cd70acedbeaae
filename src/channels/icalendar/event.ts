/** An event of a calendar, read by itself: what cannot be read in it stops no other event. */
import ICAL from 'ical.js';
import { problemOf, type Problem } from '../rules/problems.ts';
import type { Component } from './components.ts';
import { parseDuration, parseTime, parseTimes, type Period, type Time } from './dates.ts';
import { isDamagedName, type Property } from './properties.ts';
import type { Zones } from './time-zones.ts';

/** One version of an event, or of one occurrence of it. */
export interface Version {
  /** The number of its first line. */
  line: number;
  /** Empty: it has none. */
  uid: string;
  summary: string;
  sequence: number;
  start: Time;
  end: Time;
  /** Whether the calendar says when it ends. */
  hasEnd: boolean;
  rules: string[];
  further: Period[];
  excluded: Time[];
  /** Null: the event itself. */
  recurrenceId: Time | null;
  /** Whether it is also for all occurrences that follow. */
  andFollowing: boolean;
  cancelled: boolean;
  /** Whether it is shown as free. Spec: CHANNEL-7. */
  free: boolean;
}

/** An event, as far as it was understood. */
export interface ParsedEvent {
  uid: string;
  line: number;
  /** Null: it takes no nights that anybody could tell. */
  version: Version | null;
  problems: Problem[];
  /** Whether its dates, as far as they can be read, are all before this year and day, and nothing repeats it. */
  last: Time | null;
  repeats: boolean;
}

/** The properties of one event, with what is wrong with them. */
class Properties {
  readonly faults: Problem[];
  readonly #all: readonly Property[];
  readonly #zones: Zones;

  constructor({ properties, faults }: Component, zones: Zones) {
    this.#all = properties;
    this.#zones = zones;
    this.faults = [...faults];
    for (const { name } of properties) {
      if (isDamagedName(name)) this.faults.push(problemOf('damaged_name', name.slice(0, 60)));
    }
  }

  of(name: string): readonly Property[] {
    return this.#all.filter((property) => property.name === name);
  }

  text(name: string): string {
    return this.of(name)[0]?.value ?? '';
  }

  is(name: string, word: string): boolean {
    return this.text(name).toUpperCase() === word;
  }

  #problem(problem: 'bad_value' | 'several_values', name: string): void {
    this.faults.push(problemOf(problem, name));
  }

  /** Tells once of each zone that nobody knows. */
  #checkZone({ parameters }: Property, time: Time): void {
    const tzid = parameters.get('TZID');
    if (!tzid || time.isDate || this.#zones.knows(tzid)) return;
    const detail = tzid.slice(0, 100);
    if (this.faults.some((one) => one.detail === detail)) return;
    this.faults.push(problemOf('unknown_time_zone', detail));
  }

  /** The values of a property that an event has once. Those that differ are a problem. */
  #values<T>(
    name: string,
    read: (property: Property) => T | null,
    keyOf: (value: T) => string,
  ): T[] {
    const values = this.of(name).map(read);
    if (values.includes(null)) this.#problem('bad_value', name);
    const found = values.filter((value): value is NonNullable<typeof value> => value !== null);
    if (new Set(found.map(keyOf)).size > 1) this.#problem('several_values', name);
    return found;
  }

  times(name: string): Time[] {
    const read = (property: Property): Time | null => {
      const time = parseTime(property.value, property, this.#zones);
      if (time) this.#checkZone(property, time);
      return time;
    };
    return this.#values(name, read, String).toSorted((a, b) => a.compare(b));
  }

  durations(): NonNullable<ReturnType<typeof parseDuration>>[] {
    const values = this.#values('DURATION', ({ value }) => parseDuration(value), String);
    return values.toSorted((a, b) => a.toSeconds() - b.toSeconds());
  }

  /** All values of a property that an event may have several times. */
  periods(name: string): Period[] {
    return this.of(name).flatMap((property) => {
      const periods = parseTimes(property, this.#zones);
      if (!periods) this.#problem('bad_value', name);
      for (const { start } of periods ?? []) this.#checkZone(property, start);
      return periods ?? [];
    });
  }

  rules(): string[] {
    return this.of('RRULE').flatMap(({ value }) => {
      try {
        return [ICAL.Recur.fromString(value).toString()];
      } catch {
        this.#problem('bad_value', 'RRULE');
        return [];
      }
    });
  }
}

/** The time after a duration. The duration of a date has days; hours would end on the day on which they begin. */
function after(start: Time, duration: NonNullable<ReturnType<typeof parseDuration>>): Time {
  const later = start.clone();
  if (start.isDate) later.adjust(Math.ceil(duration.toSeconds() / 86_400), 0, 0, 0);
  else later.addDuration(duration);
  return later;
}

/** The latest end that the event has. Null: it has none. */
function endOf(properties: Properties, start: Time): Time | null {
  const duration = properties.durations().at(-1);
  const ends = [properties.times('DTEND').at(-1), duration && after(start, duration)];
  const known = ends.filter((end) => end !== undefined);
  return known.toSorted((a, b) => a.compare(b)).at(-1) ?? null;
}

const isUtcMidnight = (time: Time): boolean =>
  !time.isDate &&
  time.zone === ICAL.Timezone.utcTimezone &&
  time.hour % 24 === 0 &&
  time.minute === 0 &&
  time.second === 0;

const asDate = (time: Time): Time => {
  const { year, month, day } = time;
  const date = ICAL.Time.fromData({ year, month, day, isDate: true });
  if (time.hour === 24) date.adjust(1, 0, 0, 0);
  return date;
};

/** A midnight in UTC as a date, and every other time as it is. */
export const midnightAsDate = (time: Time): Time => (isUtcMidnight(time) ? asDate(time) : time);

/** Some channels write dates as midnights in UTC. */
function withDates(version: Version): Version {
  if (!version.hasEnd || !isUtcMidnight(version.start) || !isUtcMidnight(version.end))
    return version;
  return {
    ...version,
    start: asDate(version.start),
    end: asDate(version.end),
    further: version.further.map(({ start, end }) => {
      return { start: midnightAsDate(start), end: end && midnightAsDate(end) };
    }),
    excluded: version.excluded.map(midnightAsDate),
  };
}

const mostSummary = 500;

/** The text of a value. Spec: CHANNEL-1. */
const unescapedText = (value: string): string =>
  value
    .replaceAll(/\\([\\;,nN])/g, (_, letter: string) => (/n/i.test(letter) ? '\n' : letter))
    .trim()
    .slice(0, mostSummary)
    .toWellFormed();

/** Reads an event. */
export function parseEvent(component: Component, zones: Zones): ParsedEvent {
  const properties = new Properties(component, zones);
  const { faults } = properties;
  const uid = properties.text('UID');
  const { line } = component;
  const [start] = properties.times('DTSTART');
  const rules = properties.rules();
  const further = properties.periods('RDATE');
  const repeats = properties.of('RRULE').length + properties.of('RDATE').length > 0;
  if (!start) {
    if (properties.of('DTSTART').length === 0) faults.push(problemOf('no_start'));
    const last = properties.times('DTEND').at(-1) ?? null;
    return { uid, line, version: null, problems: faults, last, repeats };
  }
  const end = endOf(properties, start);
  if (end && end.compare(start) < 0) faults.push(problemOf('ends_before_start'));
  const version: Version = {
    line,
    uid,
    summary: unescapedText(properties.text('SUMMARY')),
    sequence: Number.parseInt(properties.text('SEQUENCE'), 10) || 0,
    start,
    end: end ?? start,
    hasEnd: end !== null,
    rules,
    further,
    excluded: properties.periods('EXDATE').map((period) => period.start),
    recurrenceId: properties.times('RECURRENCE-ID')[0] ?? null,
    andFollowing: properties
      .of('RECURRENCE-ID')
      .some(({ parameters }) => parameters.get('RANGE')?.toUpperCase() === 'THISANDFUTURE'),
    cancelled: component.calendar.method === 'CANCEL' || properties.is('STATUS', 'CANCELLED'),
    free: properties.is('TRANSP', 'TRANSPARENT'),
  };
  const last = version.end.compare(start) > 0 ? version.end : start;
  return { uid, line, version: withDates(version), problems: faults, last, repeats };
}

const takesNothing = new Set(['FREE']);

/** The busy periods of a `VFREEBUSY`, each as an event. Spec: CHANNEL-1. */
export function parseBusyPeriods(component: Component, zones: Zones): ParsedEvent[] {
  const properties = new Properties(component, zones);
  const uid = properties.text('UID');
  const busy = properties
    .of('FREEBUSY')
    .filter(({ parameters }) => !takesNothing.has(parameters.get('FBTYPE')?.toUpperCase() ?? ''));
  return busy.map((property) => {
    const { line } = property;
    const periods = parseTimes(property, zones);
    const [first, ...further] = (periods ?? []).filter(({ end }) => end !== null);
    const isRead = periods?.every(({ end }) => end !== null) ?? false;
    const problems = isRead ? [] : [problemOf('bad_value', 'FREEBUSY')];
    if (!first) return { uid, line, version: null, problems, last: null, repeats: false };
    const version: Version = {
      line,
      uid,
      summary: unescapedText(properties.text('SUMMARY')),
      sequence: 0,
      start: first.start,
      end: first.end!,
      hasEnd: true,
      rules: [],
      further,
      excluded: [],
      recurrenceId: null,
      andFollowing: false,
      cancelled: component.calendar.method === 'CANCEL',
      free: false,
    };
    return { uid, line, version: withDates(version), problems, last: null, repeats: true };
  });
}
