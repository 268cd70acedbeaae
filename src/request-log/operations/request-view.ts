import { instant } from '../../contract/time.ts';
import { messageOf, type Refusal } from '../../contract/errors.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import type { ShownRequest } from '../store/requests.ts';

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
  fault,
  listingId,
  home,
  checkIn,
  checkOut,
}: ShownRequest): PortalReplyOf<'portal.request.list'>['body']['items'][number] => ({
  requestId,
  at: instant(at),
  method,
  path,
  operation,
  status: status === 0 ? null : status,
  code,
  reason,
  durationMs,
  fault,
  listingId,
  home,
  checkIn,
  checkOut,
});

const refusalOf = ({ code, reason }: ShownRequest): Refusal | null =>
  code && { refused: code, ...(reason !== null && { details: { reason } }) };

/** The response form of one logged call, with everything that is kept of it. */
export function requestFileView(found: ShownRequest): PortalReplyOf<'portal.request.get'>['body'] {
  const refusal = refusalOf(found);
  return {
    ...requestView(found),
    message: refusal && messageOf(refusal),
    invalidFields: [...found.invalidFields],
    about: found.about,
  };
}
