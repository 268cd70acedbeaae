import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { Funnel, FunnelQuery } from '../schemas/funnel.ts';

/** The funnel from search to reservation. */
export const funnelRows = tagged('Funnel', {
  'operator.funnel.read': {
    call: 'GET /operator/v1/funnel',
    summary: 'Read the funnel from search to reservation',
    description: 'By week, application and home, with refusals by reason. Kept for 400 days.',
    scope: 'read',
    query: FunnelQuery,
    reply: { 200: Funnel },
    errors: ['not_found'],
  },
} as const satisfies StatedRows);
