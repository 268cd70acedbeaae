import * as Type from '../../type.ts';
import { eventTexts, eventTypes, reservationChanges, type EventType } from '../../events.ts';
import { patterns } from '../../patterns.ts';
import { Cursor, paged } from './primitives.ts';
import { ChangeRequestState, CheckoutOutcome, ReservationState } from './states.ts';

/** A type of events that a caller can choose. */
export const EventTypeName = Type.Enum(Object.keys(eventTypes) as EventType[], {
  $id: 'EventType',
  description: 'The type of an event.',
});

/** What can change in a reservation. */
export const ReservationChange = Type.OpenEnum(
  reservationChanges,
  'ReservationChange',
  'What was changed in a reservation. New values may appear within a wire version: read the reservation.',
);

/** The type of an event in a response. */
export const SentEventType = Type.OpenEnum(
  Object.keys(eventTypes) as EventType[],
  'SentEventType',
  'The type of an event. New values may appear within a wire version.',
);

const checkoutId = Type.Uuid('The checkout, or the reservation request.');
const reference = Type.Text('The reference of the reservation.');

const envelope = <T extends EventType, D extends Type.TSchema>(
  type: T,
  id: string,
  description: string,
  data: D,
) =>
  Type.ResponseObject(id, description, {
    id: Type.String({
      pattern: patterns.eventId.pattern,
      description:
        'Identifies the event, in the feed and as `webhook-id`. A UUIDv7 without hyphens, so IDs sort by time.',
    }),
    type: Type.Literal(type),
    schemaVersion: Type.AtLeast(1, 'The version of this envelope.'),
    timestamp: Type.Instant('When it happened.'),
    sequence: Type.AtLeast(
      1,
      'Number of the event within the application: 1, 2, 3 without gaps, in commit order, the same in the feed and in webhooks. A gap means that an event has not arrived yet.',
    ),
    data,
  });

/** Spec: EVENT-1. */
const CheckoutResolved = envelope(
  'checkout.resolved',
  'CheckoutResolvedEvent',
  'A submitted checkout or request became confirmed, failed or expired.',
  Type.ResponseObject(
    'CheckoutResolvedData',
    'Identifiers, state, version and time; never guest details or prices.',
    {
      checkoutId,
      state: CheckoutOutcome,
      version: Type.AtLeast(1, 'The version after the change.'),
      reference: Type.Optional(Type.Text('The reference of the reservation; only if confirmed.')),
      resolvedAt: Type.Instant('When the outcome was known.'),
    },
  ),
);

const ReservationConfirmed = envelope(
  'reservation.confirmed',
  'ReservationConfirmedEvent',
  'A reservation was made.',
  Type.ResponseObject(
    'ReservationConfirmedData',
    'Identifiers, state, version and time; never guest details or prices.',
    {
      reference,
      checkoutId,
      state: Type.Described(ReservationState, '`confirmed`.'),
      confirmedAt: Type.Instant('When it was confirmed.'),
    },
  ),
);

const ReservationCancelled = envelope(
  'reservation.cancelled',
  'ReservationCancelledEvent',
  "The operator's reservations team cancelled it.",
  Type.ResponseObject(
    'ReservationCancelledData',
    'Identifiers, state, version and time; never guest details or prices.',
    {
      reference,
      checkoutId,
      state: Type.Described(ReservationState, '`cancelled`.'),
      cancelledAt: Type.Instant('When it was cancelled.'),
    },
  ),
);

const ReservationChanged = envelope(
  'reservation.changed',
  'ReservationChangedEvent',
  "The operator's reservations team changed it.",
  Type.ResponseObject(
    'ReservationChangedData',
    'Identifiers, state, version and time; never guest details or prices.',
    {
      reference,
      checkoutId,
      state: Type.Described(ReservationState, '`confirmed`.'),
      changes: Type.Array(ReservationChange),
      changedAt: Type.Instant('When it was changed.'),
    },
  ),
);

