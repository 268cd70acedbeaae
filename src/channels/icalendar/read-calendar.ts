import ICAL from 'ical.js';
import type { DayNumber } from '../../pricing/index.ts';
import type { IgnoredBecause } from '../rules/events.ts';
import { isDamage, problemOf, type Problem, type ReadProblem } from '../rules/problems.ts';
import { findComponents, type Component } from './components.ts';
import { contentLines } from './content-lines.ts';
import type { Time } from './dates.ts';
import { parseBusyPeriods, parseEvent, type ParsedEvent, type Version } from './event.ts';
import { dayOf, Occurrences, TooManyError, type Occurrence } from './occurrences.ts';
import { Zones } from './time-zones.ts';

/** A calendar to read, and the home that it is for. */
export interface CalendarToRead {
  bytes: Uint8Array;
  /** Of the home; null: UTC. */
  timeZone: string | null;
  /** The date at the home. */
  today: DayNumber;
  options: ReadOptions;
}

/** How a channel means what it writes. */
export interface ReadOptions {
  /** Events with these texts as `SUMMARY` take no nights. */
  ignore: readonly string[];
  /** Whether the end of an event is the day of departure, or its last night. */
  end: 'checkout' | 'night';
  /** Whether events that are shown as free take nights. */
  free: 'ignore' | 'count';
}

/** An event that is not over, with its nights, half-open. */
export interface ReadEvent {
  uid: string;
  summary: string;
  from: DayNumber;
  to: DayNumber;
  /** Null: it takes its nights. */
  ignored: IgnoredBecause | null;
}

/** What a calendar says. */
export interface ReadCalendar {
  /** Whether nothing of it can have been lost: only then what it does not say means something. */
  whole: boolean;
  /** In the order of its lines. */
  problems: ReadProblem[];
  events: ReadEvent[];
}

/** Events that begin later cannot overlap a stay: the booking horizon, the longest stay, and a week. */
const horizonDays = 730 + 90 + 7;
const mostEvents = 20_000;
const mostProblems = 100;
const longestUid = 255;
const lastDay = Date.UTC(9999, 11, 31) / 86_400_000;

const isFloating = (time: Time): boolean => time.zone === ICAL.Timezone.localTimezone;

/** The date and the minute of the day of a time at the home. */
function atHome(time: Time, timeZone: string | null): { day: DayNumber; minute: number } {
  if (time.isDate) return { day: dayOf(time), minute: 0 };
  if (isFloating(time)) {
    const isNextDay = time.hour === 24;
    return { day: dayOf(time) + (isNextDay ? 1 : 0), minute: (time.hour % 24) * 60 + time.minute };
  }
  const instant = Temporal.Instant.fromEpochMilliseconds(time.toUnixTime() * 1_000);
  const local = instant.toZonedDateTimeISO(timeZone ?? 'UTC');
  return { day: dayOf(local), minute: local.hour * 60 + local.minute };
}

/**
 * The nights of an occurrence. All-day events have those of their dates. An event with times has the nights
 * whose midnight lies in it: from 15:00 to 11:00 a stay, from 10:00 to 14:00 nothing. 23:59 counts as midnight.
 */
function nightsOf(
  { version, start, end }: Occurrence,
  { timeZone, options }: CalendarToRead,
): { from: DayNumber; to: DayNumber } {
  const from = atHome(start, timeZone).day;
  const { day, minute } = atHome(end, timeZone);
  const isLastNight = options.end === 'night' && version.hasEnd && minute === 0;
  const to = minute === 1_439 || isLastNight ? day + 1 : day;
  // RFC 5545, 3.6.1: a date without an end is one day. An end before the start is a mistake.
  const isMistake = end.compare(start) < 0;
  const shortest = start.isDate || isMistake ? from + 1 : from;
  return { from, to: Math.min(Math.max(to, shortest), lastDay) };
}

/** A summary for comparison: case and runs of white space do not count. */
const folded = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** Reads the events of one calendar. */
class Reader {
  readonly #calendar: CalendarToRead;
  readonly #occurrences: Occurrences;
  readonly #ignored: ReadonlySet<string>;
  readonly faults: ReadProblem[] = [];

  constructor(calendar: CalendarToRead) {
    this.#calendar = calendar;
    this.#occurrences = new Occurrences(calendar.today + horizonDays);
    this.#ignored = new Set(calendar.options.ignore.map(folded));
  }

