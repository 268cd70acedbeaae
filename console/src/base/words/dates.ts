/**
 * The one place where days and instants become texts. The words are English; day and month have the order of the
 * language of the person, which the browser says.
 */

const dayMs = 86_400_000;

function isMonthFirst(language: string): boolean {
  try {
    return (
      new Intl.DateTimeFormat(language, { day: 'numeric', month: 'numeric', year: 'numeric' })
        .formatToParts()
        .find(({ type }) => type !== 'literal')?.type === 'month'
    );
  } catch {
    // Some browsers name a language that is none: `en-US@posix`.
    return language.startsWith('en-US');
  }
}

let order: 'en-US' | 'en-GB' | undefined;

function formatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  order ??= isMonthFirst(navigator.language) ? 'en-US' : 'en-GB';
  return new Intl.DateTimeFormat(order, { timeZone: 'UTC', ...options });
}

/** A format that is made when it is first used: most pages need few of them, and the first one of a browser takes long. */
function lateFormat(options: Intl.DateTimeFormatOptions): () => Intl.DateTimeFormat {
  let made: Intl.DateTimeFormat | undefined;
  return () => (made ??= formatOf(options));
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

const dayFormat = lateFormat({ weekday: 'short', ...day });
const stayFormat = lateFormat(day);
const shortDayFormat = lateFormat({ day: 'numeric', month: 'short' });
const monthYearFormat = lateFormat({ month: 'short', year: 'numeric' });
const longMonthFormat = lateFormat({ month: 'long', year: 'numeric' });

/** A day for people: `Sat, 14 Aug 2027`. A text that is no date stays as it is. */
export function dayText(date: string): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? date : dayFormat().format(at);
}

/** A text of the service with its days as people read them. */
export const withDayTexts = (text: string): string =>
  text.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, dayText);

/** Two days in one line: `14–21 Aug 2027`. */
export const formatDays = (from: number, to: number): string =>
  stayFormat().formatRange(from * dayMs, to * dayMs);

/** A day without its year, for charts: `14 Aug`. */
export const formatShortDay = (number: number): string => shortDayFormat().format(number * dayMs);

/** The month of a day with its year: `Aug 2027`. */
export const formatMonthYear = (number: number): string => monthYearFormat().format(number * dayMs);

/** The month of an instant with its year: `August 2027`. */
export const formatLongMonth = (at: number): string => longMonthFormat().format(at);

/** The date of an instant in UTC, as fields have it: `2027-08-14`. */
export const isoDate = (at: number): string => isoInstant(at).slice(0, 10);

/** An instant as calls have it. */
export const isoInstant = (at: number): string => new Date(at).toISOString();

/** The instant at which a day begins here, some days later. */
export function startOfDay(date: string, daysLater = 0): string {
  const at = new Date(`${date}T00:00`);
  at.setDate(at.getDate() + daysLater);
  return isoInstant(at.getTime());
}

/** The time zone of this browser: that of the times that pages show. */
export const timeZoneHere = new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface ZonedFormats {
  plain: Intl.DateTimeFormat;
  exact: Intl.DateTimeFormat;
  iso: Intl.DateTimeFormat;
}

const zones = new Map<string, ZonedFormats>();

function formatsOf(zone: string | undefined): ZonedFormats {
  const known = zones.get(zone ?? '');
  if (known) return known;
  const timeZone = zone ? { timeZone: zone } : { timeZone: undefined };
  const made = {
    plain: formatOf({ ...day, ...time, ...timeZone }),
    exact: formatOf({
      weekday: 'short',
      ...day,
      ...time,
      second: '2-digit',
      timeZoneName: 'short',
      ...timeZone,
    }),
    iso: new Intl.DateTimeFormat('sv-SE', { ...timeZone, dateStyle: 'short', timeStyle: 'short' }),
  };
  zones.set(zone ?? '', made);
  return made;
}

/** An instant: `14 Aug 2027, 16:05`. Without a time zone, in that of the browser. */
export const instantText = (at: string, zone?: string): string =>
  formatsOf(zone).plain.format(new Date(at));

/** An instant with weekday, seconds and time zone, for a hint. */
export const exactInstant = (at: string, zone?: string): string =>
  formatsOf(zone).exact.format(new Date(at));

/** Date and time of an instant in a time zone, as fields have them: `2027-08-14`, `16:05`. */
export function dateAndTime(at: string, zone: string): { day: string; time: string } {
  const [date = '', clock = ''] = formatsOf(zone).iso.format(new Date(at)).split(' ');
  return { day: date, time: clock };
}
