import { tagged } from '../../complete-rows.ts';
import type { StatedRows } from '../row.ts';
import { LoggedRequestInFull, RequestsPage, RequestsQuery } from '../schemas/requests.ts';

/** The logged calls of applications. */
export const requestRows = tagged('Requests', {
  'operator.request.list': {
    call: 'GET /operator/v1/applications/{applicationId}/requests',
    summary: 'Read the request log of an application',
    description:
      'Its calls with a valid token, newest first, for the last 30 days, beginning with its first portal link; without bodies and queries.',
    scope: 'read',
    query: RequestsQuery,
    reply: { 200: RequestsPage },
  },
  'operator.request.get': {
    call: 'GET /operator/v1/applications/{applicationId}/requests/{requestId}',
    summary: 'Read a call of an application by its request ID',
    description: 'With the fields that were not valid, without their values.',
    scope: 'read',
    reply: { 200: LoggedRequestInFull },
  },
} as const satisfies StatedRows);
