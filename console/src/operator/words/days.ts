/** Days as numbers since 1970-01-01, and as `YYYY-MM-DD`. */
import {
  dateAndTime,
  formatDays,
  formatMonthYear,
  formatShortDay,
  isoDate,
  isoInstant,
} from '../../base/words/dates.ts';

const dayMs = 86_400_000;

/** The number of a day; NaN if the text is no date. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

export const dateOf = (day: number): string => isoDate(day * dayMs);

/** Today at a home; null: in UTC. */
export const todayAt = (timeZone: string | null): string =>
  zonedInstant(isoInstant(Date.now()), timeZone).day;

/** Today, by the clock of this browser. */
export function todayHere(): string {
  const now = new Date();
  return dateOf(Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / dayMs));
}

/** Today in UTC, in whose days the books are. Spec: OPERATOR-21. */
export const todayInUtc = (): string => isoInstant(Date.now()).slice(0, 10);

export { dayText } from '../../base/words/dates.ts';

/** A day without weekday and year: `14 Aug`. */
export const shortDayText = (day: number): string => formatShortDay(day);

/** Arrival and departure in one line: `14–21 Aug 2027`. */
export function stayText(from: string, to: string): string {
  const [start, end] = [dayOf(from), dayOf(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) return `${from} – ${to}`;
  return formatDays(start, end);
}

/** An instant as day and time in the time zone of a home; null: in UTC. */
export const zonedInstant = (at: string, timeZone: string | null): { day: string; time: string } =>
  dateAndTime(at, timeZone ?? 'UTC');

const weekdayLetters = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'] as const;

/** The month of a day: `Aug 2027`. */
export const monthText = (day: number): string => formatMonthYear(day);

/** What the head of a column shows. */
export function columnHead(day: number): { weekday: string; date: string; isWeekend: boolean } {
  const at = new Date(day * dayMs);
  const weekday = at.getUTCDay();
  const number = at.getUTCDate();
  // On each Monday, so that the month is always in view.
  const hasMonth = number === 1 || weekday === 1;
  return {
    weekday: weekdayLetters[weekday]!,
    date: hasMonth ? shortDayText(day) : `${number}`,
    isWeekend: weekday === 0 || weekday === 6,
  };
}
