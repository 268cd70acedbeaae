import type { ReadCalendar, ReadOptions } from '../../src/channels/icalendar/read-calendar.ts';
import { withoutOverlaps, type EventNights } from '../../src/channels/rules/nights.ts';

/** The nights that the events of a calendar take, each once. */
export const nightsTaken = ({ events }: ReadCalendar): EventNights[] =>
  withoutOverlaps(
    events
      .filter(({ ignored }) => ignored === null)
      .map(({ uid, from, to }) => ({ uid, from, to })),
  );

/** How a calendar means what it writes, unless staff say otherwise. */
export const usualOptions: ReadOptions = { ignore: [], end: 'checkout', free: 'ignore' };
