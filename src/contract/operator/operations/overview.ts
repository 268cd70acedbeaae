import type { OperatorRow } from '../row.ts';
import { Overview } from '../schemas/overview.ts';

/** What the first page of the console shows. */
export const overviewRows = {
  'operator.overview.get': {
    method: 'GET',
    path: '/operator/v1/overview',
    tag: 'Overview',
    summary: 'Read arrivals, departures, bookings by day, and what needs attention',
    scope: 'read',
    reply: { 200: Overview },
    errors: [],
  },
} as const satisfies Record<string, OperatorRow>;
