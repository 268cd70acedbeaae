import type { Reservation as ReservationOnWire } from '../../contract/partner/schemas/reservation.ts';
import { instant } from '../../contract/time.ts';
import type { Listing } from '../../pricing/index.ts';
import type { FoundReservation } from '../store/reservations.ts';

/** Whether a reservation has reached all systems of the operator. Spec: RECORD-1. */
export const materializationOf = (isMaterialized: boolean): 'ready' | 'pending' =>
  isMaterialized ? 'ready' : 'pending';

/** What a guest with a reservation needs to arrive. Spec: RESERVATION-8. */
function propertyOf(home: Listing): NonNullable<ReservationOnWire['property']> {
  const { address, arrivalInstructions, checkInFrom, checkOutUntil } = home;
  return {
    address: address
      ? {
          lines: address.lines,
          postalCode: address.postalCode ?? null,
          city: address.city ?? null,
          region: address.region ?? null,
          country: address.country,
        }
      : null,
    arrivalInstructions: arrivalInstructions ?? null,
    checkInFrom,
    checkOutUntil,
  };
}

/** The wire form of a reservation. Spec: RESERVATION-2. */
export function reservationView(
  { reservation, partnerReference }: Pick<FoundReservation, 'reservation' | 'partnerReference'>,
  home: Listing | undefined,
): ReservationOnWire {
  const { kind, bookingId, cancelledAt } = reservation;
  return {
    reference: reservation.reference,
    state: reservation.state,
    listingId: reservation.listingId,
    checkIn: reservation.checkIn,
    checkOut: reservation.checkOut,
    party: reservation.party,
    charges: reservation.charges,
    cancelledAt: instant(cancelledAt),
    updatedAt: instant(reservation.updatedAt),
    materialization: materializationOf(reservation.materializedAt !== null),
    property: home ? propertyOf(home) : null,
    partnerReference,
    ...(kind === 'checkout' ? { checkoutId: bookingId } : { reservationRequestId: bookingId }),
  };
}
