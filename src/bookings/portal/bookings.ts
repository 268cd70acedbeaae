import { instant } from '../../contract/time.ts';
import { refusePortal } from '../../contract/portal/errors.ts';
import type { PortalReplyOf } from '../../contract/portal/operations.ts';
import { findOwnBooking, findOwnBookings, type OwnBooking } from '../store/own-bookings.ts';
import { inOrder, ownPast, type PastBooking } from '../timeline.ts';
import { bookingPortalActs } from './context.ts';

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

/** What a partner reads of its bookings: by a reference or ID, and one with its timeline. */
export const portalBookingActs = bookingPortalActs({
  'portal.booking.find': async ({ context, actor, query }) => {
    const found = await findOwnBookings(context.database, actor.applicationId, query.name);
    return { items: found.map(bookingView) };
  },
  'portal.booking.get': async ({ context, actor, params }) => {
    const booking = await findOwnBooking(context.database, actor.applicationId, params);
    if (!booking) return refusePortal('not_found');
    const past = await ownPast(context, pastOf(booking), booking.materializedAt);
    return { ...bookingView(booking), timeline: inOrder(past) };
  },
});
