import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { CalendarQuery, MultiCalendar } from '../schemas/calendar.ts';

/** The calendar of all homes. */
export const calendarRows = tagged('Calendar', {
  'operator.calendar.read': {
    call: 'GET /operator/v1/calendar',
    summary: 'Read the calendar of many homes',
    description: 'Stays, blocks, prices and minimum nights of some homes over some nights.',
    scope: 'read',
    query: CalendarQuery,
    reply: { 200: MultiCalendar },
  },
} as const satisfies StatedRows);
