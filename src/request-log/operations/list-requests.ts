import { isRefusal } from '../../contract/errors.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import type { PortalQueryOf } from '../../contract/portal/operations.ts';
import { findLoggedRequest, listLoggedRequests, type LogPosition } from '../store/requests.ts';
import {
  cutPage,
  type Page,
  pageInPortal,
  portalActs,
  type PortalContext,
  positionAt,
  positionText,
} from '../../access/index.ts';
import type { Reads } from '../../platform/postgres/replica.ts';
import { requestFileView, requestView } from './request-view.ts';

/** The most calls that one read looks at: an index scan of this many rows stays well below the statement timeout. */
export const scanAtMost = 50_000;

function callAt(position: string): LogPosition {
  const [at, requestId] = positionAt(position);
  return { at, requestId };
}

/** Parses `404` or `4xx`. */
export function statusRange(status: string | undefined): { from: number; to: number } {
  if (status === undefined) return { from: 0, to: 599 };
  return { from: Number(status.replace('xx', '00')), to: Number(status.replace('xx', '99')) };
}

/** The filters of a list of logged calls, as they are sent. */
type SentFilter = Omit<PortalQueryOf<'portal.request.list'>, 'limit' | 'cursor'>;

/** A page of the logged calls of an application. */
export async function pageOfRequests(
  reads: Pick<Reads, 'run'>,
  applicationId: string,
  { method, status, code, operation, about }: SentFilter,
  { size, after, cursorAt }: Page,
) {
  const wanted = {
    method,
    status: statusRange(status),
    code,
    operation,
    about: about?.split(',') ?? [],
    before: after === null ? null : callAt(after),
    atMost: size + 1,
    scanAtMost,
  };
  const found = await reads.run((from) => listLoggedRequests(from, applicationId, wanted));
  const { items, last } = cutPage(found.requests, size);
  const next = last ?? found.lookedUntil;
  const nextCursor = next && cursorAt(positionText(next.at, next.requestId));
  return { items: items.map(requestView), nextCursor };
}

/** What a partner reads of its logged calls. */
export const portalRequestActs = portalActs<PortalContext>()({
  'portal.request.list': (call) => {
    const page = pageInPortal(call);
    if (isRefusal(page)) return page;
    return pageOfRequests(call.context.reads, call.actor.applicationId, call.query, page);
  },
  'portal.request.get': async ({ context, actor, params }) => {
    const { applicationId } = actor;
    const found = await findLoggedRequest(context.database, applicationId, params.requestId);
    return found ? requestFileView(found) : refusePortal('not_found');
  },
});
