import { instant } from '../../contract/time.ts';
import { messageOf, type Refusal } from '../../contract/errors.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import type { ShownRequest } from '../store/requests.ts';

/** The response form of a logged call in a list. */
export const requestView = ({
  applicationId: _application,
  invalidFields: _fields,
  about: _about,
  ...shown
}: ShownRequest): PortalReplyOf<'portal.request.list'>['body']['items'][number] => ({
  ...shown,
  at: instant(shown.at),
  status: shown.status === 0 ? null : shown.status,
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
