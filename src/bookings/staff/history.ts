import { listAuditEntries } from '../../platform/audit/audit-entries.ts';
import type { Booking, Reservation } from '../rules/booking.ts';
import { listNotes } from '../store/reservation-notes.ts';
import { type Happened, type HistoryItem, inOrder, ownPast } from '../timeline.ts';
import type { StaffContext } from './context.ts';

// More than staff ever do to one reservation.
const auditedAtMost = 500;

async function entriesOf({ database, money }: StaffContext, booking: Booking): Promise<Happened[]> {
  const entries = await money.entries(database, booking);
  return entries.map(({ kind, at, ...entry }) => ({ at, what: `payment.${kind}`, ...entry }));
}

async function actsOf({ database }: StaffContext, reference: string): Promise<Happened[]> {
  const slice = { before: null, atMost: auditedAtMost };
  const found = await listAuditEntries(database, { reference }, slice);
  // The history already has the note itself.
  const acts = found.items.filter(({ action }) => action !== 'reservation.note.add');
  return acts.map(({ happenedAt, actor, action, details }) => ({
    at: happenedAt,
    what: action,
    actor,
    ...details,
  }));
}

async function notesOf(
  { database }: StaffContext,
  { reference }: Pick<Booking, 'reference'>,
): Promise<Happened[]> {
  if (reference === null) return [];
  const notes = await listNotes(database, reference);
  return notes.map(({ author, ...note }) => ({ what: 'note', actor: author, ...note }));
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
    ownPast(context, booking, reservation?.materializedAt ?? null),
    entriesOf(context, booking),
    actsOf(context, booking.reference ?? booking.bookingId),
    notesOf(context, booking),
  ]);
  return inOrder(parts.flat());
}
