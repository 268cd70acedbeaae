import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { AlertSent, AttentionList, AttentionQuery } from '../schemas/attention.ts';
import { EmptyBody } from '../../partner/schemas/primitives.ts';

/** The one list of what waits for people. */
export const attentionRows = tagged('Overview', {
  'operator.attention.list': {
    call: 'GET /operator/v1/attention',
    summary: 'List what waits for people',
    description:
      'What nobody but staff can go on with, longest first: money, and whatever else waits.',
    command: {
      name: 'attention list',
      columns: [
        'kind',
        'reference',
        'guest',
        'listing',
        'amount',
        'currency',
        'deadline',
        'reason',
      ],
    },
    scope: 'read',
    query: AttentionQuery,
    reply: { 200: AttentionList },
  },
  'operator.alert.test': {
    call: 'POST /operator/v1/alerts/test',
    summary: 'Send a test alert to where the operator is told',
    description:
      '`conflict`: `LATCHKEY_ALERTS_URL` is not set, or its receiver did not accept the alert.',
    command: { name: 'alert test' },
    scope: 'staff',
    body: EmptyBody,
    reply: { 200: AlertSent },
    errors: ['conflict'],
  },
} as const satisfies StatedRows);