  problem({ line, uid }: { line: number; uid: string }, problem: Problem): void {
    this.faults.push({ line, uid: uid === '' ? null : shortUid(uid), ...problem });
  }

  /** Whether an event is over in every time zone, whatever cannot be read of it. */
  isOver({ last, repeats }: ParsedEvent): boolean {
    return last !== null && !repeats && dayOf(last) < this.#calendar.today - 2;
  }

  #whyIgnored({ version }: Occurrence, from: DayNumber, to: DayNumber): IgnoredBecause | null {
    if (version.free && this.#calendar.options.free === 'ignore') return 'free';
    if (this.#ignored.has(folded(version.summary))) return 'summary';
    return from < to ? null : 'no_night';
  }

  #eventOf(occurrence: Occurrence): ReadEvent {
    const { uid, summary } = occurrence.version;
    const { from, to } = nightsOf(occurrence, this.#calendar);
    const ignored = this.#whyIgnored(occurrence, from, to);
    return { uid: shortUid(uid), summary, from, to: Math.max(to, from + 1), ignored };
  }

  /** The events of all versions with one UID. */
  events(versions: readonly Version[]): ReadEvent[] {
    const counted = versions.map((version): Version => {
      const isFree = version.free && this.#calendar.options.free === 'ignore';
      return { ...version, free: isFree };
    });
    const cancelled = counted
      .filter((version) => version.cancelled)
      .map((version): ReadEvent => {
        const { start, end } = version;
        return { ...this.#eventOf({ version, start, end }), ignored: 'cancelled' };
      });
    return [...this.#occurrencesOf(counted).map((one) => this.#eventOf(one)), ...cancelled];
  }

  /** An event whose rule cannot be followed has at least its own nights. */
  #occurrencesOf(versions: readonly Version[]): Occurrence[] {
    try {
      return this.#occurrences.of(versions);
    } catch (error) {
      const problem = error instanceof TooManyError ? 'too_complex' : 'bad_value';
      this.problem(versions[0]!, problemOf(problem, problem === 'bad_value' ? 'RRULE' : null));
      return versions
        .filter((version) => !version.cancelled)
        .map((version) => ({ version, start: version.start, end: version.end }));
    }
  }
}

// A pair of surrogates that is cut would be stored as another text, and never be found again.
const shortUid = (uid: string): string => uid.slice(0, longestUid).toWellFormed() || 'without UID';

function parseAll(components: readonly Component[]): ParsedEvent[] {
  const zones = new Zones(components.filter(({ name }) => name === 'VTIMEZONE'));
  return components.flatMap((component) => {
    if (component.name === 'VEVENT') return [parseEvent(component, zones)];
    return component.name === 'VFREEBUSY' ? parseBusyPeriods(component, zones) : [];
  });
}

const notRead = (problem: Problem): ReadCalendar => ({
  whole: false,
  problems: [{ line: null, uid: null, ...problem }],
  events: [],
});

/**
 * Reads which nights of a home a calendar takes from today on, up to the booking horizon. Each event is read by
 * itself: what cannot be read is a problem, and stops nothing else.
 *
 * Spec: CHANNEL-1.
 */
export function readCalendar(calendar: CalendarToRead): ReadCalendar {
  const lines = contentLines(calendar.bytes);
  if (!lines) return notRead(problemOf('not_text'));
  const { components, problems, calendars } = findComponents(lines);
  if (calendars === 0) return notRead(problemOf('not_a_calendar'));
  if (components.length > mostEvents) return notRead(problemOf('too_complex'));
  const reader = new Reader(calendar);
  const parsed = parseAll(components).filter((event) => !reader.isOver(event));
  for (const event of parsed) for (const one of event.problems) reader.problem(event, one);
  const versions = parsed.flatMap(({ version }) => (version ? [version] : []));
  // Events without a UID are separate events.
  const groups = Map.groupBy(versions, (version) => (version.uid === '' ? version : version.uid));
  const events = [...groups.values()]
    .flatMap((group) => reader.events(group))
    .filter(({ to }) => to > calendar.today);
  const all = [...problems, ...reader.faults].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { whole: !all.some(isDamage), problems: all.slice(0, mostProblems), events };
}
