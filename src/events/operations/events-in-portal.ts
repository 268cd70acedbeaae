import { eventTexts, eventTypes, type EventType } from '../../contract/events.ts';
import { exampleEvents } from '../../contract/example-events.ts';
import { isRefusal } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import { findEvent, listNewestEvents } from '../store/events.ts';
import { envelopeOf, uuidOfEvent } from '../envelope.ts';
import { cutPage, pageInPortal, portalActs, type PortalContext } from '../../access/index.ts';

const types = Object.keys(eventTypes) as EventType[];

/** What a partner reads of its events in the portal. */
export const portalEventActs = portalActs<PortalContext>()({
  'portal.eventType.list': () => ({
    items: types.map((type) => ({ type, ...eventTexts[type], example: exampleEvents[type] })),
  }),
  'portal.event.list': async (call) => {
    const page = pageInPortal(call);
    if (isRefusal(page)) return page;
    const { size, after, cursorAt } = page;
    const wanted = {
      before: after === null ? Number.MAX_SAFE_INTEGER : Number(after),
      type: call.query.type,
      atMost: size + 1,
      windowDays: limits.eventFeedDays,
    };
    const found = await call.context.reads.run((from) =>
      listNewestEvents(from, call.actor.applicationId, wanted),
    );
    const { items, last } = cutPage(found.events, size);
    const next = last ? last.sequence : found.lookedUntil;
    const nextCursor = next === null ? null : cursorAt(String(next));
    return { items: items.map(envelopeOf), nextCursor };
  },
  'portal.event.get': async ({ context, actor, params }) => {
    const eventId = uuidOfEvent(params.eventId);
    const event = await findEvent(context.database, actor.applicationId, eventId);
    return event ? envelopeOf(event) : refusePortal('not_found');
  },
});
