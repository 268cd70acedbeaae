export { type AnyEvent, envelopeOf, eventIdOf, uuidOfEvent } from './envelope.ts';
export { portalEventActs } from './operations/events-in-portal.ts';
export { listEvents } from './operations/list-events.ts';
export {
  countEvents,
  listEventsOfBooking,
  readFeed,
  type StoredEvent,
  sweepEvents,
} from './store/events.ts';