const ChangeRequestDecided = envelope(
  'change_request.decided',
  'ChangeRequestDecidedEvent',
  'A request to cancel or change a reservation was decided.',
  Type.ResponseObject(
    'ChangeRequestDecidedData',
    'Identifiers and state; never guest details or prices.',
    {
      reference,
      changeRequestId: Type.Uuid('The request.'),
      state: Type.Described(ChangeRequestState, '`accepted`, `declined` or `withdrawn`.'),
    },
  ),
);

/** One schema for each event type; the webhook schemas are derived from these. */
export const eventSchemas = {
  'checkout.resolved': CheckoutResolved,
  'reservation.confirmed': ReservationConfirmed,
  'reservation.cancelled': ReservationCancelled,
  'reservation.changed': ReservationChanged,
  'change_request.decided': ChangeRequestDecided,
} as const satisfies Record<EventType, Type.TSchema>;

/** The event as the body of a webhook: a test event has no `sequence`. */
function asWebhook(type: EventType, name: string) {
  const { sequence, ...members } = eventSchemas[type].properties;
  return Type.ResponseObject(
    `${name}Webhook`,
    `${eventTexts[type].summary}: the body of a webhook. A test event from the portal has no \`sequence\`.`,
    { ...members, sequence: Type.Optional(sequence) },
  );
}

/** One schema for each body of a webhook. Spec: EVENT-2. */
export const webhookSchemas: Readonly<Record<EventType, Type.TSchema>> = {
  'checkout.resolved': asWebhook('checkout.resolved', 'CheckoutResolved'),
  'reservation.confirmed': asWebhook('reservation.confirmed', 'ReservationConfirmed'),
  'reservation.cancelled': asWebhook('reservation.cancelled', 'ReservationCancelled'),
  'reservation.changed': asWebhook('reservation.changed', 'ReservationChanged'),
  'change_request.decided': asWebhook('change_request.decided', 'ChangeRequestDecided'),
};

const { type: _type, data: _data, ...otherMembers } = CheckoutResolved.properties;

/** An event whose type is not known yet. */
const OtherEvent = Type.ResponseObject(
  'OtherEvent',
  'An event of a type that was added after this revision. Store the cursor and go on.',
  {
    ...otherMembers,
    type: Type.String({
      not: EventTypeName,
      description: 'A type that does not exist yet: ignore the event, or read what its data names.',
    }),
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        $id: 'OtherEventData',
        description: 'The data of a type that does not exist yet.',
      },
    ),
  },
);

export const Event = Type.Union(
  [
    CheckoutResolved,
    ReservationConfirmed,
    ReservationCancelled,
    ReservationChanged,
    ChangeRequestDecided,
  ],
  {
    $id: 'Event',
    description: 'An event of one of your checkouts or reservations.',
    discriminatedBy: 'type',
  },
);

/** An event, also of a type that does not exist yet. */
export const AnyEvent = Type.OrUnknown(Event, OtherEvent);
export type Event = Type.Static<typeof Event>;

export const EventPage = Type.ResponseObject('EventPage', 'Events, oldest first.', {
  items: Type.Array(AnyEvent),
  nextCursor: Type.Described(
    Cursor,
    'The cursor for the next read. Always present, also on an empty page. With `type`, it skips events of other types.',
  ),
  hasMore: Type.Flag(
    'Whether more events are available now. With `type`, one read scans a limited number of events, so a page can be empty while this is true.',
  ),
});

export const EventQuery = Type.RequestObject({
  ...paged,
  type: Type.Optional(Type.Described(EventTypeName, 'Only events of this type.')),
  from: Type.Optional(
    Type.String({
      pattern: patterns.feedStart.pattern,
      description:
        'Where to begin without a cursor. `latest`: an empty page whose `nextCursor` is the end of the feed. An instant: the first event at or after it; `resync_required` if such an event may have been dropped. Not together with `cursor`.',
    }),
  ),
});
