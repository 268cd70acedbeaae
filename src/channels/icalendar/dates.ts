/** Dates and times as calendars really write them. */
import ICAL from 'ical.js';
import { parseDate } from '../../pricing/index.ts';
import type { Property } from './properties.ts';
import { offsetZone, type Zone, type Zones } from './time-zones.ts';

/** A date, or a time in a zone. */
export type Time = InstanceType<typeof ICAL.Time>;
/** A length of time. */
export type Duration = InstanceType<typeof ICAL.Duration>;

const form = new RegExp(
  [
    /^(\d{4})-?(\d{2})-?(\d{2})/,
    /(?:[T ]\s*(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/,
  ]
    .map(({ source }) => source)
    .join(''),
  'i',
);

interface DateFields {
  year: number;
  month: number;
  day: number;
  /** Null: a date. */
  time: { hour: number; minute: number; second: number; offset: string | undefined } | null;
}

/** Null: no such date or time exists. */
function partsOf(text: string): DateFields | null {
  const found = form.exec(text);
  if (!found || parseDate(`${found[1]}-${found[2]}-${found[3]}`) === null) return null;
  const [, year, month, day, hour, minute, second = 0] = found.map(Number);
  const date = { year: year!, month: month!, day: day! };
  if (found[4] === undefined) return { ...date, time: null };
  const isMidnight = hour === 24 && minute === 0 && !second;
  if (!isMidnight && (hour! > 23 || minute! > 59 || (second || 0) > 60)) return null;
  return { ...date, time: { hour: hour!, minute: minute!, second: second || 0, offset: found[7] } };
}

function zoneOf(offset: string | undefined, named: Zone): Zone {
  if (offset === undefined) return named;
  return offset.toUpperCase() === 'Z' ? ICAL.Timezone.utcTimezone : (offsetZone(offset) ?? named);
}

/** Reads a date or time. Null: there is none in it, or it does not exist. */
export function parseTime(
  text: string,
  { parameters }: Pick<Property, 'parameters'>,
  zones: Zones,
): Time | null {
  const parts = partsOf(text.trim());
  if (!parts) return null;
  const { time, ...date } = parts;
  const isDate = time === null || parameters.get('VALUE')?.toUpperCase() === 'DATE';
  if (isDate) return ICAL.Time.fromData({ ...date, isDate: true });
  const { offset, ...clock } = time;
  const zone = zoneOf(offset, zones.named(parameters.get('TZID')));
  return ICAL.Time.fromData({ ...date, ...clock, isDate: false }, zone);
}

/** Reads a duration. Null: there is none in it. */
export function parseDuration(text: string): Duration | null {
  try {
    return ICAL.Duration.fromString(text.trim().toUpperCase());
  } catch {
    return null;
  }
}

/** A time, or a period: its start, and its end or length. */
export interface Period {
  start: Time;
  /** Null: a time. */
  end: Time | null;
}

function parsePeriod(text: string, property: Property, zones: Zones): Period | null {
  const [first = '', last] = text.split('/');
  const start = parseTime(first, property, zones);
  if (!start || last === undefined) return start && { start, end: null };
  const end = parseTime(last, property, zones);
  if (end) return { start, end };
  const duration = parseDuration(last);
  if (!duration) return null;
  const later = start.clone();
  later.addDuration(duration);
  return { start, end: later };
}

/** Reads a list of times and periods. An empty one is none. Null: one of them cannot be read. */
export function parseTimes(property: Property, zones: Zones): Period[] | null {
  const texts = property.value.split(',').filter((text) => text.trim() !== '');
  const periods = texts.map((text) => parsePeriod(text, property, zones));
  return periods.every((period) => period !== null) ? periods : null;
}
