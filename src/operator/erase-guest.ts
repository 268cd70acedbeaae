/** Erases one person: in every subject in one transaction, then at the card provider. */
import type { OperatorReplyOf } from '../contract/operator/operations.ts';
import {
  decideErasure,
  emailDigest,
  type GuestBooking,
  lockBookings,
  removeGuest,
} from '../bookings/index.ts';
import { eraseSummaries } from '../channels/index.ts';
import { isRefusal, type Refusal } from '../contract/errors.ts';
import { refuseConflict } from '../contract/operator/errors.ts';
import { listEventsOfBooking } from '../events/index.ts';
import {
  eraseCustomersNow,
  eraseTextsOfLedger,
  isMoneyOpen,
  requestCustomerErasure,
} from '../payments/index.ts';
import { chainAllAuditEntries, eraseAuditTexts } from '../platform/audit/audit-chain.ts';
import { insertAuditEntry } from '../platform/audit/audit-entries.ts';
import type { Executor } from '../platform/postgres/database.ts';
import { inSlices } from '../platform/slices.ts';
import { eraseResponses } from '../webhooks/index.ts';
import type { CommandLineContext } from './context.ts';
import { erasureLine } from './erasure-line.ts';
import { eraseCreated } from './store/idempotency-keys.ts';

/** What else was erased with the guest. */
export type Removed = OperatorReplyOf<'operator.guest.erase'>['body']['removed'];

/** An erasure: whose, by whom and why. */
export interface Erasure {
  bookings: readonly GuestBooking[];
  /** The address that staff have named; null: they have named a booking. */
  email: string | null;
  actor: string;
  reason: string;
  /** It was carried out before: nothing refuses it. */
  isRepeated: boolean;
}

const isCard = ({ booking }: GuestBooking): boolean =>
  booking.kind === 'checkout' && booking.settlement === 'card';

/** Everything under which entries and replies name these bookings. */
const referencesOf = (bookings: readonly GuestBooking[]): string[] =>
  bookings.flatMap(({ booking: { reference, bookingId } }) =>
    reference === null ? [bookingId] : [reference, bookingId],
  );

async function check(
  executor: Executor,
  { bookings, isRepeated }: Erasure,
): Promise<Refusal<'conflict'> | null> {
  if (
    !(await lockBookings(
      executor,
      bookings.map(({ booking }) => booking),
    ))
  ) {
    return refuseConflict('A booking has changed meanwhile. Nothing was erased; try again.');
  }
  if (isRepeated) return null;
  const facts = [];
  for (const one of bookings) {
    const { applicationId, bookingId } = one.booking;
    const isOpen = isCard(one) && (await isMoneyOpen(executor, applicationId, bookingId));
    facts.push({ ...one, isMoneyOpen: isOpen });
  }
  return decideErasure(facts);
}

async function eraseOf(executor: Executor, one: GuestBooking) {
  const { booking } = one;
  const { applicationId, bookingId, reference, resolvedAt, guest } = booking;
  if (isCard(one)) {
    await eraseTextsOfLedger(executor, applicationId, bookingId);
    await requestCustomerErasure(executor, { applicationId, checkoutId: bookingId }, guest!.email);
  }
  const events =
    resolvedAt === null
      ? []
      : await listEventsOfBooking(executor, { applicationId, bookingId, reference, resolvedAt });
  return {
    responses: await eraseResponses(
      executor,
      events.map(({ eventId }) => eventId),
    ),
    summaries: await eraseSummaries(executor, one),
  };
}

async function enter(executor: Executor, { bookings, actor, reason, email }: Erasure) {
  for (const { booking } of bookings) {
    await insertAuditEntry(executor, {
      actor,
      action: 'guest.erase',
      applicationId: booking.applicationId,
      reference: booking.reference ?? booking.bookingId,
      details: { reason, by: email === null ? 'booking' : 'email', bookings: bookings.length },
    });
  }
}

