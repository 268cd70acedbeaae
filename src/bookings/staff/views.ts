/** Reservations and bookings as documents for staff. Instants are ISO 8601 in UTC. */
import { instant } from '../../contract/time.ts';
import type { Terms } from '../../contract/partner/schemas/quote.ts';
import { nightsOf, stayOf, todayAt } from '../../pricing/index.ts';
import type { Booking, Reservation } from '../rules/booking.ts';
import type { RefundAmounts } from '../rules/cancel-reservation.ts';
import { refundAmounts, type ReservationBalances } from '../rules/refund.ts';
import { quoteView, termsView } from '../operations/quote-view.ts';
import { materializationOf } from '../operations/reservation-view.ts';
import type { PaymentOfReservation } from '../ports/reservation-money.ts';
import type { ListedReservation, ReservationInFull } from '../store/staff-reservations.ts';

/** A reservation with everything behind it, and its money. */
export interface ReservationForStaff extends ReservationInFull {
  /** Null: the partner collects. */
  balances: ReservationBalances | null;
}

/** The terms that the guest has accepted. */
export const acceptedTerms = (booking: Booking): Terms =>
  termsView(booking.kind === 'checkout' ? booking.terms : booking.quote.terms);

/** The refunds of a reservation as it is now. */
const refundsOf = ({
  reservation,
  booking,
}: Pick<ReservationInFull, 'reservation' | 'booking'>): Terms['cancellation'] =>
  reservation.cancellation ?? acceptedTerms(booking).cancellation;

/** What a cancellation now depends on. */
export const refundAmountsOf = (inFull: ReservationForStaff): RefundAmounts =>
  refundAmounts({
    ...inFull,
    cancellation: refundsOf(inFull),
    today: todayAt(inFull.now, inFull.home.timeZone),
  });

const balancesView = ({ due, collected, open, refunded }: ReservationBalances) => ({
  due,
  collected,
  open,
  refunded,
});

/** Who collects the money, and pays refunds. */
export const collectorOf = ({
  booking,
}: Pick<ReservationInFull, 'booking'>): 'operator' | 'partner' =>
  booking.settlement === 'card' ? 'operator' : 'partner';

/** The stay of a reservation. */
export const stayView = ({ listingId, checkIn, checkOut, party }: Reservation) => ({
  listingId,
  checkIn,
  checkOut,
  nights: nightsOf(stayOf({ checkIn, checkOut })),
  party,
});

/** A booking, without its guest and charges. */
export const bookingView = (booking: Booking) => ({
  kind: booking.kind,
  id: booking.bookingId,
  state: booking.state,
  version: booking.version,
  attemptId: booking.attemptId,
  partnerReference: booking.kind === 'request' ? booking.partnerReference : null,
  promotionCode: booking.promotionCode,
  createdAt: instant(booking.createdAt),
  submittedAt: instant(booking.submittedAt),
  resolvedAt: instant(booking.resolvedAt),
});

/** The quote of a booking, without its terms. */
export function quoteOfBooking({ quote }: Booking) {
  const { terms: _, ...shown } = quoteView(quote);
  return shown;
}

/** A reservation in the list. */
export const listedView = ({ confirmedAt, cancelledAt, ...listed }: ListedReservation) => ({
  ...listed,
  confirmedAt: instant(confirmedAt),
  cancelledAt: instant(cancelledAt),
});

/** A reservation with everything behind it, without its history. */
export function reservationView(inFull: ReservationForStaff, payments: PaymentOfReservation[]) {
  const { reservation, booking, application, home, records } = inFull;
  const { collected, byTerms } = refundAmountsOf(inFull);
  const { applicationId, name, settlement } = application;
  const { version, policies, securityDeposit } = acceptedTerms(booking);
  return {
    reference: reservation.reference,
    version: reservation.version,
    state: reservation.state,
    application: { applicationId, name, settlement },
    payer: inFull.payer,
    listing: home,
    ...stayView(reservation),
    guest: booking.guest,
    charges: reservation.charges,
    terms: { version, policies, cancellation: refundsOf(inFull), securityDeposit },
    refund: {
      currency: reservation.charges.currency,
      collected,
      dueNow: reservation.state === 'cancelled' ? 0 : byTerms,
      decided: reservation.refundMinor,
      collectedBy: collectorOf(inFull),
    },
    balances: inFull.balances && balancesView(inFull.balances),
    payments,
    materialization: materializationOf(reservation.materializedAt !== null),
    records: {
      attempts: records.attempts,
      nextAttemptAt: instant(records.dueAt),
      problem: records.problem,
    },
    announced: reservation.announced && {
      change: reservation.announced.change,
      at: instant(reservation.announced.at),
    },
    confirmedAt: instant(reservation.confirmedAt),
    cancelledAt: instant(reservation.cancelledAt),
    updatedAt: instant(reservation.updatedAt),
    booking: bookingView(booking),
    quote: quoteOfBooking(booking),
  };
}
