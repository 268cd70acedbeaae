import type { OperatorRow } from '../row.ts';
import { ApplicationPath } from '../schemas/applications.ts';
import { RequestsPage, RequestsQuery } from '../schemas/requests.ts';

/** The logged calls of applications. */
export const requestRows = {
  'operator.request.list': {
    method: 'GET',
    path: '/operator/v1/applications/{applicationId}/requests',
    tag: 'Requests',
    summary: 'Read the request log of an application',
    description:
      'Its calls with a valid token, newest first, for the last 30 days, beginning with its first portal link; without bodies and queries.',
    scope: 'read',
    params: ApplicationPath,
    query: RequestsQuery,
    reply: { 200: RequestsPage },
    errors: ['not_found'],
  },
} as const satisfies Record<string, OperatorRow>;
