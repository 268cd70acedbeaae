import * as Type from '../../type.ts';
import { Event, EventTypeName } from '../../partner/schemas/event.ts';
import { NextCursor } from '../../partner/schemas/primitives.ts';
import { paged } from './shared.ts';

export const FeedQuery = Type.RequestObject({
  type: Type.Optional(Type.Described(EventTypeName, 'Only events of this type.')),
  ...paged,
});

export const NewestEvents = Type.ResponseObject(
  'NewestEvents',
  'Events, newest first, for the last 30 days.',
  { items: Type.Array(Event), nextCursor: NextCursor },
);
