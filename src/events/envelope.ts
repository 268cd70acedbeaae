import { eventSchemaVersion } from '../contract/events.ts';
import type { Event } from '../contract/schemas/event.ts';
import type { StoredEvent } from '../db/events.ts';

/** An event that happened, or one of a test, which is in no order. */
export type AnyEvent = Omit<StoredEvent, 'sequence'> & { sequence: number | null };

/** An event as partners read it, the same in the feed and in a webhook. Spec: Events, Envelope. */
export const envelopeOf = (event: AnyEvent): Event =>
  ({
    id: `evt_${event.eventId.replaceAll('-', '')}`,
    type: event.type,
    schemaVersion: eventSchemaVersion,
    timestamp: new Date(event.createdAt).toISOString(),
    ...(event.sequence !== null && { sequence: event.sequence }),
    data: event.data,
  }) as Event;
