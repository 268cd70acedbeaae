import { instant } from '../../contract/time.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import { findOwnBooking, findOwnBookings, type OwnBooking } from '../store/own-bookings.ts';
import { inOrder, ownPast, type PastBooking } from '../timeline.ts';
import { act } from './context.ts';

type Shown = PortalReplyOf<'portal.booking.find'>['body']['items'][number];

const bookingView = ({
  applicationId: _application,
  failureReason,
  listingId,
  slug,
  name,
  quotedTotal: _total,
  quotedAt: _at,
  materializedAt: _materialized,
  ...booking
}: OwnBooking): Shown => ({
  ...booking,
  failure: failureReason,
  listing: { listingId, slug, name },
  createdAt: instant(booking.createdAt),
  submittedAt: instant(booking.submittedAt),
  resolvedAt: instant(booking.resolvedAt),
});

const pastOf = (booking: OwnBooking): PastBooking => ({
  ...booking,
  quote: {
    createdAt: booking.quotedAt,
    charges: { total: booking.quotedTotal, currency: booking.currency },
  },
});

/** Finds bookings by a reference or ID. */
export const findBookings = act('portal.booking.find', {
  async reply({ context, actor, query }) {
    const found = await findOwnBookings(context.database, actor.applicationId, query.name);
    return { status: 200, body: { items: found.map(bookingView) } };
  },
});

/** Returns a booking with its timeline. */
export const getBooking = act('portal.booking.get', {
  load: ({ context, actor, params }) =>
    findOwnBooking(context.database, actor.applicationId, params),
  async reply({ context }, booking) {
    const past = await ownPast(context, pastOf(booking), booking.materializedAt);
    return { status: 200, body: { ...bookingView(booking), timeline: inOrder(past) } };
  },
});
