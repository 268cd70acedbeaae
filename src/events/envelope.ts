import { instant } from '../contract/time.ts';
import { eventSchemaVersion } from '../contract/events.ts';
import type { Event } from '../contract/partner/schemas/event.ts';
import { uuidOfHex } from '../platform/uuid.ts';
import type { StoredEvent } from './store/events.ts';

/** An event, or a test event, which has no sequence. */
export type AnyEvent = Omit<StoredEvent, 'sequence'> & { sequence: number | null };

/** The wire form of an event's ID. */
export const eventIdOf = (eventId: string): string => `evt_${eventId.replaceAll('-', '')}`;

/** The UUID of an event's ID in wire form. */
export const uuidOfEvent = (eventId: string): string => uuidOfHex(eventId.slice('evt_'.length));

/** The wire form of an event, in the feed and in webhooks. Spec: EVENT-2. */
export const envelopeOf = (event: AnyEvent): Event =>
  ({
    id: eventIdOf(event.eventId),
    type: event.type,
    schemaVersion: eventSchemaVersion,
    timestamp: instant(event.createdAt),
    ...(event.sequence !== null && { sequence: event.sequence }),
    data: event.data,
  }) as Event;
