import ICAL from 'ical.js';

type Time = InstanceType<typeof ICAL.Time>;

/** A time zone of the IANA database, for calendars that name it without defining it. */
class IanaZone extends ICAL.Timezone {
  constructor(tzid: string) {
    super({ tzid });
  }

  override utcOffset({ year, month, day, hour, minute, second }: Time): number {
    const local = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
    return local.toZonedDateTime(this.tzid.replace(/^\//, '')).offsetNanoseconds / 1e9;
  }
}

function isIana(tzid: string): boolean {
  try {
    Temporal.Now.zonedDateTimeISO(tzid);
    return true;
  } catch {
    return false;
  }
}

/** Forgets the zones of a calendar: calendars spell them in too many ways to keep all. */
export const forgetZones = (): void => ICAL.TimezoneService.reset();

/** Makes a zone of the IANA database known to the parser. False: there is none with this name. */
export function knowsZone(tzid: string): boolean {
  if (ICAL.TimezoneService.has(tzid)) return true;
  // "+02:00" is not a name of the database. A leading slash only says that the name is global.
  if (!/^\/?[A-Za-z]/.test(tzid) || !isIana(tzid.replace(/^\//, ''))) return false;
  ICAL.TimezoneService.register(new IanaZone(tzid), tzid);
  return true;
}
