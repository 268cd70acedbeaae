import { eventTexts, eventTypes, type EventType } from '../contract/events.ts';
import { exampleEvents } from '../contract/examples/booking.ts';
import { limits } from '../contract/limits.ts';
import { listNewestEvents } from '../db/events.ts';
import { envelopeOf } from '../events/index.ts';
import type { PortalOperation } from './call.ts';
import { pageOf } from './page.ts';

const types = Object.keys(eventTypes) as EventType[];

/** Every type of event, with an example. */
export const listEventTypes: PortalOperation<'portal.eventType.list'> = async () => ({
  status: 200,
  body: {
    items: types.map((type) => ({ type, ...eventTexts[type], example: exampleEvents[type] })),
  },
});

/** The feed backwards. */
export const listEvents: PortalOperation<'portal.event.list'> = async (house, call) => {
  const { size, after, cursorAt } = pageOf('portal.event.list', house, call);
  const found = await listNewestEvents(house.database, call.visitor.applicationId, {
    before: after === null ? Number.MAX_SAFE_INTEGER : Number(after),
    type: call.query.type,
    atMost: size + 1,
    windowDays: limits.eventFeedDays,
  });
  const page = found.events.slice(0, size);
  const next = found.events.length > size ? page.at(-1)!.sequence : found.lookedUntil;
  const nextCursor = next === null ? null : cursorAt(String(next));
  return { status: 200, body: { items: page.map(envelopeOf), nextCursor } };
};
