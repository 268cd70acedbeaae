import type { OperatorRow } from '../row.ts';
import { ApplicationPath } from '../schemas/applications.ts';
import {
  LoggedRequestInFull,
  RequestPath,
  RequestsPage,
  RequestsQuery,
} from '../schemas/requests.ts';

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
  'operator.request.get': {
    method: 'GET',
    path: '/operator/v1/applications/{applicationId}/requests/{requestId}',
    tag: 'Requests',
    summary: 'Read a call of an application by its request ID',
    description: 'With the fields that were not valid, without their values.',
    scope: 'read',
    params: RequestPath,
    reply: { 200: LoggedRequestInFull },
    errors: ['not_found'],
  },
} as const satisfies Record<string, OperatorRow>;
