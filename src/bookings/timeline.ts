import { type EpochMs, instant } from '../contract/time.ts';
import { envelopeOf, listEventsOfBooking, type StoredEvent } from '../events/index.ts';
import type { Executor } from '../platform/postgres/database.ts';
import type { Booking } from './rules/booking.ts';
import { listCommands } from './store/checkouts.ts';

/** Something that happened to a booking or its reservation. */
export interface HistoryItem {
  at: string;
  what: string;
  [detail: string]: unknown;
}

/** The same, before it is sorted by time. */
export type Happened = { at: EpochMs; what: string } & Record<string, unknown>;

/** A webhook delivery of an event. */
export interface EventDelivery {
  eventId: string;
  eventType: string;
  deliveryId: string;
  endpointId: string;
  state: string;
  attempts: number;
  lastError: string | null;
  /** When it arrived, or was last tried, or was made. */
  at: EpochMs;
}

/** Lists the webhook deliveries of events. */
export type ListDeliveries = (
  executor: Executor,
  eventIds: readonly string[],
) => Promise<EventDelivery[]>;

/** The dependencies of a timeline. */
export interface TimelineContext {
  database: Executor;
  listDeliveries: ListDeliveries;
}

/** What a timeline needs of a booking. */
export type PastBooking = Pick<
  Booking,
  | 'applicationId'
  | 'bookingId'
  | 'kind'
  | 'state'
  | 'reference'
  | 'failureReason'
  | 'createdAt'
  | 'submittedAt'
  | 'resolvedAt'
> & { quote: { createdAt: EpochMs; charges: { total: number; currency: string } } };

const happened = (at: EpochMs | null, what: string, details: object = {}): Happened[] =>
  at === null ? [] : [{ at, what, ...details }];

const ofBooking = (booking: PastBooking): Happened[] => [
  ...happened(booking.quote.createdAt, 'quote.created', {
    total: booking.quote.charges.total,
    currency: booking.quote.charges.currency,
  }),
  ...happened(booking.createdAt, `${booking.kind}.created`),
  ...happened(booking.submittedAt, `${booking.kind}.submitted`),
  ...happened(booking.resolvedAt, `${booking.kind}.resolved`, {
    state: booking.state,
    ...(booking.failureReason && { reason: booking.failureReason }),
  }),
];

async function commandsOf(
  { database }: TimelineContext,
  { kind, applicationId, bookingId }: PastBooking,
): Promise<Happened[]> {
  if (kind !== 'checkout') return [];
  return (await listCommands(database, applicationId, bookingId)).map(
    ({ operation, expectedVersion, refused, at }) => ({
      at,
      what: 'command',
      operation,
      expectedVersion,
      refused,
    }),
  );
}

async function eventsOf(
  { database, listDeliveries }: TimelineContext,
  { applicationId, bookingId, reference, resolvedAt }: PastBooking,
): Promise<Happened[]> {
  if (resolvedAt === null) return [];
  const booking = { applicationId, bookingId, reference, resolvedAt };
  const events = await listEventsOfBooking(database, booking);
  const deliveries = await listDeliveries(
    database,
    events.map(({ eventId }) => eventId),
  );
  const sent = events.map((event: StoredEvent) => {
    const { id, type, sequence, data } = envelopeOf(event);
    const own = deliveries.filter(({ eventId }) => eventId === event.eventId);
    return {
      at: event.createdAt,
      what: 'event',
      id,
      type,
      sequence,
      data,
      deliveries: own.length,
      delivered: own.filter(({ state }) => state === 'delivered').length,
    };
  });
  const idOf = new Map(events.map((event) => [event.eventId, envelopeOf(event).id]));
  const delivered = deliveries.map((delivery) => ({
    what: 'delivery',
    ...delivery,
    eventId: idOf.get(delivery.eventId),
  }));
  return [...sent, ...delivered];
}

/** The stored history of a booking and its reservation that its application may see, unsorted. */
export async function ownPast(
  context: TimelineContext,
  booking: PastBooking,
  materializedAt: EpochMs | null,
): Promise<Happened[]> {
  const [commands, events] = await Promise.all([
    commandsOf(context, booking),
    eventsOf(context, booking),
  ]);
  // At the same instant, a command comes before what it caused.
  return [
    ...commands,
    ...ofBooking(booking),
    ...events,
    ...happened(materializedAt, 'records.ready'),
  ];
}

/** What happened, in the order of time. */
export const inOrder = (items: readonly Happened[]): HistoryItem[] =>
  items
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, ...item }) => ({ at: instant(at), ...item }) as HistoryItem);
