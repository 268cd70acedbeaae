export { type AnyEvent, envelopeOf, eventIdOf } from './envelope.ts';
export { listEventsInPortal, listEventTypes } from './operations/list-events-in-portal.ts';
export { listEvents } from './operations/list-events.ts';
export {
  countEvents,
  listEventsOfBooking,
  readFeed,
  type StoredEvent,
  sweepEvents,
} from './store/events.ts';
