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

const shortFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
});
const yearOf = (date: string): string => date.slice(0, 4);

/** A stay in one line: `14–21 Aug 2027`, `30 Aug – 2 Sep 2027`. */
export function stayText(from: string, to: string): string {
  const [start, end] = [dayOf(from), dayOf(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) return `${from} – ${to}`;
  const until = `${shortFormat.format(end * dayMs)} ${yearOf(to)}`;
  if (yearOf(from) !== yearOf(to)) {
    return `${shortFormat.format(start * dayMs)} ${yearOf(from)} – ${until}`;
  }
  if (from.slice(0, 7) === to.slice(0, 7)) return `${Number(from.slice(8))}–${until}`;
  return `${shortFormat.format(start * dayMs)} – ${until}`;
}

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
