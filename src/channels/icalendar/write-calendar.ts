import { instant } from '../../contract/time.ts';
import ICAL from 'ical.js';
import type { ExportedNights } from '../store/exports.ts';

// The library does not count the space before a folded line; a line has at most 75 octets.
ICAL.foldLength = 74;

type Property = [name: string, parameters: object, type: string, value: string | number];

/** What other channels see: whether a guest comes, and nothing about them. */
const summaryOf = ({ isStay }: ExportedNights): string => (isStay ? 'Reserved' : 'Not available');

/** Names the nights of an event whose own name is not ours. */
export type NameNights = (nights: Pick<ExportedNights, 'from' | 'to'>) => string;

function eventOf(nights: ExportedNights, domain: string, nameNights: NameNights): unknown[] {
  const changedAt = instant(nights.changedAt);
  const properties: Property[] = [
    ['uid', {}, 'text', `${nights.occupancyId ?? nameNights(nights)}@${domain}`],
    ['dtstamp', {}, 'date-time', `${changedAt.slice(0, 19)}Z`],
    ['sequence', {}, 'integer', nights.moves],
    ['dtstart', {}, 'date', nights.from],
    ['dtend', {}, 'date', nights.to],
    ['summary', {}, 'text', summaryOf(nights)],
    ['transp', {}, 'text', 'OPAQUE'],
  ];
  return ['vevent', properties, []];
}

// A calendar has at least one component (RFC 5545, 3.6): without any event it is this one.
const utc = [
  'vtimezone',
  [['tzid', {}, 'text', 'Etc/UTC']],
  [
    [
      'standard',
      [
        ['dtstart', {}, 'date-time', '1970-01-01T00:00:00'],
        ['tzoffsetfrom', {}, 'utc-offset', '+00:00'],
        ['tzoffsetto', {}, 'utc-offset', '+00:00'],
      ],
      [],
    ],
  ],
];

/**
 * Writes the taken nights of a home as a calendar of all-day events. The same nights give the same bytes.
 *
 * @param domain of the UIDs
 * @param nameNights names the nights that come from other channels, whose own names are not shown
 */
export function writeCalendar(
  { name }: { name: string },
  nights: readonly ExportedNights[],
  domain: string,
  nameNights: NameNights,
): string {
  const properties: Property[] = [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', '-//Latchkey//Calendar//EN'],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['x-wr-calname', {}, 'text', name],
  ];
  const events = nights.map((each) => eventOf(each, domain, nameNights));
  return ICAL.stringify(['vcalendar', properties, [utc, ...events]] as never);
}
