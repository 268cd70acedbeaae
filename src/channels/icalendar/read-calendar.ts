import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import { type DayNumber, parseDate } from '../../pricing/index.ts';
import { withoutOverlaps, type EventNights } from '../rules/nights.ts';
import { problemOf, type Problem, type ProblemName } from '../rules/problems.ts';
import { forgetZones, knowsZone } from './time-zones.ts';

type Component = InstanceType<typeof ICAL.Component>;
type Time = InstanceType<typeof ICAL.Time>;
type Recur = InstanceType<typeof ICAL.Recur>;

/** A calendar to read, and the home that it is for. */
export interface CalendarToRead {
  bytes: Uint8Array;
  /** Of the home; null: UTC. */
  timeZone: string | null;
  /** The date at the home. */
  today: DayNumber;
  /** Events whose UIDs have this domain are our own, and are ignored. */
  ownDomain: string;
}

/** The nights that the events of a calendar take, each once, or why it cannot be read. */
export type ReadCalendar = { nights: EventNights[] } | Problem;

/** Events that begin later cannot overlap a stay: the booking horizon, the longest stay, and a week. */
const horizonDays = 730 + 90 + 7;
const mostEvents = 20_000;
const mostOccurrences = 20_000;
const longestUid = 255;
const lastDay = Date.UTC(9999, 11, 31) / 86_400_000;
const noValue = 'a value cannot be read';

class UnreadableError extends Error {
  readonly problem: Problem;
  constructor(problem: ProblemName, detail?: string) {
    super(problem);
    this.problem = problemOf(problem, detail);
  }
}

/** Joins folded lines as bytes, because a line can be folded within a character. Spec: RFC 5545, 3.1. */
function unfolded(bytes: Uint8Array): Buffer {
  const byByte = Buffer.from(bytes).toString('latin1');
  return Buffer.from(byByte.replaceAll(/\r?\n[ \t]/g, ''), 'latin1');
}

// Some channels write dates without saying that they are dates.
const bareDates =
  /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)((?:;TZID=[^:;\r\n]*)?:\d{8}(?:,\d{8})*)(?=\r?$)/gim;

function textOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(unfolded(bytes)).trim();
  } catch {
    throw new UnreadableError('not_text');
  }
  text = text.replaceAll(bareDates, '$1;VALUE=DATE$2');
  if (text.includes('\0')) throw new UnreadableError('not_text');
  if (!/^BEGIN:VCALENDAR\s/i.test(text)) throw new UnreadableError('not_a_calendar');
  if (!/\nEND:VCALENDAR$/i.test(text)) throw new UnreadableError('incomplete');
  return text;
}

/** The iCalendar objects of a file; there may be several. */
function calendarsOf(text: string): Component[] {
  let parsed: unknown[];
  try {
    parsed = ICAL.parse(text);
  } catch (error) {
    // Its message may quote the file, and with it a guest.
    const message = String(error);
    const isLine = message.includes('invalid line');
    if (!isLine && message.includes('did not end')) throw new UnreadableError('incomplete');
    throw new UnreadableError('malformed', isLine ? 'a line has no name and value' : noValue);
  }
  const roots = typeof parsed[0] === 'string' ? [parsed] : parsed;
  return roots.map((root) => new ICAL.Component(root as never));
}

const dayOf = ({ year, month, day }: Pick<Time, 'year' | 'month' | 'day'>): DayNumber =>
  Date.UTC(year, month - 1, day) / 86_400_000;

/** A key of an instant, or of a date, to compare times. */
const keyOf = (time: Time): string => (time.isDate ? dateKey(time) : String(time.toUnixTime()));
const dateKey = (time: Time): string => `day ${dayOf(time)}`;

/** One version of an event, or of one occurrence of it. */
interface Version {
  component: Component;
  uid: string;
  sequence: number;
  /** Null: the event itself. */
  recurrenceId: Time | null;
  cancelled: boolean;
}

const dated = ['dtstart', 'dtend', 'recurrence-id', 'rdate', 'exdate'] as const;

const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)Z?$|^24:00:00Z?$/;

/** Whether a text is neither a date, or date and time, that exists, nor the duration of a period. */
function isWrong(text: string): boolean {
  if (/^[+-]?P/.test(text)) return false;
  const [date = '', time] = text.split('T');
  return parseDate(date) === null || (time !== undefined && !timeOfDay.test(time));
}

/** The parser accepts dates and times that do not exist, and time zones that nobody has defined. */
function checkDates(event: Component): void {
  for (const property of dated.flatMap((name) => event.getAllProperties(name))) {
    const texts = (property.toJSON() as unknown[]).slice(3).flat().map(String);
    if (texts.some(isWrong)) throw new UnreadableError('malformed', 'a date does not exist');
    const tzid = property.getParameter('tzid');
    if (tzid === undefined || property.type === 'date') continue;
    if (event.getTimeZoneByID(String(tzid)) || knowsZone(String(tzid))) continue;
    throw new UnreadableError('unknown_time_zone', String(tzid).slice(0, 100));
  }
}

