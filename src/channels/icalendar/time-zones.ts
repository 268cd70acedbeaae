/** The time zones of a calendar: those that it defines, and those that it only names. */
import ICAL from 'ical.js';
import type { Component } from './components.ts';
import { windowsZones } from './windows-zones.ts';

type Time = InstanceType<typeof ICAL.Time>;
/** A time zone of the parser. */
export type Zone = InstanceType<typeof ICAL.Timezone>;

/** A time zone of the IANA database. */
class IanaZone extends ICAL.Timezone {
  readonly #name: string;

  constructor(name: string) {
    super({ tzid: name });
    this.#name = name;
  }

  override utcOffset({ year, month, day, hour, minute, second }: Time): number {
    const local = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
    return local.toZonedDateTime(this.#name).offsetNanoseconds / 1e9;
  }
}

/** A zone that is always the same time from UTC. */
class FixedZone extends ICAL.Timezone {
  readonly #seconds: number;

  constructor(seconds: number) {
    super({ tzid: `offset ${seconds}` });
    this.#seconds = seconds;
  }

  override utcOffset(): number {
    return this.#seconds;
  }
}

const offsetForm = /^([+-])(\d{1,2})(?::?(\d{2}))?$/;

/** The zone of an offset such as `+01:00`. Null: it is none. */
export function offsetZone(text: string): Zone | null {
  const [, sign, hours, minutes = '0'] = offsetForm.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 18 || Number(minutes) > 59) return null;
  const seconds = Number(hours) * 3_600 + Number(minutes) * 60;
  return seconds === 0
    ? ICAL.Timezone.utcTimezone
    : new FixedZone(sign === '-' ? -seconds : seconds);
}

function ianaZone(name: string): Zone | null {
  // "+02:00" is not a name of the database.
  if (!/^[A-Za-z]/.test(name)) return null;
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return new IanaZone(name);
  } catch {
    return null;
  }
}

/** A leading slash says that the name is global; the name of its registry may precede it. */
function globalZone(name: string): Zone | null {
  if (!name.startsWith('/')) return null;
  const parts = name.split('/').filter((part) => part !== '');
  for (let at = 0; at < parts.length; at += 1) {
    const zone = ianaZone(parts.slice(at).join('/'));
    if (zone) return zone;
  }
  return null;
}

/** `W. Europe Standard Time`, also of another season, or with the number that some programs add. */
function windowsZone(name: string): Zone | null {
  const short = name.replace(/ \d+$/, '').replace(/ (?:Standard|Daylight|Summer) Time\b/i, '');
  const iana = Object.hasOwn(windowsZones, short.toLowerCase())
    ? windowsZones[short.toLowerCase()]
    : undefined;
  return iana === undefined ? null : ianaZone(iana);
}

/** `(UTC+01:00) Amsterdam, Berlin`, `GMT+2`, `+0200`, `UTC`. */
function namedOffset(name: string): Zone | null {
  const [, offset] = /^\(?(?:UTC|GMT|Z)?\s*([+-]\d{1,2}(?::?\d{2})?)(?:\)|$)/i.exec(name) ?? [];
  if (offset !== undefined) return offsetZone(offset);
  return /^(?:\((?:UTC|GMT)\)|(?:UTC|GMT|Z)$|tzone:\/\/Microsoft\/Utc$)/i.test(name)
    ? ICAL.Timezone.utcTimezone
    : null;
}

const finders = [namedOffset, ianaZone, globalZone, windowsZone] as const;

function findByName(name: string): Zone | null {
  for (const find of finders) {
    const zone = find(name);
    if (zone) return zone;
  }
  return null;
}

/** A time at which a definition must have an offset. */
const sample = (): Time =>
  ICAL.Time.fromData({
    year: 2027,
    month: 1,
    day: 1,
    hour: 0,
    minute: 0,
    second: 0,
    isDate: false,
  });

/** The zone of a definition. Null: it defines none. */
function definedZone({ lines }: Component, tzid: string): Zone | null {
  if (!lines.some((line) => /^TZOFFSETTO\b/i.test(line))) return null;
  try {
    const text = ['BEGIN:VTIMEZONE', ...lines, 'END:VTIMEZONE'].join('\r\n');
    const component = new ICAL.Component(ICAL.parse(text) as never);
    const zone = new ICAL.Timezone({ component, tzid });
    return Number.isFinite(zone.utcOffset(sample())) ? zone : null;
  } catch {
    return null;
  }
}

/** Names are compared without the escapes that some programs write. */
const plain = (name: string): string => name.replaceAll('\\', '').trim();

/** The zones of one calendar. */
export class Zones {
  readonly #byName = new Map<string, Zone | null>();
  readonly #definitions: ReadonlyMap<string, Component>;

  constructor(definitions: readonly Component[]) {
    this.#definitions = new Map(
      definitions.flatMap((component) => {
        const tzid = component.properties.find(({ name }) => name === 'TZID');
        return tzid ? [[plain(tzid.value), component]] : [];
      }),
    );
  }

  #find(name: string): Zone | null {
    const definition = this.#definitions.get(name);
    return (definition && definedZone(definition, name)) ?? findByName(name);
  }

  /** Whether anybody knows a zone. */
  knows(tzid: string): boolean {
    const name = plain(tzid);
    if (!this.#byName.has(name)) this.#byName.set(name, this.#find(name));
    return this.#byName.get(name) !== null;
  }

  /** The zone with this name. A time in one that nobody knows, or in none, is a time at the home. */
  named(tzid: string | undefined): Zone {
    const isKnown = tzid !== undefined && tzid !== '' && this.knows(tzid);
    return isKnown ? this.#byName.get(plain(tzid))! : ICAL.Timezone.localTimezone;
  }
}
