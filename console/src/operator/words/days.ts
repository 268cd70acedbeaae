/** Days as numbers since 1970-01-01, and as `YYYY-MM-DD`. */

const dayMs = 86_400_000;

/** The number of a day; NaN if the text is no date. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayMs;

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Today, by the clock of this browser. */
export function todayHere(): string {
  const now = new Date();
  return dateOf(Math.floor((now.getTime() - now.getTimezoneOffset() * 60_000) / dayMs));
}

const dayFormat = new Intl.DateTimeFormat('en', {
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

const weekdayLetters = ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'] as const;
const monthFormat = new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short' });

/** What the head of a column shows. */
export function columnHead(day: number): { weekday: string; date: string; isWeekend: boolean } {
  const at = new Date(day * dayMs);
  const weekday = at.getUTCDay();
  const number = at.getUTCDate();
  const month = number === 1 ? ` ${monthFormat.format(at)}` : '';
  return {
    weekday: weekdayLetters[weekday]!,
    date: `${number}${month}`,
    isWeekend: weekday === 0 || weekday === 6,
  };
}
