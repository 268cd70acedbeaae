/** What staff do for one person: find, export and erase what is kept about them. */
import type { OperatorBodyOf } from '../../contract/operator/operations.ts';
import { staffActs } from '../../api/staff-acts.ts';
import {
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
import type { CommandLineContext } from '../context.ts';
import { eraseAtProvider, eraseGuest } from '../erase-guest.ts';
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

async function foundSome(context: CommandLineContext, wanted: Wanted) {
  const bookings = await found(context, wanted);
  if (isRefusal(bookings) || bookings.length > 0) return bookings;
  return refuseStaff('not_found', 'Nobody was found.');
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

async function erase(
  context: CommandLineContext,
  actor: string,
  { email, reference, from, reason }: EraseBody,
  dryRun: boolean,
) {
  const named = [email, reference, from].filter((one) => one !== undefined);
  if (named.length !== 1) return bodyMember('email', 'or reference or from: one of them');
  const bookings = from
    ? await findErasedAgain(context.database, from, indexedWithinMs)
    : await foundSome(context, { email, reference });
  if (isRefusal(bookings)) return bookings;
  if (namesPerson(reason, bookings)) {
    return bodyMember('reason', 'must not name the person: it stays in the audit trail');
  }
  const erasure = { bookings, email: email ?? null, actor, reason, isRepeated: from !== undefined };
  const removed = await eraseGuest(context, erasure, dryRun);
  if (isRefusal(removed)) return removed;
  const cardProvider = dryRun ? 'nothing' : await eraseAtProvider(context, bookings);
  return { dryRun, items: bookings.map(view), removed, cardProvider, kept };
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
