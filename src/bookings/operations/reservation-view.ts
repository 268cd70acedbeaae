import type { Reservation as ReservationOnWire } from '../../contract/partner/schemas/reservation.ts';
import { instant } from '../../contract/time.ts';
import { type CatalogView, readHome } from '../../catalog/index.ts';
import type { Executor } from '../../platform/postgres/database.ts';
import type { Listing } from '../../pricing/index.ts';
import type { FoundReservation } from '../store/reservations.ts';

/** Whether a reservation has reached all systems of the operator. Spec: RECORD-1. */
export const materializationOf = (isMaterialized: boolean): 'ready' | 'pending' =>
  isMaterialized ? 'ready' : 'pending';

/** What is shown of the home of a reservation. */
type ArrivalHome = Pick<
  Listing,
  'address' | 'arrivalInstructions' | 'checkInFrom' | 'checkOutUntil'
>;

/** The homes of reservations, by ID; also those that the application's catalog no longer sells. */
export async function homesOfReservations(
  executor: Executor,
  view: Pick<CatalogView, 'find'>,
  listingIds: Iterable<string>,
): Promise<Map<string, ArrivalHome>> {
  const homes = new Map<string, ArrivalHome>();
  for (const listingId of new Set(listingIds)) {
    const home = view.find(listingId)?.listing ?? (await readHome(executor, listingId))?.home;
    if (home) homes.set(listingId, home);
  }
  return homes;
}

/** What a guest with a reservation needs to arrive. Spec: RESERVATION-8. */
function propertyOf(home: ArrivalHome): NonNullable<ReservationOnWire['property']> {
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
  home: ArrivalHome | undefined,
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
