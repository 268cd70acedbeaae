/** Calendar dates as day numbers; conversion between dates, clocks and time zones. */

import { patterns } from '../../contract/patterns.ts';
import type { DayNumber, Weekday } from './listing.ts';

const MILLISECONDS_PER_DAY = 86_400_000;
const DAYS_PER_YEAR = 365;
const DAYS_4_YEARS = 4 * DAYS_PER_YEAR + 1;
const DAYS_100_YEARS = 25 * DAYS_4_YEARS - 1;
const DAYS_400_YEARS = 4 * DAYS_100_YEARS + 1;

/** Days from 0000-03-01 to 1970-01-01: calculations use years that begin in March. */
const MARCH_OF_YEAR_0 = 719_468;

const DATE_FORM = /^(\d{4})-(\d{2})-(\d{2})$/;

interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/**
 * The day number of a date from outside, in the form YYYY-MM-DD.
 *
 * Null for any other form (signs, expanded years, times, blanks) and for a date that does not exist.
 * Years 0000 to 9999.
 *
 * Spec: CALL-15.
 */
export function parseDate(text: string): DayNumber | null {
  const parts = DATE_FORM.exec(text);
  if (parts === null) return null;
  const civil = { year: Number(parts[1]), month: Number(parts[2]), day: Number(parts[3]) };
  const day = dayOfCivil(civil);
  const same = civilOfDay(day);
  const exists = same.year === civil.year && same.month === civil.month && same.day === civil.day;
  return exists ? day : null;
}

const keptForm = new RegExp(patterns.keptDate.pattern);

/** Whether a date can be stored: it exists and is in the years 1900 to 8999. */
export const isKeptDate = (text: string): boolean =>
  keptForm.test(text) && parseDate(text) !== null;

/**
 * The day number of a valid date, in the form YYYY-MM-DD.
 *
 * Throws a RangeError if `parseDate` returns null.
 *
 * Spec: CALL-15.
 */
export function dayNumber(date: string): DayNumber {
  const day = parseDate(date);
  if (day === null) throw new RangeError(`no such date: ${date}`);
  return day;
}

/**
 * The date of a day number, in the form YYYY-MM-DD.
 *
 * Throws a RangeError outside the years 0000 to 9999, which the form cannot write.
 *
 * Spec: CALL-15.
 */
export function dateText(day: DayNumber): string {
  const civil = civilOfDay(day);
  if (!(civil.year >= 0 && civil.year <= 9999)) throw new RangeError(`no date for day ${day}`);
  return `${String(civil.year).padStart(4, '0')}-${twoDigits(civil.month)}-${twoDigits(civil.day)}`;
}

// Searches and calendars ask for the same days of many homes: a slot for each of about a thousand days.
const knownDays = 1_024;
const daysOfSlots = new Float64Array(knownDays).fill(Number.NaN);
// Integers: the rest of a division takes several times as long for numbers that may have a fraction.
const digitsOfSlots = new Int32Array(knownDays);

/** The date of a day number as the number YYYYMMDD. Numbers of this form sort chronologically. */
export function dateDigits(day: DayNumber): number {
  const slot = day & (knownDays - 1);
  if (daysOfSlots[slot] === day) return digitsOfSlots[slot]!;
  const civil = civilOfDay(day);
  const digits = civil.year * 10_000 + civil.month * 100 + civil.day;
  daysOfSlots[slot] = day;
  digitsOfSlots[slot] = digits;
  return digits;
}

/** The day of the week of a day number, Monday 1 to Sunday 7; also before 1970. */
export function weekdayOf(day: DayNumber): Weekday {
  // Day 0 was a Thursday.
  const sinceMonday = (((day + 3) % 7) + 7) % 7;
  return (sinceMonday + 1) as Weekday;
}

/**
 * The date at a property at an instant.
 *
 * `epochMs` is in milliseconds since 1970-01-01T00:00Z; a zone of null means UTC. Throws a
 * RangeError for an unknown zone.
 *
 * Spec: CALL-16.
 */
export function todayAt(epochMs: number, timeZone: string | null): DayNumber {
  if (timeZone === null) return Math.floor(epochMs / MILLISECONDS_PER_DAY);
  const known = lastDays.get(timeZone);
  if (known && known.from <= epochMs && epochMs < known.until) return known.day;
  const day = dayAt(epochMs, timeZone);
  lastDays.set(timeZone, day);
  return day.day;
}

// A search asks for the same moment in the few zones of many homes, and a conversion takes microseconds.
const lastDays = new Map<string, { day: DayNumber; from: number; until: number }>();

/** The day of an instant in a zone, and the instants at which it begins and ends. */
function dayAt(epochMs: number, timeZone: string) {
  const begin = Temporal.Instant.fromEpochMilliseconds(epochMs)
    .toZonedDateTimeISO(timeZone)
    .startOfDay();
  const { year, month, day } = begin;
  return {
    day: dayOfCivil({ year, month, day }),
    from: begin.epochMilliseconds,
    until: begin.add({ days: 1 }).startOfDay().epochMilliseconds,
  };
}

/**
 * The instant, in milliseconds since 1970-01-01T00:00Z, of a local time (HH:MM) on a date in a zone.
 *
 * A zone of null means UTC. A time skipped by daylight saving moves forward by the length of the gap, so
 * a skipped midnight is the first instant of its day. A time that occurs twice is the first of the two.
 * Throws a RangeError for a zone or time that does not exist.
 */
export function epochMsAt(day: DayNumber, time: string, timeZone: string | null): number {
  const plainTime = Temporal.PlainTime.from(time);
  const local = Temporal.PlainDate.from(dateText(day));
  return local.toZonedDateTime({ timeZone: timeZone ?? 'UTC', plainTime }).epochMilliseconds;
}

/** Counts months from March, so that the leap day is the last day of the year. */
function dayOfCivil({ year, month, day }: CivilDate): DayNumber {
  const marchYear = month > 2 ? year : year - 1;
  const marchMonth = month > 2 ? month - 3 : month + 9;
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400);
  const dayOfYear = daysBeforeMonth(marchMonth) + day - 1;
  return marchYear * DAYS_PER_YEAR + leapDays + dayOfYear - MARCH_OF_YEAR_0;
}

function civilOfDay(date: DayNumber): CivilDate {
  const days = date + MARCH_OF_YEAR_0;
  const cycle = Math.floor(days / DAYS_400_YEARS);
  const dayOfCycle = days - cycle * DAYS_400_YEARS;
  const yearOfCycle = yearOf400(dayOfCycle);
  const dayOfYear = dayOfCycle - daysBeforeYearOf400(yearOfCycle);
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - daysBeforeMonth(marchMonth) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: cycle * 400 + yearOfCycle + (month > 2 ? 0 : 1), month, day };
}

/** The year (0 to 399) of a day in the 400-year cycle, after subtracting earlier leap days. */
function yearOf400(dayOfCycle: number): number {
  const leapDays =
    Math.floor(dayOfCycle / (DAYS_4_YEARS - 1)) -
    Math.floor(dayOfCycle / DAYS_100_YEARS) +
    Math.floor(dayOfCycle / (DAYS_400_YEARS - 1));
  return Math.floor((dayOfCycle - leapDays) / DAYS_PER_YEAR);
}

function daysBeforeYearOf400(year: number): number {
  return year * DAYS_PER_YEAR + Math.floor(year / 4) - Math.floor(year / 100);
}

/** Days before a month, March being 0: the month lengths 31, 30, 31, 30, 31 (153 days) repeat. */
function daysBeforeMonth(marchMonth: number): number {
  return Math.floor((153 * marchMonth + 2) / 5);
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}
