import { cutPage, pageForPartner, positionAt, positionText } from '../../access/index.ts';
import { refuse } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { readFeed, type FeedPage } from '../store/events.ts';
import { envelopeOf } from '../envelope.ts';
import { read } from '../context.ts';

/** The last event that a cursor has passed. */
interface Position {
  sequence: number;
  /** Null: the event was already deleted when the cursor was written. */
  eventId: string | null;
}

function eventAt(position: string): Position {
  const [sequence, eventId] = positionAt(position);
  return { sequence, eventId: eventId || null };
}

/** Whether an event after the position has been deleted. Spec: Error codes, `resync_required`. */
function hasGap({ sequence }: Position, page: FeedPage): boolean {
  const firstKept = page.oldestSequence ?? page.lastSequence + 1;
  return sequence + 1 < firstKept;
}

/** Whether the position does not match this feed, because an older database was restored. */
function isOfAnotherFeed({ sequence, eventId }: Position, page: FeedPage): boolean {
  if (sequence > page.lastSequence) return true;
  return eventId !== null && page.afterEventId !== null && eventId !== page.afterEventId;
}

/** Spec: Event feed. */
export const listEvents = read('reservation.event.list', {
  load: (call) => pageForPartner(call),
  async reply({ context, actor, query }, { size, after: position, cursorAt }) {
    const after = position === null ? null : eventAt(position);
    const page = await readFeed(context.executor, actor.applicationId, {
      after: after?.sequence ?? 0,
      type: query.type,
      atMost: size + 1,
      windowDays: limits.eventFeedDays,
    });
    if (after && (hasGap(after, page) || isOfAnotherFeed(after, page))) {
      return refuse('resync_required');
    }
    const { items, last } = cutPage(page.events, size);
    // Skips the events that the filter excludes, but not those beyond the page size.
    const { sequence, eventId } = last ?? page.lookedUntil;
    return {
      status: 200,
      body: {
        items: items.map(envelopeOf),
        nextCursor: cursorAt(positionText(sequence, eventId ?? '')),
        hasMore: last !== null || sequence < page.lastSequence,
      },
    };
  },
});
