import { eventSchemaVersion } from '../contract/events.ts';
import type { Event } from '../contract/partner/schemas/event.ts';
import type { StoredEvent } from './store/events.ts';

/** An event that happened, or one of a test, which is in no order. */
export type AnyEvent = Omit<StoredEvent, 'sequence'> & { sequence: number | null };

/** The ID of an event as partners read it. */
export const eventIdOf = (eventId: string): string => `evt_${eventId.replaceAll('-', '')}`;

/** An event as partners read it, the same in the feed and in a webhook. Spec: Events, Envelope. */
export const envelopeOf = (event: AnyEvent): Event =>
  ({
    id: eventIdOf(event.eventId),
    type: event.type,
    schemaVersion: eventSchemaVersion,
    timestamp: new Date(event.createdAt).toISOString(),
    ...(event.sequence !== null && { sequence: event.sequence }),
    data: event.data,
  }) as Event;
