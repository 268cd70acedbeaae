import { eventTexts, eventTypes, type EventType } from '../../contract/events.ts';
import { exampleEvents } from '../../contract/example-events.ts';
import { limits } from '../../contract/limits.ts';
import { findEvent, listNewestEvents } from '../store/events.ts';
import { envelopeOf, uuidOfEvent } from '../envelope.ts';
import { act, cutPage, pageInPortal } from '../../access/index.ts';

const types = Object.keys(eventTypes) as EventType[];

/** Lists all event types, with an example of each. */
export const listEventTypes = act('portal.eventType.list', {
  reply: () => ({
    status: 200,
    body: {
      items: types.map((type) => ({ type, ...eventTexts[type], example: exampleEvents[type] })),
    },
  }),
});

/** Lists events, newest first. */
export const listEventsInPortal = act('portal.event.list', {
  load: (call) => pageInPortal(call),
  async reply({ context, actor, query }, { size, after, cursorAt }) {
    const wanted = {
      before: after === null ? Number.MAX_SAFE_INTEGER : Number(after),
      type: query.type,
      atMost: size + 1,
      windowDays: limits.eventFeedDays,
    };
    const found = await context.reads.run((from) =>
      listNewestEvents(from, actor.applicationId, wanted),
    );
    const { items, last } = cutPage(found.events, size);
    const next = last ? last.sequence : found.lookedUntil;
    const nextCursor = next === null ? null : cursorAt(String(next));
    return { status: 200, body: { items: items.map(envelopeOf), nextCursor } };
  },
});

/** Returns an event. */
export const getEventInPortal = act('portal.event.get', {
  load: ({ context, actor, params }) =>
    findEvent(context.database, actor.applicationId, uuidOfEvent(params.eventId)),
  reply: (_call, event) => ({ status: 200, body: envelopeOf(event) }),
});
