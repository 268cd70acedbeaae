import Type from 'typebox';
import { Event, EventTypeName } from '../../partner/schemas/event.ts';
import {
  Described,
  NextCursor,
  RequestObject,
  ResponseObject,
} from '../../partner/schemas/primitives.ts';
import { paged } from './shared.ts';

export const FeedQuery = RequestObject({
  type: Type.Optional(Described(EventTypeName, 'Only events of this type.')),
  ...paged,
});

export const NewestEvents = ResponseObject(
  'NewestEvents',
  'Events, newest first, for the last 30 days.',
  { items: Type.Array(Event), nextCursor: NextCursor },
);