const valueOf = (component: Component, name: string): unknown =>
  component.getFirstPropertyValue(name);

const isWord = (value: unknown, word: string): boolean => String(value).toUpperCase() === word;

function versionsOf(calendar: Component): Version[] {
  const isCancellation = isWord(valueOf(calendar, 'method'), 'CANCEL');
  return calendar.getAllSubcomponents('vevent').map((component) => {
    checkDates(component);
    const uid = valueOf(component, 'uid');
    return {
      component,
      uid: typeof uid === 'string' ? uid : '',
      sequence: Number(valueOf(component, 'sequence')) || 0,
      recurrenceId: (valueOf(component, 'recurrence-id') as Time | null) ?? null,
      cancelled: isCancellation || isWord(valueOf(component, 'status'), 'CANCELLED'),
    };
  });
}

/** The versions that count: those with the highest SEQUENCE; none if one of them is a cancellation. */
function current(versions: readonly Version[]): Version[] {
  const highest = Math.max(...versions.map(({ sequence }) => sequence));
  const newest = versions.filter(({ sequence }) => sequence === highest);
  return newest.some(({ cancelled }) => cancelled) ? [] : newest;
}

function startOf({ component }: Version): Time {
  const start = valueOf(component, 'dtstart');
  if (!(start instanceof ICAL.Time)) {
    throw new UnreadableError('malformed', 'an event has no DTSTART');
  }
  return start;
}

function endOf(version: Version): Time {
  const start = startOf(version);
  const end = valueOf(version.component, 'dtend') ?? valueOf(version.component, 'duration');
  if (end === null) return start;
  if (end instanceof ICAL.Time) return end;
  if (!(end instanceof ICAL.Duration)) throw new UnreadableError('malformed', noValue);
  const later = start.clone();
  // The duration of a date has days; hours would end on the day on which they begin.
  if (start.isDate) later.adjust(Math.ceil(end.toSeconds() / 86_400), 0, 0, 0);
  else later.addDuration(end);
  return later;
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
function endFrom(version: Version, start: Time): Time {
  return shifted(start, secondsBetween(startOf(version), endOf(version)));
}

interface Occurrence {
  start: Time;
  end: Time;
}

const isFloating = (time: Time): boolean => time.zone === ICAL.Timezone.localTimezone;

/** The date and the minute of the day of a time at the home. */
function atHome(time: Time, timeZone: string | null): { day: DayNumber; minute: number } {
  if (time.isDate) return { day: dayOf(time), minute: 0 };
  if (isFloating(time)) return { day: dayOf(time), minute: time.hour * 60 + time.minute };
  const instant = Temporal.Instant.fromEpochMilliseconds(time.toUnixTime() * 1_000);
  const local = instant.toZonedDateTimeISO(timeZone ?? 'UTC');
  return { day: dayOf(local), minute: local.hour * 60 + local.minute };
}

/**
 * The nights of an occurrence. All-day events have those of their dates. An event with times has the nights
 * whose midnight lies in it: from 15:00 to 11:00 a stay, from 10:00 to 14:00 nothing. 23:59 counts as midnight.
 */
function nightsOf(uid: string, { start, end }: Occurrence, timeZone: string | null): EventNights {
  const from = atHome(start, timeZone).day;
  const { day, minute } = atHome(end, timeZone);
  const to = minute === 1_439 ? day + 1 : day;
  // RFC 5545, 3.6.1: a date without an end is one day.
  const shortest = start.isDate ? from + 1 : from;
  return { uid, from, to: Math.min(Math.max(to, shortest), lastDay) };
}

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
    if (String(error).includes('exceeded')) throw new UnreadableError('too_complex');
    throw error;
  }
}

/** Reads the events of one calendar. Counts occurrences, because rules can have any number of them. */
class Reader {
  readonly #calendar: CalendarToRead;
  #occurrences = 0;

  constructor(calendar: CalendarToRead) {
    this.#calendar = calendar;
  }

  #count(): void {
    this.#occurrences += 1;
    if (this.#occurrences > mostOccurrences) throw new UnreadableError('too_complex');
  }

