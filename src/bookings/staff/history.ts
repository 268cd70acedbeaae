import { instantOf } from '../../access/index.ts';
import { listEventsOfBooking, type StoredEvent, envelopeOf } from '../../events/index.ts';
import { listAuditEntries } from '../../platform/audit/audit-entries.ts';
import type { EpochMs } from '../../contract/time.ts';
import type { Booking, Reservation } from '../rules/booking.ts';
import { listCommands } from '../store/checkouts.ts';
import type { StaffContext } from './context.ts';

/** Something that happened to a booking or its reservation. */
export interface HistoryItem {
  at: string;
  what: string;
  [detail: string]: unknown;
}

type Happened = { at: EpochMs; what: string } & Record<string, unknown>;

// More than staff ever do to one reservation.
const auditedAtMost = 500;

const happened = (at: EpochMs | null, what: string, details: object = {}): Happened[] =>
  at === null ? [] : [{ at, what, ...details }];

const ofBooking = (booking: Booking): Happened[] => [
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

async function commandsOf({ database }: StaffContext, booking: Booking): Promise<Happened[]> {
  if (booking.kind !== 'checkout') return [];
  const { applicationId, bookingId } = booking;
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
  { database, listDeliveries }: StaffContext,
  { applicationId, bookingId, reference, resolvedAt }: Booking,
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

async function entriesOf({ database, money }: StaffContext, booking: Booking): Promise<Happened[]> {
  const entries = await money.entries(database, booking);
  return entries.map(({ kind, at, ...entry }) => ({ at, what: `payment.${kind}`, ...entry }));
}

async function actsOf({ database }: StaffContext, reference: string): Promise<Happened[]> {
  const found = await listAuditEntries(
    database,
    { reference },
    Number.MAX_SAFE_INTEGER,
    auditedAtMost,
  );
  return found.map(({ happenedAt, actor, action, details }) => ({
    at: happenedAt,
    what: action,
    actor,
    ...details,
  }));
}

/**
 * Everything that is still known of a booking and its reservation, in the order of time. Commands are kept
 * for 7 days, events and their deliveries for 30.
 */
export async function historyOf(
  context: StaffContext,
  booking: Booking,
  reservation: Pick<Reservation, 'materializedAt'> | null,
): Promise<HistoryItem[]> {
  const parts = await Promise.all([
    commandsOf(context, booking),
    eventsOf(context, booking),
    entriesOf(context, booking),
    actsOf(context, booking.reference ?? booking.bookingId),
  ]);
  return [
    ...ofBooking(booking),
    ...parts.flat(),
    ...happened(reservation?.materializedAt ?? null, 'records.ready'),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, ...item }) => ({ at: instantOf(at), ...item }) as HistoryItem);
}
