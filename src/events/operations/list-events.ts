import { cutPage, pageForPartner, positionAt, positionText } from '../../access/index.ts';
import { isRefusal, refuse } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { patterns } from '../../contract/patterns.ts';
import { readByTime } from '../../platform/clock.ts';
import { findFeedStart, readFeed, type FeedPage, type FeedStart } from '../store/events.ts';
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

/** Whether an event after the position has been deleted. Spec: EVENT-6. */
function hasGap({ sequence }: Position, page: FeedPage): boolean {
  const firstKept = page.oldestSequence ?? page.lastSequence + 1;
  return sequence + 1 < firstKept;
}

/** Whether the position does not match this feed, because an older database was restored. */
function isOfAnotherFeed({ sequence, eventId }: Position, page: FeedPage): boolean {
  if (sequence > page.lastSequence) return true;
  return eventId !== null && page.afterEventId !== null && eventId !== page.afterEventId;
}

/** The sequence after which a reader begins who asks for the events since an instant. */
const sequenceBefore = ({ firstSequence, lastSequence }: FeedStart): number =>
  firstSequence === null ? lastSequence : firstSequence - 1;

const isInstant = (text: string): boolean => {
  try {
    Temporal.Instant.from(text);
    return true;
  } catch {
    return false;
  }
};

/** What is wrong with the start that a reader asks for; null: nothing. */
function startProblem(from: string, cursor: string | undefined): string | null {
  if (cursor !== undefined) return 'must not be sent together with cursor';
  return from === 'latest' || isInstant(from) ? null : patterns.feedStart.message;
}

/** Spec: EVENT-4, EVENT-7. */
export const listEvents = read('reservation.event.list', {
  load(call) {
    const { from, ...query } = call.query;
    const message = from === undefined ? null : startProblem(from, query.cursor);
    if (message !== null) {
      return refuse('invalid_input', { fields: [{ path: 'query/from', message }] });
    }
    // The cursor continues without `from`, so it is not bound to it.
    const page = pageForPartner({ ...call, query });
    return isRefusal(page) ? page : { page, from };
  },
  async reply({ context, actor, query }, { page: { size, after: position, cursorAt }, from }) {
    const { executor, confirmsTime } = context;
    const { applicationId } = actor;
    const days = limits.eventFeedDays;
    const since = from === undefined || from === 'latest' ? null : from;
    const readStart = () => findFeedStart(executor, applicationId, since, days);
    const start = from === undefined ? null : await readByTime(confirmsTime, readStart);
    if (start && since === null) {
      const nextCursor = cursorAt(positionText(start.lastSequence, start.lastEventId ?? ''));
      return { status: 200, body: { items: [], nextCursor, hasMore: false } };
    }
    if (start?.isBeforeWindow) return refuse('resync_required');
    const after = position === null ? null : eventAt(position);
    const wanted = {
      after: start ? sequenceBefore(start) : (after?.sequence ?? 0),
      type: query.type,
      atMost: size + 1,
      windowDays: days,
    };
    const page = await readByTime(confirmsTime, () => readFeed(executor, applicationId, wanted));
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