  #lastDay(): DayNumber {
    return this.#calendar.today + horizonDays;
  }

  #isBeyond(start: Time): boolean {
    return dayOf(start) > this.#lastDay();
  }

  /** The starts by the rules of an event. */
  *#ruled(event: Version, start: Time): Generator<Time> {
    const { isDate, zone } = start;
    for (const property of event.component.getAllProperties('rrule')) {
      const rule = property.getFirstValue() as Recur;
      const until = lastTime(rule, start);
      rule.until = null;
      // The date of the end in the zone of the start may be the next one.
      const last = Math.min(this.#lastDay(), until ? dayOf(until) + 1 : Infinity);
      for (const found of ruledTimes(rule.toString(), start, last)) {
        const { year, month, day, hour, minute, second } = found;
        const time = ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate }, zone);
        if (until && time.compare(until) > 0) break;
        this.#count();
        yield time;
      }
    }
  }

  /** The occurrences of an event without its exceptions, by the key of their start. */
  #regular(event: Version): Map<string, Occurrence> {
    const start = startOf(event);
    const occurrences = new Map([[keyOf(start), { start, end: endOf(event) }]]);
    const add = (begin: Time, end = endFrom(event, begin)): void => {
      if (!occurrences.has(keyOf(begin))) occurrences.set(keyOf(begin), { start: begin, end });
    };
    for (const begin of this.#ruled(event, start)) add(begin);
    for (const property of event.component.getAllProperties('rdate')) {
      for (const value of property.getValues() as (Time | InstanceType<typeof ICAL.Period>)[]) {
        this.#count();
        if (value instanceof ICAL.Time) add(value);
        else add(value.start, value.getEnd());
      }
    }
    const excluded = event.component.getAllProperties('exdate').flatMap((p) => p.getValues());
    const keys = new Set((excluded as Time[]).map(keyOf));
    for (const [key, { start: begin }] of occurrences) {
      if (keys.has(key) || keys.has(dateKey(begin))) occurrences.delete(key);
    }
    return occurrences;
  }

  /** Replaces the occurrences that have a version of their own, which may be opaque where the event is not. */
  #withExceptions(event: Version, exceptions: readonly Version[]): Occurrence[] {
    const byId = Map.groupBy(exceptions, ({ recurrenceId }) => keyOf(recurrenceId!));
    const following = exceptions
      .filter(({ component }) => {
        const range = component.getFirstProperty('recurrence-id')!.getParameter('range');
        return isWord(range, 'THISANDFUTURE');
      })
      .toSorted((a, b) => a.recurrenceId!.compare(b.recurrenceId!));
    const isTaking = isOpaque(event);
    const regular = isTaking || following.length > 0 ? this.#regular(event) : [];
    const moved = [...regular].flatMap(([key, occurrence]) => {
      if (byId.has(key) || byId.has(dateKey(occurrence.start))) return [];
      const last = following.findLast(({ recurrenceId }) => {
        return recurrenceId!.compare(occurrence.start) <= 0;
      });
      if (last) return this.#following(last, occurrence);
      return isTaking ? [occurrence] : [];
    });
    return [...moved, ...this.#alone([...byId.values()].flatMap(current))];
  }

  /** An occurrence after a version for "this and all following". */
  #following(version: Version, { start }: Occurrence): Occurrence[] {
    if (version.cancelled || !isOpaque(version)) return [];
    const begin = shifted(start, secondsBetween(version.recurrenceId!, startOf(version)));
    return [{ start: begin, end: endFrom(version, begin) }];
  }

  #alone(versions: readonly Version[]): Occurrence[] {
    return versions.filter(isOpaque).map((version) => {
      return { start: startOf(version), end: endOf(version) };
    });
  }

  /** The nights of all versions with one UID. */
  nights(uid: string, versions: readonly Version[]): EventNights[] {
    const { timeZone, today } = this.#calendar;
    const exceptions = versions.filter(({ recurrenceId }) => recurrenceId !== null);
    const events = versions.filter(({ recurrenceId }) => recurrenceId === null);
    const byId = Map.groupBy(exceptions, ({ recurrenceId }) => keyOf(recurrenceId!));
    const occurrences =
      events.length === 0
        ? this.#alone([...byId.values()].flatMap(current))
        : current(events).flatMap((event) => this.#withExceptions(event, exceptions));
    return occurrences
      .filter(({ start }) => !this.#isBeyond(start))
      .map((occurrence) => nightsOf(uid, occurrence, timeZone))
      .filter(({ from, to }) => from < to && to > today);
  }
}

/** Whether an event takes time. Spec: RFC 5545, 3.8.2.7. */
const isOpaque = ({ component }: Version): boolean =>
  !isWord(valueOf(component, 'transp'), 'TRANSPARENT');

function read(calendar: CalendarToRead): EventNights[] {
  const versions = calendarsOf(textOf(calendar.bytes)).flatMap(versionsOf);
  if (versions.length > mostEvents) throw new UnreadableError('too_complex');
  const foreign = versions.filter(({ uid }) => !uid.endsWith(`@${calendar.ownDomain}`));
  // Events without a UID are separate events.
  const groups = Map.groupBy(foreign, ({ uid, component }) => (uid === '' ? component : uid));
  const reader = new Reader(calendar);
  return [...groups.values()].flatMap((group) =>
    // A pair of surrogates that is cut would be stored as another text, and never be found again.
    reader.nights(group[0]!.uid.slice(0, longestUid).toWellFormed() || 'without UID', group),
  );
}

/**
 * Reads which nights of a home a calendar takes from today on, up to the booking horizon. A calendar that is not
 * completely readable has a problem and no nights.
 *
 * Spec: RFC 5545.
 */
export function readCalendar(calendar: CalendarToRead): ReadCalendar {
  try {
    return { nights: withoutOverlaps(read(calendar)) };
  } catch (error) {
    if (error instanceof UnreadableError) return error.problem;
    return problemOf('malformed', noValue);
  } finally {
    forgetZones();
  }
}
