/** Erases one person: in every subject in one transaction for some bookings at a time, then at the card provider. */
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
import { operatorLimits } from '../contract/operator/limits.ts';
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
import { eraseResponses } from '../webhooks/index.ts';
import type { CommandLineContext } from './context.ts';
import { erasureLine } from './erasure-line.ts';
import { eraseCreated } from './store/idempotency-keys.ts';

/** What else was erased with the guest. */
export type Removed = OperatorReplyOf<'operator.guest.erase'>['body']['removed'];

/** An erasure: whose, by whom and why. */
export interface Erasure<Refused extends 'invalid_input' = never> {
  /** Reads the bookings, some at a time, each time from the beginning. */
  batches(): AsyncIterable<GuestBooking[]>;
  /** The address that staff have named; null: they have named a booking. */
  email: string | null;
  actor: string;
  reason: string;
  /** It was carried out before: nothing refuses it. */
  isRepeated: boolean;
  /** What staff get who must not erase these bookings in this way; null: they may. */
  refuse(bookings: readonly GuestBooking[]): Refusal<Refused> | null;
}

/** A part of an erasure that is erased in one transaction. */
interface ErasureSlice extends Pick<Erasure, 'email' | 'actor' | 'reason' | 'isRepeated'> {
  bookings: readonly GuestBooking[];
  /** How many bookings of the person were erased before these. */
  before: number;
  /** How many bookings the whole erasure has. */
  total: number;
}

const isCard = ({ booking }: GuestBooking): boolean =>
  booking.kind === 'checkout' && booking.settlement === 'card';

/** Everything under which entries and replies name these bookings. */
const referencesOf = (bookings: readonly GuestBooking[]): string[] =>
  bookings.flatMap(({ booking: { reference, bookingId } }) =>
    reference === null ? [bookingId] : [reference, bookingId],
  );

const endOf = (before: number): string =>
  before === 0
    ? 'Nothing was erased.'
    : `${before} other bookings were erased before, the rest was not.`;

async function check(
  executor: Executor,
  { bookings, isRepeated, before }: Pick<ErasureSlice, 'bookings' | 'isRepeated' | 'before'>,
): Promise<Refusal<'conflict'> | null> {
  if (
    !(await lockBookings(
      executor,
      bookings.map(({ booking }) => booking),
    ))
  ) {
    return refuseConflict(`A booking has changed meanwhile. ${endOf(before)} Try again.`);
  }
  if (isRepeated) return null;
  const facts = [];
  for (const one of bookings) {
    const { applicationId, bookingId } = one.booking;
    const isOpen = isCard(one) && (await isMoneyOpen(executor, applicationId, bookingId));
    facts.push({ ...one, isMoneyOpen: isOpen });
  }
  return decideErasure(facts, endOf(before));
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

async function enter(executor: Executor, slice: ErasureSlice) {
  const { bookings, actor, reason, email, total } = slice;
  for (const { booking } of bookings) {
    await insertAuditEntry(executor, {
      actor,
      action: 'guest.erase',
      applicationId: booking.applicationId,
      reference: booking.reference ?? booking.bookingId,
      details: { reason, by: email === null ? 'booking' : 'email', bookings: total },
    });
  }
}

/** Erases within a transaction. */
async function eraseWithin(
  executor: Executor,
  erasure: ErasureSlice,
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

/** The lines by which a restore finds the person again: by address, once, and by each booking. */
function linesOf({ vault }: Executor, slice: ErasureSlice, at: string): string[] {
  const { bookings, email, before } = slice;
  const byEmail =
    email === null || before > 0
      ? []
      : [{ at, email: emailDigest(vault, { email }), booking: null }];
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
  erasure: ErasureSlice,
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

/** How many bookings are erased in one transaction: well below the time that a call and its locks may take. */
export const erasedAtOnce = 200;

/** Looks at all bookings before the first is erased. Returns how many there are. */
async function look<Refused extends 'invalid_input'>(
  { database }: ErasureContext,
  { batches, isRepeated, refuse }: Erasure<Refused>,
): Promise<number | Refusal<'conflict' | Refused>> {
  let total = 0;
  for await (const bookings of batches()) {
    const refused =
      refuse(bookings) ??
      (await database.transaction((executor) =>
        check(executor, { bookings, isRepeated, before: 0 }),
      ));
    if (refused) return refused;
    total += bookings.length;
  }
  return total;
}

const isKnownToProvider = (one: GuestBooking): boolean =>
  isCard(one) && one.booking.kind === 'checkout' && one.booking.paymentSetup !== null;

// More of them are left to the worker, which goes on for hours.
const customersAtOnce = 20;

/** What an erasure has done, or would do. */
export interface ErasedPerson {
  /** How many bookings. */
  bookings: number;
  /** As many of them as one reply shows. */
  shown: GuestBooking[];
  removed: Removed;
  /** Those that the card provider knows, up to one more than are deleted there at once. */
  customers: GuestBooking[];
}

/**
 * Erases, or only shows what an erasure would remove. All bookings are looked at first; then each slice is erased in a
 * transaction of its own. What is erased is not found again, so an erasure that was broken off goes on when it is
 * repeated.
 */
export async function eraseGuest<Refused extends 'invalid_input' = never>(
  context: ErasureContext,
  erasure: Erasure<Refused>,
  dryRun: boolean,
): Promise<ErasedPerson | Refusal<'conflict' | Refused>> {
  // Texts of an earlier version lie in their entries until then.
  await chainAllAuditEntries(context.database);
  const total = await look(context, erasure);
  if (isRefusal(total)) return total;
  const nothing = { notes: 0, texts: 0, responses: 0, summaries: 0 };
  const erased: ErasedPerson = { bookings: 0, shown: [], removed: nothing, customers: [] };
  for await (const bookings of erasure.batches()) {
    const slice = { ...erasure, bookings, before: erased.bookings, total };
    const removed = await eraseAtOnce(context, slice, dryRun);
    if (isRefusal(removed)) return removed;
    erased.removed = sumOf(erased.removed, removed);
    erased.bookings += bookings.length;
    const open = operatorLimits.bookingsOfGuest - erased.shown.length;
    erased.shown.push(...bookings.slice(0, open));
    const more = customersAtOnce + 1 - erased.customers.length;
    erased.customers.push(...bookings.filter(isKnownToProvider).slice(0, more));
  }
  return erased;
}

/** What the card provider still has of these bookings; without an answer, a worker repeats the deletion. */
export async function eraseAtProvider(
  { database, cardProvider }: ErasureContext,
  customers: readonly GuestBooking[],
): Promise<'nothing' | 'pending' | 'erased'> {
  if (customers.length === 0) return 'nothing';
  if (!cardProvider || customers.length > customersAtOnce) return 'pending';
  for (const { booking } of customers) {
    const checkout = { applicationId: booking.applicationId, checkoutId: booking.bookingId };
    if (!(await eraseCustomersNow(database, cardProvider, checkout))) return 'pending';
  }
  return 'erased';
}
