import { listLoggedRequests, type LogPosition } from '../store/requests.ts';
import { act, cutPage, pageInPortal, positionAt, positionText } from '../../access/index.ts';
import { requestView } from './request-view.ts';

/** The most calls that one read looks at: an index scan of this many rows stays well below the statement timeout. */
export const scanAtMost = 50_000;

function callAt(position: string): LogPosition {
  const [at, requestId] = positionAt(position);
  return { at, requestId };
}

/** Parses `404` or `4xx`. */
export function statusRange(status: string | undefined): { from: number; to: number } {
  if (status === undefined) return { from: 100, to: 599 };
  return { from: Number(status.replace('xx', '00')), to: Number(status.replace('xx', '99')) };
}

/** Lists the logged requests of the application. */
export const listRequests = act('portal.request.list', {
  load: (call) => pageInPortal(call),
  async reply({ context, actor, query }, { size, after, cursorAt }) {
    const { method, status, code, operation, about } = query;
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
    const found = await context.reads.run((from) =>
      listLoggedRequests(from, actor.applicationId, wanted),
    );
    const { items, last } = cutPage(found.requests, size);
    const next = last ?? found.lookedUntil;
    const nextCursor = next && cursorAt(positionText(next.at, next.requestId));
    return { status: 200, body: { items: items.map(requestView), nextCursor } };
  },
});
