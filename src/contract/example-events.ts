import events from './example-events.json' with { type: 'json' };
import type { EventType } from './events.ts';
import type { Event } from './partner/schemas/event.ts';

/** One event of each type, all of the booking of the examples. Recorded with them. */
export const exampleEvents = events as unknown as {
  readonly [T in EventType]: Extract<Event, { type: T }>;
};
