import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { Overview } from '../schemas/overview.ts';

/** What the first page of the console shows. */
export const overviewRows = tagged('Overview', {
  'operator.overview.get': {
    call: 'GET /operator/v1/overview',
    summary: 'Read arrivals, departures, bookings by day, and what needs attention',
    scope: 'read',
    reply: { 200: Overview },
  },
} as const satisfies StatedRows);