/** Erases within a transaction. */
async function eraseWithin(
  executor: Executor,
  erasure: Erasure,
): Promise<Removed | Refusal<'conflict'>> {
  const refused = await check(executor, erasure);
  if (refused) return refused;
  const { bookings } = erasure;
  const removed = { notes: 0, texts: 0, responses: 0, summaries: 0 };
  for (const one of bookings) {
    const { responses, summaries } = await eraseOf(executor, one);
    removed.responses += responses;
    removed.summaries += summaries;
  }
  const references = referencesOf(bookings);
  removed.texts = await eraseAuditTexts(executor, references);
  await eraseCreated(executor, references);
  removed.notes = await removeGuest(
    executor,
    bookings.map(({ booking }) => booking),
  );
  // Last: its own reason stays.
  await enter(executor, erasure);
  return removed;
}

/** The lines by which a restore finds the person again: by address, and by each booking. */
function linesOf({ vault }: Executor, { bookings, email }: Erasure, at: string): string[] {
  const byEmail =
    email === null ? [] : [{ at, email: emailDigest(vault, { email }), booking: null }];
  const byBooking = bookings.map(({ booking: { applicationId, bookingId, kind } }) => ({
    at,
    email: null,
    booking: { applicationId, bookingId, kind },
  }));
  return [...byEmail, ...byBooking].map(erasureLine);
}

/** Thrown at the end of a preview, so that nothing of it is written. */
class Undone extends Error {
  readonly removed: Removed;

  constructor(removed: Removed) {
    super('preview');
    this.removed = removed;
  }
}

/** What an erasure works with. */
export type ErasureContext = Pick<CommandLineContext, 'database' | 'erasures' | 'cardProvider'>;

async function eraseAtOnce(
  { database, erasures }: ErasureContext,
  erasure: Erasure,
  dryRun: boolean,
): Promise<Removed | Refusal<'conflict'>> {
  try {
    return await database.transaction(async (executor) => {
      const removed = await eraseWithin(executor, erasure);
      if (isRefusal(removed)) return removed;
      if (dryRun) throw new Undone(removed);
      // Before the commit: what is erased here and missing there would come back with a restore.
      const at = new Date().toISOString();
      if (!erasure.isRepeated) await erasures.append(linesOf(database, erasure, at));
      return removed;
    });
  } catch (error) {
    if (error instanceof Undone) return error.removed;
    throw error;
  }
}

const sumOf = (a: Removed, b: Removed): Removed => ({
  notes: a.notes + b.notes,
  texts: a.texts + b.texts,
  responses: a.responses + b.responses,
  summaries: a.summaries + b.summaries,
});

// Of those that were erased before, there can be as many as in years.
const repeatedAtOnce = 100;

/**
 * Erases, or only shows what an erasure would remove. All of it or nothing; what was erased before is erased again some
 * bookings at a time.
 */
export async function eraseGuest(
  context: ErasureContext,
  erasure: Erasure,
  dryRun: boolean,
): Promise<Removed | Refusal<'conflict'>> {
  // Texts of an earlier version lie in their entries until then.
  await chainAllAuditEntries(context.database);
  if (!erasure.isRepeated) return eraseAtOnce(context, erasure, dryRun);
  let removed: Removed = { notes: 0, texts: 0, responses: 0, summaries: 0 };
  for await (const bookings of inSlices(erasure.bookings, repeatedAtOnce)) {
    const more = await eraseAtOnce(context, { ...erasure, bookings }, dryRun);
    if (isRefusal(more)) return more;
    removed = sumOf(removed, more);
  }
  return removed;
}

/** What the card provider still has of these bookings; without an answer, a worker repeats the deletion. */
export async function eraseAtProvider(
  { database, cardProvider }: ErasureContext,
  bookings: readonly GuestBooking[],
): Promise<'nothing' | 'pending' | 'erased'> {
  const asked = bookings.filter(
    (one) => isCard(one) && one.booking.kind === 'checkout' && one.booking.paymentSetup !== null,
  );
  if (asked.length === 0) return 'nothing';
  if (!cardProvider) return 'pending';
  for (const { booking } of asked) {
    const checkout = { applicationId: booking.applicationId, checkoutId: booking.bookingId };
    if (!(await eraseCustomersNow(database, cardProvider, checkout))) return 'pending';
  }
  return 'erased';
}
