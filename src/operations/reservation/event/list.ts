import { readCursor, writeCursor } from '../../../access/index.ts';
import { refuse } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import { readFeed, type FeedPage } from '../../../db/events.ts';
import { envelopeOf } from '../../../events/index.ts';
import type { Operation } from '../../call.ts';

/** Whether an event after the cursor has been dropped. Spec: Error codes, `resync_required`. */
function hasGap(after: number, page: FeedPage): boolean {
  const firstKept = page.oldestSequence ?? page.lastSequence + 1;
  return after + 1 < firstKept;
}

/** Spec: Event feed. */
export const listEvents: Operation<'reservation.event.list'> = async (house, call) => {
  const { vault } = house.executor;
  const { applicationId } = call.application;
  const { cursor, type } = call.query;
  const owner = {
    operation: 'reservation.event.list',
    applicationId,
    filters: { type },
  } as const;
  const after =
    cursor === undefined ? null : Number(readCursor(vault, owner, cursor, 'query/cursor'));
  const over = call.meter();
  if (over) return over;
  const size = call.query.limit ?? limits.pageSize.default;
  const page = await readFeed(house.executor, applicationId, {
    after: after ?? 0,
    type,
    atMost: size + 1,
    windowDays: limits.eventFeedDays,
  });
  if (after !== null && hasGap(after, page)) return refuse('resync_required');
  const events = page.events.slice(0, size);
  const hasMore = page.events.length > size;
  // Past the events filtered out, but not past those that did not fit.
  const goOnAfter = hasMore ? (events.at(-1)?.sequence ?? 0) : page.lastSequence;
  return {
    status: 200,
    body: {
      items: events.map(envelopeOf),
      nextCursor: writeCursor(vault, owner, String(goOnAfter)),
      hasMore,
    },
  };
};
