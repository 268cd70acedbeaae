/** Days as numbers since 1970-01-01, and as `YYYY-MM-DD`. */

const dayMs = 86_400_000;

/** The number of a day; NaN if the text is no date. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Today at a home; null: in UTC. */
export const todayAt = (timeZone: string | null): string =>
  zonedInstant(new Date().toISOString(), timeZone).day;

/** Today, by the clock of this browser. */
export function todayHere(): string {
  const now = new Date();
  return dateOf(Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / dayMs));
}

/** The order of day and month that the browser's language has; the words are English. */
const order = (navigator.language === 'en-US' ? 'en-US' : 'en-GB') as string;

const dayFormat = new Intl.DateTimeFormat(order, {
  timeZone: 'UTC',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** A day for people: `Sat, 14 Aug 2027`. */
export const dayText = (date: string): string => {
  const day = dayOf(date);
  return Number.isNaN(day) ? date : dayFormat.format(day * dayMs);
};

const stayFormat = new Intl.DateTimeFormat(order, {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** Arrival and departure in one line: `14–21 Aug 2027`. */
export function stayText(from: string, to: string): string {
  const [start, end] = [dayOf(from), dayOf(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) return `${from} – ${to}`;
  return stayFormat.formatRange(start * dayMs, end * dayMs);
}

const zonedFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });

/** An instant as day and time in the time zone of a home; null: in UTC. */
export function zonedInstant(at: string, timeZone: string | null): { day: string; time: string } {
  const [day = '', time = ''] = zonedFormat(timeZone ?? 'UTC')
    .format(new Date(at))
    .split(' ');
  return { day, time };
}

const weekdayLetters = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'] as const;
const monthFormat = new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short' });

const monthYearFormat = new Intl.DateTimeFormat('en', {
  timeZone: 'UTC',
  month: 'short',
  year: 'numeric',
});

/** The month of a day: `Aug 2027`. */
export const monthText = (day: number): string => monthYearFormat.format(day * dayMs);

/** What the head of a column shows. */
export function columnHead(day: number): { weekday: string; date: string; isWeekend: boolean } {
  const at = new Date(day * dayMs);
  const weekday = at.getUTCDay();
  const number = at.getUTCDate();
  // On each Monday, so that the month is always in view.
  const month = number === 1 || weekday === 1 ? ` ${monthFormat.format(at)}` : '';
  return {
    weekday: weekdayLetters[weekday]!,
    date: `${number}${month}`,
    isWeekend: weekday === 0 || weekday === 6,
  };
}
