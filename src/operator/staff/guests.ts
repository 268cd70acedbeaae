/** What staff do for one person: find, export and erase what is kept about them. */
import type { OperatorBodyOf } from '../../contract/operator/operations.ts';
import { staffActs } from '../../api/staff-acts.ts';
import {
  batchesOfGuest,
  emailOf,
  findGuestBookings,
  type GuestBooking,
  guestExportOf,
  namesOf,
} from '../../bookings/index.ts';
import { readSummaries } from '../../channels/index.ts';
import { isRefusal, type Refusal } from '../../contract/errors.ts';
import { refuseConflict, refuseStaff } from '../../contract/operator/errors.ts';
import { operatorLimits } from '../../contract/operator/limits.ts';
import { auditedChange } from '../../platform/audit/audited-change.ts';
import { withoutDeadline } from '../../platform/postgres/deadline.ts';
import { inSlices } from '../../platform/slices.ts';
import type { CommandLineContext } from '../context.ts';
import { erasedAtOnce, eraseAtProvider, eraseGuest, type Erasure } from '../erase-guest.ts';
import { indexGuests } from '../index-guests.ts';
import { findErasedAgain, notIndexed } from '../repeat-erasures.ts';

type Wanted = Parameters<typeof findGuestBookings>[1];

const indexedWithinMs = 3_000;

async function found(
  { database }: Pick<CommandLineContext, 'database'>,
  wanted: Wanted,
): Promise<GuestBooking[] | Refusal<'conflict'>> {
  if (!(await indexGuests(database, indexedWithinMs))) return notIndexed;
  const { bookingsOfGuest } = operatorLimits;
  const bookings = await findGuestBookings(database, wanted, bookingsOfGuest + 1);
  if (bookings.length <= bookingsOfGuest) return bookings;
  return refuseConflict(`There are more than ${bookingsOfGuest} bookings: name one.`);
}

const nobody = refuseStaff('not_found', 'Nobody was found.');

async function foundSome(context: CommandLineContext, wanted: Wanted) {
  const bookings = await found(context, wanted);
  if (isRefusal(bookings) || bookings.length > 0) return bookings;
  return nobody;
}

const view = ({ booking, reservation, ...stay }: GuestBooking) => ({
  reference: booking.reference,
  kind: booking.kind,
  checkoutId: booking.bookingId,
  applicationId: booking.applicationId,
  application: stay.application,
  listing: stay.listing,
  checkIn: stay.checkIn,
  checkOut: stay.checkOut,
  state: reservation ?? booking.state,
});

const withGuest = (one: GuestBooking) => ({ ...view(one), guest: one.booking.guest! });

async function exported(context: CommandLineContext, bookings: readonly GuestBooking[]) {
  const items = [];
  for (const one of bookings) {
    const guestExport = await guestExportOf(context.bookings, one);
    if (isRefusal(guestExport)) return guestExport;
    items.push({
      ...withGuest(one),
      ...guestExport,
      channelTexts: await readSummaries(context.database, one),
    });
  }
  return { exportedAt: new Date().toISOString(), items };
}

const kept = [
  'The reservation with its amounts, dates, home, party and references, and the rows of the ledger: tax and commercial law make you keep them.',
  'The audit trail, without what people have written about the booking.',
  'Keyed digests of what the partner has sent, so that its repeats are still answered.',
  'At the card provider, the payments and refunds.',
  'Backups, until you delete them. After a restore, the file `erasures` of the data folder erases the person again.',
];

/** A reason that names the person would stay in the audit trail. */
function namesPerson(reason: string, bookings: readonly GuestBooking[]): boolean {
  const text = reason.toLowerCase();
  return bookings.some(({ booking: { guest } }) => {
    const { name } = namesOf(guest!);
    return text.includes(emailOf(guest!.email)) || text.includes(name);
  });
}

type EraseBody = OperatorBodyOf<'operator.guest.erase'>;

const bodyMember = (path: string, message: string) =>
  refuseStaff('invalid_input', `${path} ${message}.`, { path: `/${path}`, message });

/** The bookings that staff have named for an erasure, some at a time. */
async function erasedOf(
  context: CommandLineContext,
  { email, reference, from }: EraseBody,
): Promise<Erasure['batches'] | Refusal<'conflict'>> {
  const { database } = context;
  if (email !== undefined) {
    if (!(await indexGuests(database, indexedWithinMs))) return notIndexed;
    return () => batchesOfGuest(database, email, erasedAtOnce);
  }
  const bookings = from
    ? await findErasedAgain(database, from, indexedWithinMs)
    : await found(context, { reference });
  return isRefusal(bookings) ? bookings : () => inSlices(bookings, erasedAtOnce);
}

const byArrival = (one: GuestBooking, other: GuestBooking): number =>
  one.checkIn.localeCompare(other.checkIn) || one.booking.createdAt - other.booking.createdAt;

async function erase(context: CommandLineContext, actor: string, body: EraseBody, dryRun: boolean) {
  const { email, reference, from, reason } = body;
  const named = [email, reference, from].filter((one) => one !== undefined);
  if (named.length !== 1) return bodyMember('email', 'or reference or from: one of them');
  const batches = await erasedOf(context, body);
  if (isRefusal(batches)) return batches;
  const erasure: Erasure<'invalid_input'> = {
    batches,
    email: email ?? null,
    actor,
    reason,
    isRepeated: from !== undefined,
    refuse: (bookings) =>
      namesPerson(reason, bookings)
        ? bodyMember('reason', 'must not name the person: it stays in the audit trail')
        : null,
  };
  // Each slice is short, so no deadline of a call limits them together.
  const erased = await withoutDeadline(() => eraseGuest(context, erasure, dryRun));
  if (isRefusal(erased)) return erased;
  const { bookings, shown, removed, customers } = erased;
  if (bookings === 0 && !from) return nobody;
  const cardProvider = dryRun ? 'nothing' : await eraseAtProvider(context, customers);
  const items = shown.toSorted(byArrival).map(view);
  return { dryRun, bookings, items, removed, cardProvider, kept };
}

/** What staff do for one person. */
export const guestActs = staffActs<CommandLineContext>()({
  'operator.guest.find': async ({ context, body }) => {
    const bookings = await found(context, body);
    return isRefusal(bookings) ? bookings : { items: bookings.map(withGuest) };
  },
  'operator.guest.export': ({ context, actor, body }) =>
    auditedChange(
      context.database,
      async () => {
        const bookings = await foundSome(context, body);
        return isRefusal(bookings) ? bookings : exported(context, bookings);
      },
      ({ items }) => ({
        actor: actor.name,
        action: 'guest.export',
        details: { by: body.email === undefined ? 'booking' : 'email', bookings: items.length },
      }),
    ),
  'operator.guest.erase': ({ context, actor, body, dryRun }) =>
    erase(context, actor.name, body, dryRun),
});
