import type { OperatorRow } from '../row.ts';
import { Funnel, FunnelQuery } from '../schemas/funnel.ts';

/** The funnel from search to reservation. */
export const funnelRows = {
  'operator.funnel.read': {
    method: 'GET',
    path: '/operator/v1/funnel',
    tag: 'Funnel',
    summary: 'Read the funnel from search to reservation',
    description: 'By week, application and home, with refusals by reason. Kept for 400 days.',
    scope: 'read',
    query: FunnelQuery,
    reply: { 200: Funnel },
    errors: ['not_found'],
  },
} as const satisfies Record<string, OperatorRow>;
