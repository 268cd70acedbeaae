import { readCursor, writeCursor } from '../../access/index.ts';
import { refuse } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { readFeed, type FeedPage } from '../store/events.ts';
import { envelopeOf } from '../envelope.ts';
import { read, type EventCall } from '../context.ts';

/** An event that a partner has come to. */
interface Mark {
  sequence: number;
  /** Null: it was no longer kept when the cursor was written. */
  eventId: string | null;
}

const beginning: Mark = { sequence: 0, eventId: null };

const positionOf = ({ sequence, eventId }: Mark): string => `${sequence} ${eventId ?? ''}`;

function markAt(position: string): Mark {
  const [sequence, eventId] = position.split(' ');
  return { sequence: Number(sequence), eventId: eventId || null };
}

/** Whether an event after the mark has been dropped. Spec: Error codes, `resync_required`. */
function hasGap({ sequence }: Mark, page: FeedPage): boolean {
  const firstKept = page.oldestSequence ?? page.lastSequence + 1;
  return sequence + 1 < firstKept;
}

/** Whether the mark is of events that are not in this feed: the database is an earlier one, restored. */
function isOfAnotherFeed({ sequence, eventId }: Mark, page: FeedPage): boolean {
  if (sequence > page.lastSequence) return true;
  return eventId !== null && page.afterEventId !== null && eventId !== page.afterEventId;
}

type ListCall = EventCall<'reservation.event.list'>;

const ownerOf = ({ actor, query }: ListCall) =>
  ({
    operation: 'reservation.event.list',
    applicationId: actor.applicationId,
    filters: { type: query.type },
  }) as const;

/** Spec: Event feed. */
export const listEvents = read('reservation.event.list', {
  load(call) {
    const { context, query } = call;
    const { cursor } = query;
    if (cursor === undefined) return { after: null as Mark | null };
    const { vault } = context.executor;
    return { after: markAt(readCursor(vault, ownerOf(call), cursor, 'query/cursor')) };
  },
  async reply(call, { after }) {
    const { context, actor, query } = call;
    const size = query.limit ?? limits.pageSize.default;
    const page = await readFeed(context.executor, actor.applicationId, {
      after: (after ?? beginning).sequence,
      type: query.type,
      atMost: size + 1,
      windowDays: limits.eventFeedDays,
    });
    if (after && (hasGap(after, page) || isOfAnotherFeed(after, page))) {
      return refuse('resync_required');
    }
    const events = page.events.slice(0, size);
    const isFull = page.events.length > size;
    const hasMore = isFull || page.lookedUntil.sequence < page.lastSequence;
    // Past the events filtered out, but not past those that did not fit.
    const goOnAfter = isFull ? (events.at(-1) ?? beginning) : page.lookedUntil;
    return {
      status: 200,
      body: {
        items: events.map(envelopeOf),
        nextCursor: writeCursor(context.executor.vault, ownerOf(call), positionOf(goOnAfter)),
        hasMore,
      },
    };
  },
});
