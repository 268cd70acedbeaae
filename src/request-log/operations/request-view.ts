import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import type { LoggedRequest } from '../store/requests.ts';

/** The response form of a logged call in a list. */
export const requestView = ({
  requestId,
  at,
  method,
  path,
  operation,
  status,
  code,
  reason,
  durationMs,
}: LoggedRequest): PortalReplyOf<'portal.request.list'>['body']['items'][number] => ({
  requestId,
  at: new Date(at).toISOString(),
  method,
  path,
  operation,
  status,
  code,
  reason,
  durationMs,
});
