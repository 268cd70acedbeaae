import { instant } from '../../contract/time.ts';
import ICAL from 'ical.js';
import type { ExportedNights } from '../../inventory/index.ts';

// The library does not count the space before a folded line; a line has at most 75 octets.
ICAL.foldLength = 74;

type Property = [name: string, parameters: object, type: string, value: string | number];

/** What other channels see: whether a guest comes, and nothing about them. */
const summaryOf = ({ isStay }: ExportedNights): string => (isStay ? 'Reserved' : 'Not available');

function eventOf(nights: ExportedNights, domain: string): unknown[] {
  const changedAt = instant(nights.changedAt);
  const properties: Property[] = [
    ['uid', {}, 'text', `${nights.occupancyId}@${domain}`],
    ['dtstamp', {}, 'date-time', `${changedAt.slice(0, 19)}Z`],
    ['sequence', {}, 'integer', nights.moves],
    ['dtstart', {}, 'date', nights.from],
    ['dtend', {}, 'date', nights.to],
    ['summary', {}, 'text', summaryOf(nights)],
    ['transp', {}, 'text', 'OPAQUE'],
  ];
  return ['vevent', properties, []];
}

/**
 * Writes the taken nights of a home as a calendar of all-day events. The same nights give the same bytes.
 *
 * @param domain of the UIDs
 */
export function writeCalendar(
  { name }: { name: string },
  nights: readonly ExportedNights[],
  domain: string,
): string {
  const properties: Property[] = [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', '-//Latchkey//Calendar//EN'],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['x-wr-calname', {}, 'text', name],
  ];
  const events = nights.map((each) => eventOf(each, domain));
  return ICAL.stringify(['vcalendar', properties, events] as never);
}
