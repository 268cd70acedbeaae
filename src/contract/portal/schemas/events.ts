import Type from 'typebox';
import { Event, EventTypeName } from '../../partner/schemas/event.ts';
import { Described, NextCursor, responseOptions } from '../../partner/schemas/primitives.ts';
import { EventId, paged } from './shared.ts';

export const FeedQuery = Type.Object(
  { type: Type.Optional(Described(EventTypeName, 'Only events of this type.')), ...paged },
  { additionalProperties: false },
);

export const NewestEvents = Type.Object(
  { items: Type.Array(Event), nextCursor: NextCursor },
  responseOptions('NewestEvents', 'Events, newest first, for the last 30 days.'),
);

export const EventPath = Type.Object({ eventId: EventId('The event.') });
