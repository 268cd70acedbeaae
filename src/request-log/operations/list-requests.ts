import { listLoggedRequests, type LogPage, type LogPosition } from '../store/requests.ts';
import { act, type Page, pageOf } from '../../access/index.ts';
import { requestView } from './request-view.ts';

/** The most calls that one read looks at: an index scan of this many rows stays well below the statement timeout. */
export const scanAtMost = 50_000;

const positionOf = ({ at, requestId }: LogPosition): string => `${at} ${requestId}`;

function positionAt(text: string): LogPosition {
  const [at = '', requestId = ''] = text.split(' ');
  return { at: Number(at), requestId };
}

/** Parses `404` or `4xx`. */
export function statusRange(status: string | undefined): { from: number; to: number } {
  if (status === undefined) return { from: 100, to: 599 };
  return { from: Number(status.replace('xx', '00')), to: Number(status.replace('xx', '99')) };
}

function nextOf({ requests, lookedUntil }: LogPage, { size, cursorAt }: Page): string | null {
  const last = requests.length > size ? requests[size - 1] : lookedUntil;
  return last ? cursorAt(positionOf(last)) : null;
}

/** Lists the logged requests of the application. */
export const listRequests = act('portal.request.list', {
  load: (call) => pageOf(call),
  async reply({ context, actor, query }, page) {
    const { method, status, code, operation, about } = query;
    const wanted = {
      method,
      status: statusRange(status),
      code,
      operation,
      about: about?.split(',') ?? [],
      before: page.after === null ? null : positionAt(page.after),
      atMost: page.size + 1,
      scanAtMost,
    };
    const found = await context.reads.run((from) =>
      listLoggedRequests(from, actor.applicationId, wanted),
    );
    const items = found.requests.slice(0, page.size).map(requestView);
    return { status: 200, body: { items, nextCursor: nextOf(found, page) } };
  },
});
